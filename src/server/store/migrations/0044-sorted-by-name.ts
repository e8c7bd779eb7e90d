import type { Migration } from './migration.ts';

/** Lists by name are read in the order of these: else a page sorts all rows. Those of users have one since 0011. */
export const sortedByName: Migration = {
  name: '0044-sorted-by-name',
  statements: () => [
    `CREATE INDEX tokens_name ON tokens (user_id, lower(name)) WHERE deleted_at IS NULL`,
    `CREATE INDEX redemptions_name ON redemptions (lower(name)) WHERE deleted_at IS NULL`,
    `CREATE INDEX channels_name ON channels (name)`,
  ],
};
