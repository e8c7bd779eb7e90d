import type { Migration } from './migration.ts';

/** Attempts to sign in, to register and to guess codes, so that a restart gives nobody new ones. */
export const limitCounts: Migration = {
  name: '0007-limit-counts',
  statements: ({ integer, clustered }) => [
    // key is a hash: what people type as their name, and where they are, is not kept.
    `CREATE TABLE limit_counts (
      key TEXT PRIMARY KEY,
      count ${integer} NOT NULL,
      ends_at ${integer} NOT NULL
    ${clustered}`,
    `CREATE INDEX limit_counts_end ON limit_counts (ends_at)`,
  ],
};
