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

/** Everybody's hourly sums by one dimension, of hours that are over; and which hours these are. Both are made from the hourly sums. */
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
    // A call that is written into such an hour takes it out, in its own transaction. Before it is_ready, who adds it up.
    `CREATE TABLE totalled_hours (
      hour ${integer} PRIMARY KEY,
      is_ready ${integer} NOT NULL,
      by_run TEXT NOT NULL
    ${clustered}`,
  ],
};
