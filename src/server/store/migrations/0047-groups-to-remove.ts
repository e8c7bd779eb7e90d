import type { Migration } from './migration.ts';

/** The groups in use that whoever scheduled a draft has agreed to remove: a JSON list of names. */
export const groupsToRemove: Migration = {
  name: '0047-groups-to-remove',
  statements: () => [`ALTER TABLE price_drafts ADD COLUMN may_remove TEXT NOT NULL DEFAULT '[]'`],
};
