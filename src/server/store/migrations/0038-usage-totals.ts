import type { Migration } from './migration.ts';

const added = [
  'calls',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cost',
  'uncosted_calls',
  'uncosted_quota',
  'cached_tokens',
  'saved',
] as const;

/**
 * Everybody's hourly sums by one dimension for finished hours, and the list of these hours. Both are computed from the
 * hourly sums.
 */
export const usageTotals: Migration = {
  name: '0038-usage-totals',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE usage_totals (
      dimension TEXT NOT NULL,
      hour ${integer} NOT NULL,
      type ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      name_id ${integer} NOT NULL,
      ${added.map((column) => `${column} ${integer} NOT NULL`).join(', ')},
      PRIMARY KEY (dimension, hour, type, key_id, name_id)
    ${clustered}`,
    // A call written into such an hour removes its entry, in the same transaction. Until is_ready, run identifies who
    // totals it.
    `CREATE TABLE totalled_hours (
      hour ${integer} PRIMARY KEY,
      is_ready ${integer} NOT NULL,
      by_run TEXT NOT NULL
    ${clustered}`,
  ],
};
