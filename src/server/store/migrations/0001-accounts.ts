import { initialTokenSettings } from '#core/token/token.ts';
import { settingsToRow } from '../database/token-columns.ts';
import type { Migration } from './migration.ts';

/** The token settings that this migration creates. */
const FIRST_SETTINGS: readonly string[] = [
  'expires_at',
  'remain_quota',
  'unlimited',
  'model_limits_enabled',
  'model_limits',
  'allow_ips',
  'group_name',
];

/** A column with the value for tokens that existed before it; a column that starts as null is nullable. */
const columnOf = (value: string | number | null, integer: string): string => {
  if (value === null) return integer;
  return typeof value === 'number'
    ? `${integer} NOT NULL DEFAULT ${value}`
    : `TEXT NOT NULL DEFAULT '${value.replaceAll("'", "''")}'`;
};

/** One migration per later token setting: its column. Takes the columns and their initial values. */
export const stepsForSettings = (
  columns: Readonly<Record<string, string | number | null>>,
): readonly Migration[] =>
  Object.entries(columns)
    .filter(([column]) => !FIRST_SETTINGS.includes(column))
    .map(([column, value]) => ({
      name: `token-setting-${column}`,
      statements: ({ integer }) => [`ALTER TABLE tokens ADD COLUMN ${column} ${columnOf(value, integer)}`],
    }));

export const laterTokenSettings = stepsForSettings({ ...settingsToRow.all(initialTokenSettings) });

const exact = (column: string) => `CHECK (${column} BETWEEN 0 AND 9007199254740991)`;

/** Accounts and their configuration. */
export const accounts: Migration = {
  name: '0001-accounts',
  statements: ({ id, integer, real, end }) => [
    // quota is available, held is reserved by running calls, used_quota is everything ever charged.
    `CREATE TABLE users (
      id ${id},
      username TEXT NOT NULL UNIQUE,
      display_name TEXT NOT NULL,
      email TEXT NOT NULL,
      password_hash TEXT NOT NULL,
      role ${integer} NOT NULL,
      status ${integer} NOT NULL,
      group_name TEXT NOT NULL,
      quota ${integer} NOT NULL DEFAULT 0 ${exact('quota')},
      held ${integer} NOT NULL DEFAULT 0 ${exact('held')},
      used_quota ${integer} NOT NULL DEFAULT 0 ${exact('used_quota')},
      request_count ${integer} NOT NULL DEFAULT 0,
      aff_code TEXT NOT NULL UNIQUE,
      aff_count ${integer} NOT NULL DEFAULT 0,
      aff_quota ${integer} NOT NULL DEFAULT 0 ${exact('aff_quota')},
      aff_history_quota ${integer} NOT NULL DEFAULT 0 ${exact('aff_history_quota')},
      inviter_id ${integer} NOT NULL DEFAULT 0,
      github_id TEXT NOT NULL DEFAULT '',
      wechat_id TEXT NOT NULL DEFAULT '',
      telegram_id TEXT NOT NULL DEFAULT '',
      linux_do_id TEXT NOT NULL DEFAULT '',
      access_token_hash TEXT UNIQUE,
      setting TEXT NOT NULL DEFAULT '',
      created_at ${integer} NOT NULL,
      deleted_at ${integer}
    ${end}`,
    `CREATE UNIQUE INDEX users_email ON users (email) WHERE email <> ''`,
    // issued_quota is everything ever given to the token, by hand or because an unlimited token was used: it always
    // equals remain_quota + held + used_quota.
    `CREATE TABLE tokens (
      id ${id},
      user_id ${integer} NOT NULL REFERENCES users (id),
      name TEXT NOT NULL,
      status ${integer} NOT NULL,
      key_mac TEXT NOT NULL UNIQUE,
      key_encrypted TEXT NOT NULL,
      key_prefix TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      accessed_at ${integer} NOT NULL,
      expires_at ${integer},
      remain_quota ${integer} NOT NULL ${exact('remain_quota')},
      issued_quota ${integer} NOT NULL CHECK (issued_quota >= 0),
      held ${integer} NOT NULL DEFAULT 0 ${exact('held')},
      used_quota ${integer} NOT NULL DEFAULT 0 ${exact('used_quota')},
      unlimited ${integer} NOT NULL,
      model_limits_enabled ${integer} NOT NULL,
      model_limits TEXT NOT NULL,
      allow_ips TEXT NOT NULL,
      group_name TEXT NOT NULL,
      deleted_at ${integer}
    ${end}`,
    `CREATE INDEX tokens_user ON tokens (user_id, id)`,
    `CREATE TABLE channels (
      id ${id},
      type ${integer} NOT NULL,
      name TEXT NOT NULL,
      status ${integer} NOT NULL,
      key_encrypted TEXT NOT NULL,
      key_mac TEXT NOT NULL,
      organization TEXT NOT NULL,
      base_url TEXT NOT NULL,
      other TEXT NOT NULL,
      models TEXT NOT NULL,
      groups TEXT NOT NULL,
      model_mapping TEXT NOT NULL,
      status_code_mapping TEXT NOT NULL,
      setting TEXT NOT NULL,
      param_override TEXT NOT NULL,
      test_model TEXT NOT NULL,
      max_input_tokens ${integer} NOT NULL,
      priority ${integer} NOT NULL,
      weight ${integer} NOT NULL,
      auto_disable ${integer} NOT NULL,
      tag TEXT,
      used_quota ${integer} NOT NULL DEFAULT 0 CHECK (used_quota >= 0),
      balance_usd ${real} NOT NULL DEFAULT 0,
      balance_updated_at ${integer} NOT NULL DEFAULT 0,
      response_time_ms ${integer} NOT NULL DEFAULT 0,
      tested_at ${integer} NOT NULL DEFAULT 0,
      created_at ${integer} NOT NULL,
      other_info TEXT NOT NULL DEFAULT ''
    ${end}`,
    `CREATE TABLE options (key TEXT PRIMARY KEY, value TEXT NOT NULL ${end}`,
    // prices is a JSON object with the text of every price option at that time.
    `CREATE TABLE price_versions (version ${id}, prices TEXT NOT NULL, created_at ${integer} NOT NULL ${end}`,
    `CREATE TABLE sessions (
      id_hash TEXT PRIMARY KEY,
      user_id ${integer} NOT NULL REFERENCES users (id),
      created_at ${integer} NOT NULL,
      last_seen_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      ip TEXT NOT NULL,
      user_agent TEXT NOT NULL
    ${end}`,
    `CREATE INDEX sessions_user ON sessions (user_id)`,
    // How often a kind of data changed, so that other nodes notice.
    `CREATE TABLE changes (kind TEXT PRIMARY KEY, version ${integer} NOT NULL ${end}`,
    // Single facts about this database: that setup is done, which master key it belongs to.
    `CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL ${end}`,
  ],
};
