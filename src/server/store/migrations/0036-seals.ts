import type { Migration } from './migration.ts';

/** Published seals, the data under them, and the signing keys. */
export const seals: Migration = {
  name: '0036-seals',
  statements: ({ id, integer, end, clustered }) => [
    // line is the signed and published text. A seal covers the rows of logs and journal after those of the previous
    // seal.
    `CREATE TABLE seals (
      number ${integer} NOT NULL PRIMARY KEY,
      day TEXT NOT NULL,
      made_at ${integer} NOT NULL,
      last_log_id ${integer} NOT NULL,
      last_journal_id ${integer} NOT NULL,
      line TEXT NOT NULL,
      signature TEXT NOT NULL
    ${clustered}`,
    // The part of a user's month in a seal. Written before its seal, and valid only once that exists; path leads to the
    // seal's root.
    `CREATE TABLE seal_parts (
      user_id ${integer} NOT NULL,
      month TEXT NOT NULL,
      list TEXT NOT NULL,
      seal ${integer} NOT NULL,
      row_count ${integer} NOT NULL,
      units ${integer} NOT NULL,
      count_before ${integer} NOT NULL,
      units_before ${integer} NOT NULL,
      from_ms ${integer} NOT NULL,
      to_ms ${integer} NOT NULL,
      root TEXT NOT NULL,
      place ${integer} NOT NULL,
      size ${integer} NOT NULL,
      path TEXT NOT NULL,
      PRIMARY KEY (user_id, month, list, seal)
    ${clustered}`,
    `CREATE INDEX seal_parts_seal ON seal_parts (seal)`,
    // The private key is encrypted under the master key, as all secrets are.
    `CREATE TABLE seal_keys (
      number ${id},
      key_id TEXT NOT NULL UNIQUE,
      public_key TEXT NOT NULL,
      private_encrypted TEXT NOT NULL,
      first_seal ${integer} NOT NULL,
      made_at ${integer} NOT NULL,
      line TEXT NOT NULL,
      signature TEXT NOT NULL
    ${end}`,
  ],
};
