import type { Migration } from './migration.ts';

/** Which node holds what, so that the others can close it once that node is gone. */
export const nodeLeases: Migration = {
  name: '0014-node-leases',
  statements: ({ integer, clustered }) => [
    // A node counts its beats up for as long as it lives; whoever is no longer in the list has ended.
    `CREATE TABLE nodes (
      id ${integer} NOT NULL PRIMARY KEY,
      beats ${integer} NOT NULL
    ${clustered}`,
    // Null where only one node can be: on SQLite.
    `ALTER TABLE holds ADD COLUMN node_id ${integer}`,
  ],
};
