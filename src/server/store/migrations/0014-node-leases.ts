import type { Migration } from './migration.ts';

/** Which node owns a hold, so that other nodes can close it after that node has died. */
export const nodeLeases: Migration = {
  name: '0014-node-leases',
  statements: ({ integer, clustered }) => [
    // A node increases its beats while it runs; a node that is not in the list has ended.
    `CREATE TABLE nodes (
      id ${integer} NOT NULL PRIMARY KEY,
      beats ${integer} NOT NULL
    ${clustered}`,
    // Null if there can be only one node: on SQLite.
    `ALTER TABLE holds ADD COLUMN node_id ${integer}`,
  ],
};
