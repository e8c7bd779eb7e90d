import type { Migration } from './migration.ts';

/**
 * What a preview of prices reads of finished hours, in packs of some thousand calls (core/price-book/call-pack.ts). A call
 * that is written into such an hour removes its entry of `totalled_hours`, and with it the mark that its packs are whole.
 */
export const packedCalls: Migration = {
  name: '0040-packed-calls',
  statements: ({ integer, end }) => [
    `CREATE TABLE packed_calls (
      hour ${integer} NOT NULL,
      part ${integer} NOT NULL,
      calls ${integer} NOT NULL,
      first_ms ${integer} NOT NULL,
      last_ms ${integer} NOT NULL,
      data TEXT NOT NULL,
      PRIMARY KEY (hour, part)
    ${end}`,
    `ALTER TABLE totalled_hours ADD COLUMN is_packed ${integer} NOT NULL DEFAULT 0`,
  ],
};
