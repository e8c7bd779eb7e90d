import type { Migration } from './migration.ts';

/** Which clients call through which channel. */
export const sightings: Migration = {
  name: '0004-sightings',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE channel_sightings (
      channel_id ${integer} NOT NULL,
      group_name TEXT NOT NULL,
      client_type TEXT NOT NULL,
      seen_count ${integer} NOT NULL,
      first_seen_at ${integer} NOT NULL,
      last_seen_at ${integer} NOT NULL,
      PRIMARY KEY (channel_id, group_name, client_type)
    ${clustered}`,
  ],
};
