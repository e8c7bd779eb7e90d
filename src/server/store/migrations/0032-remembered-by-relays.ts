import type { Migration } from './migration.ts';

/**
 * What relays know about channels and need after a restart. A seat is twice the id of a channel, or one more than twice
 * the id of a key; a piece is two hours, counted from 1970. A session's id is a keyed hash.
 */
export const rememberedByRelays: Migration = {
  name: '0032-remembered-by-relays',
  statements: ({ integer, clustered }) => [
    `CREATE TABLE seat_days (
      seat ${integer} NOT NULL,
      piece ${integer} NOT NULL,
      calls ${integer} NOT NULL,
      PRIMARY KEY (seat, piece)
    ${clustered}`,
    `CREATE INDEX seat_days_piece ON seat_days (piece)`,
    `CREATE TABLE bound_sessions (
      id TEXT PRIMARY KEY,
      user_id ${integer} NOT NULL,
      channel_id ${integer} NOT NULL,
      key_id ${integer} NOT NULL,
      model TEXT NOT NULL,
      answers ${integer} NOT NULL,
      prompt_tokens ${integer} NOT NULL,
      used_at ${integer} NOT NULL
    ${clustered}`,
    `CREATE INDEX bound_sessions_used ON bound_sessions (used_at)`,
  ],
};
