import type { Migration } from './migration.ts';

/** Counts attempts to sign in, to register and to guess codes, so that a restart does not reset them. */
export const limitCounts: Migration = {
  name: '0007-limit-counts',
  statements: ({ integer, clustered }) => [
    // key is a hash, so that typed names and addresses are not stored.
    `CREATE TABLE limit_counts (
      key TEXT PRIMARY KEY,
      count ${integer} NOT NULL,
      ends_at ${integer} NOT NULL
    ${clustered}`,
    `CREATE INDEX limit_counts_end ON limit_counts (ends_at)`,
  ],
};
