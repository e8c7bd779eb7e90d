import type { Migration } from './migration.ts';

/** What administrators write down about a channel; nothing is decided by it. */
export const channelRemarks: Migration = {
  name: '0037-channel-remarks',
  statements: () => [`ALTER TABLE channels ADD COLUMN remark TEXT NOT NULL DEFAULT ''`],
};
