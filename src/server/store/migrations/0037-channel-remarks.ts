import type { Migration } from './migration.ts';

/** Administrators' notes about a channel; they affect nothing. */
export const channelRemarks: Migration = {
  name: '0037-channel-remarks',
  statements: () => [`ALTER TABLE channels ADD COLUMN remark TEXT NOT NULL DEFAULT ''`],
};
