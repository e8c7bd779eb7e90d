import { serviceNames, signInServices } from '#contract/sign-in-services.ts';
import type { Migration } from './migration.ts';

/** The services of that time. */
const FIRST_IDENTITIES: readonly string[] = [
  'github_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'oidc_id',
  'discord_id',
];

/** A step for each sign-in service that came later: its column. One person there is one account here, deleted ones included. */
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

/** Who people are elsewhere, how else they prove it, and what inviting others earned them. */
export const identities: Migration = {
  name: '0006-identities',
  statements: ({ id, integer, end }) => [
    `ALTER TABLE users ADD COLUMN oidc_id TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE users ADD COLUMN discord_id TEXT NOT NULL DEFAULT ''`,
    // One person elsewhere is one account here, deleted ones included.
    ...FIRST_IDENTITIES.map(
      (column) => `CREATE UNIQUE INDEX users_${column} ON users (${column}) WHERE ${column} <> ''`,
    ),
    // When the owner was last warned of a low balance: one warning in two hours, whichever node looks.
    `ALTER TABLE users ADD COLUMN quota_warned_at ${integer} NOT NULL DEFAULT 0`,
    // Change of invite earnings, beside the change of quota in delta. Earned is positive, transferred negative.
    `ALTER TABLE journal ADD COLUMN earned ${integer} NOT NULL DEFAULT 0`,
    // Until when the session's owner need not prove again who it is.
    `ALTER TABLE sessions ADD COLUMN fresh_until ${integer} NOT NULL DEFAULT 0`,
    // What is good once and not for long: codes sent by mail, sign-ins under way, widget answers already used.
    // value holds what belongs to it, tries how often it was tried in vain.
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
    // last_step is the time step of the newest code accepted: each works once. confirmed_at is null until the first.
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
    // public_key in base64url; counter as the authenticator last told it.
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
