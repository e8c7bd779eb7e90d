import type { Migration } from './migration.ts';

/**
 * What was given of free allowances, by the day of their zone. `channel_id` is 0 where channels share one by its name, and
 * `key_id` where keys share it. `given` is in the unit; of dollars, in billionths.
 */
export const allowanceDays: Migration = {
  name: '0048-allowance-days',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE allowance_days (
      day ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      unit TEXT NOT NULL,
      name TEXT NOT NULL,
      given ${integer} NOT NULL,
      PRIMARY KEY (day, channel_id, key_id, unit, name)
    ${clustered}`,
  ],
};
