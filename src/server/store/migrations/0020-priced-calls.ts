import type { Migration } from './migration.ts';

/** The basis of each charge in a few bytes, so that millions of calls can be priced again in seconds. */
export const pricedCalls: Migration = {
  name: '0020-priced-calls',
  statements: () => [
    `ALTER TABLE logs ADD COLUMN priced TEXT`,
    // Contains all columns that are read, so that the row itself, many times as long, is not.
    `CREATE INDEX logs_priced ON logs (created_at, user_id, quota, cost, priced, model_id, group_id) WHERE priced IS NOT NULL`,
  ],
};
