import type { Migration } from './migration.ts';

/** The URL at which a task's caller reached this site; webhooks use it while no site address is set. */
export const taskOrigins: Migration = {
  name: '0012-task-origins',
  statements: () => [`ALTER TABLE tasks ADD COLUMN reached_at TEXT NOT NULL DEFAULT ''`],
};
