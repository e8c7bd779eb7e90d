import type { Migration } from './migration.ts';

/** Issued statements: a row is written once and never changed. token_id is 0 for the whole account. */
export const statements: Migration = {
  name: '0026-statements',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE statements (
      user_id ${integer} NOT NULL,
      token_id ${integer} NOT NULL,
      month TEXT NOT NULL,
      issued_at ${integer} NOT NULL,
      sha256 TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (user_id, token_id, month)
    ${clustered}`,
  ],
};
