import type { Migration } from './migration.ts';

/** Finds one caller's hours without reading everybody's. It contains no counted column, so counting stays cheap. */
export const usageByCaller: Migration = {
  name: '0009-usage-by-caller',
  statements: () => [
    `CREATE INDEX usage_hours_user ON usage_hours (user_id, hour)`,
    `CREATE INDEX usage_hours_token ON usage_hours (token_name_id, hour)`,
  ],
};
