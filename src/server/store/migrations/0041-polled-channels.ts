import type { Migration } from './migration.ts';

/** Open tasks are read in pages, by channel, by platform, and those without an id of their upstream. */
export const polledChannels: Migration = {
  name: '0041-polled-channels',
  statements: ({ integer, clustered }) => [
    // Which node asks a channel about its tasks right now. A row whose node is not in the list of nodes counts for nothing.
    `CREATE TABLE polled_channels (
      channel_id ${integer} NOT NULL PRIMARY KEY,
      node_id ${integer} NOT NULL
    ${clustered}`,
    `DROP INDEX tasks_open`,
    `CREATE INDEX tasks_open_channel ON tasks (channel_id, id) WHERE status NOT IN ('SUCCESS', 'FAILURE')`,
    `CREATE INDEX tasks_open_platform ON tasks (platform, id) WHERE status NOT IN ('SUCCESS', 'FAILURE')`,
    `CREATE INDEX tasks_unsubmitted ON tasks (id) WHERE status NOT IN ('SUCCESS', 'FAILURE') AND upstream_id = ''`,
  ],
};
