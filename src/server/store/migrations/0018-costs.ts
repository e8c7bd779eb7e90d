import type { Migration } from './migration.ts';

/**
 * What calls cost the operator, in billionths of a US dollar. An unknown cost is null, or counted separately, but never
 * 0.
 */
export const costs: Migration = {
  name: '0018-costs',
  statements: ({ integer, clustered }) => [
    `ALTER TABLE logs ADD COLUMN cost ${integer} CHECK (cost >= 0)`,
    // Per hour: the known cost, and the calls of unknown cost with what was charged for them.
    `ALTER TABLE usage_hours ADD COLUMN cost ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN uncosted_calls ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE usage_hours ADD COLUMN uncosted_quota ${integer} NOT NULL DEFAULT 0`,
    `UPDATE usage_hours SET uncosted_calls = calls, uncosted_quota = quota WHERE type = 2`,
    // Costs nobody is charged for: failed attempts, tests, lost races. Days are counted from 1970.
    `CREATE TABLE house_costs (
      day ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      kind TEXT NOT NULL,
      calls ${integer} NOT NULL,
      cost ${integer} NOT NULL,
      uncosted_calls ${integer} NOT NULL,
      PRIMARY KEY (day, channel_id, kind)
    ${clustered}`,
  ],
};
