import type { Migration } from './migration.ts';

/** Costs of the house whose usage no upstream told. Those of before are counted as told. */
export const estimatedCosts: Migration = {
  name: '0042-estimated-costs',
  statements: ({ integer }) => [
    `ALTER TABLE house_costs ADD COLUMN estimated_calls ${integer} NOT NULL DEFAULT 0`,
  ],
};
