import type { Migration } from './migration.ts';

/** Counts costs of the house whose usage the upstream did not report. Earlier ones count as reported. */
export const estimatedCosts: Migration = {
  name: '0042-estimated-costs',
  statements: ({ integer }) => [
    `ALTER TABLE house_costs ADD COLUMN estimated_calls ${integer} NOT NULL DEFAULT 0`,
  ],
};
