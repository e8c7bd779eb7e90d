import type { Migration } from './migration.ts';

/**
 * The keys of channels that have several. A channel with a single key has no row here and stores it in its own row.
 * Every change of a key increases its channel's keys_version, which is 0 while the channel has a single key, and
 * becomes the key's revision.
 */
export const channelKeys: Migration = {
  name: '0022-channel-keys',
  statements: ({ id, integer, end }) => [
    `ALTER TABLE channels ADD COLUMN pool_mode TEXT NOT NULL DEFAULT 'in_turn'`,
    `ALTER TABLE channels ADD COLUMN keys_version ${integer} NOT NULL DEFAULT 0`,
    `CREATE TABLE channel_keys (
      id ${id},
      channel_id ${integer} NOT NULL,
      label TEXT NOT NULL,
      tail TEXT NOT NULL,
      key_encrypted TEXT NOT NULL,
      key_mac TEXT NOT NULL,
      status TEXT NOT NULL,
      reason TEXT NOT NULL,
      until_ms ${integer} NOT NULL,
      rounds ${integer} NOT NULL,
      proxy TEXT NOT NULL,
      proxy_password TEXT NOT NULL,
      weight ${integer} NOT NULL,
      limits TEXT NOT NULL,
      revision ${integer} NOT NULL,
      used_quota ${integer} NOT NULL DEFAULT 0 CHECK (used_quota >= 0),
      created_at ${integer} NOT NULL,
      changed_at ${integer} NOT NULL,
      tested_at ${integer} NOT NULL DEFAULT 0,
      UNIQUE (channel_id, key_mac)
    ${end}`,
    `CREATE INDEX channel_keys_mac ON channel_keys (key_mac)`,
    // The key that created a task or background response, which must be polled with the same key.
    `ALTER TABLE tasks ADD COLUMN key_id ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE background_responses ADD COLUMN key_id ${integer} NOT NULL DEFAULT 0`,
  ],
};
