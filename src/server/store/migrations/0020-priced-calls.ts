import type { Migration } from './migration.ts';

/** What a call was charged by, in a few bytes, so that millions are charged again by other prices in seconds. */
export const pricedCalls: Migration = {
  name: '0020-priced-calls',
  statements: () => [
    `ALTER TABLE logs ADD COLUMN priced TEXT`,
    // All that is read of a call: its row, which is many times as long, is not looked at.
    `CREATE INDEX logs_priced ON logs (created_at, user_id, quota, cost, priced, model_id, group_id) WHERE priced IS NOT NULL`,
  ],
};
