import type { Migration } from './migration.ts';

/** Where the caller of a task reached this site: what its hook is told of is found there while no address is set. */
export const taskOrigins: Migration = {
  name: '0012-task-origins',
  statements: () => [`ALTER TABLE tasks ADD COLUMN reached_at TEXT NOT NULL DEFAULT ''`],
};
