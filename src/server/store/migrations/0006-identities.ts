import { serviceNames, signInServices } from '#contract/sign-in-services.ts';
import type { Migration } from './migration.ts';

/** The sign-in services at the time of this migration. */
const FIRST_IDENTITIES: readonly string[] = [
  'github_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'oidc_id',
  'discord_id',
];

/**
 * One migration per later sign-in service: its column. One identity there belongs to one account here, deleted accounts
 * included.
 */
export const laterIdentities: readonly Migration[] = serviceNames
  .map((name): string => signInServices[name].field)
  .filter((field) => !FIRST_IDENTITIES.includes(field))
  .map((field) => ({
    name: `identity-${field}`,
    statements: () => [
      `ALTER TABLE users ADD COLUMN ${field} TEXT NOT NULL DEFAULT ''`,
      `CREATE UNIQUE INDEX users_${field} ON users (${field}) WHERE ${field} <> ''`,
    ],
  }));

/** Users' identities at other services, further proofs of identity, and earnings from invites. */
export const identities: Migration = {
  name: '0006-identities',
  statements: ({ id, integer, end }) => [
    `ALTER TABLE users ADD COLUMN oidc_id TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN discord_id TEXT NOT NULL DEFAULT ''`,
    // One identity at a service belongs to one account here, deleted accounts included.
    ...FIRST_IDENTITIES.map(
      (column) => `CREATE UNIQUE INDEX users_${column} ON users (${column}) WHERE ${column} <> ''`,
    ),
    // When the owner was last warned of a low balance: at most once in two hours, over all nodes.
    `ALTER TABLE users ADD COLUMN quota_warned_at ${integer} NOT NULL DEFAULT 0`,
    // The change of invite earnings, besides the change of quota in delta: positive when earned, negative when
    // transferred.
    `ALTER TABLE journal ADD COLUMN earned ${integer} NOT NULL DEFAULT 0`,
    // Until when the session's owner need not authenticate again.
    `ALTER TABLE sessions ADD COLUMN fresh_until ${integer} NOT NULL DEFAULT 0`,
    // Short-lived, single-use values: codes sent by mail, sign-ins in progress, captcha answers already used. value
    // holds their data, tries the number of failed attempts.
    `CREATE TABLE tickets (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      tries ${integer} NOT NULL DEFAULT 0,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL,
      PRIMARY KEY (kind, key)
    ${end}`,
    `CREATE INDEX tickets_expiry ON tickets (expires_at)`,
    // last_step is the time step of the newest accepted code, because each works once. confirmed_at is null until the
    // first.
    `CREATE TABLE second_factors (
      user_id ${integer} PRIMARY KEY REFERENCES users (id),
      secret_encrypted TEXT NOT NULL,
      confirmed_at ${integer},
      last_step ${integer} NOT NULL DEFAULT 0
    ${end}`,
    `CREATE TABLE backup_codes (
      user_id ${integer} NOT NULL REFERENCES users (id),
      code_mac TEXT NOT NULL,
      PRIMARY KEY (user_id, code_mac)
    ${end}`,
    // public_key is base64url; counter is the last value the authenticator reported.
    `CREATE TABLE passkeys (
      id ${id},
      credential_id TEXT NOT NULL UNIQUE,
      user_id ${integer} NOT NULL REFERENCES users (id),
      public_key TEXT NOT NULL,
      counter ${integer} NOT NULL,
      transports TEXT NOT NULL,
      name TEXT NOT NULL,
      created_at ${integer} NOT NULL,
      used_at ${integer}
    ${end}`,
    `CREATE INDEX passkeys_user ON passkeys (user_id)`,
  ],
};
