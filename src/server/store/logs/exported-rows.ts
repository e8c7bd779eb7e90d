import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { type CopiedValues, copiedRows } from '../database/postgres/copy-out.ts';
import type { FoundLog } from './log-page.ts';

/** A way to read some rows of the logs at once. */
export interface RowReading {
  /** Small, so that one page occupies neither the reading thread nor the database for long. */
  readonly rowsAtOnce: number;
  /**
   * Reads the columns `EXPORTED` of the logs, and the text of `details`. `found` is the statement from its `WHERE` on.
   */
  read(
    reader: Kysely<Schema>,
    details: RawBuilder<unknown>,
    found: RawBuilder<unknown>,
  ): Promise<readonly FoundLog[]>;
}

/** In the order of `copiedLog`. */
const EXPORTED =
  sql.raw(`id, created_at, type, user_id, username_id, token_id, token_name_id, channel_id, group_id, model_id,
  program_id, quota, prompt_tokens, completion_tokens, use_time_ms, is_stream, ip, request_id, content, cost, session, saved`);

/** Through the driver, on either engine. */
export const asObjects: RowReading = {
  rowsAtOnce: 200,
  read: async (reader, details, found) =>
    (await sql<FoundLog>`SELECT ${EXPORTED}, ${details} AS other FROM logs ${found}`.execute(reader)).rows,
};

const copiedLog = (values: CopiedValues): FoundLog => ({
  id: Number(values[0]),
  created_at: Number(values[1]),
  type: Number(values[2]),
  user_id: Number(values[3]),
  username_id: Number(values[4]),
  token_id: Number(values[5]),
  token_name_id: Number(values[6]),
  channel_id: Number(values[7]),
  group_id: Number(values[8]),
  model_id: Number(values[9]),
  program_id: Number(values[10]),
  quota: Number(values[11]),
  prompt_tokens: Number(values[12]),
  completion_tokens: Number(values[13]),
  use_time_ms: Number(values[14]),
  is_stream: Number(values[15]),
  ip: values[16] ?? '',
  request_id: values[17] ?? '',
  content: values[18] ?? '',
  cost: values[19] === null ? null : Number(values[19]),
  session: values[20] ?? null,
  saved: Number(values[21]),
  other: values[22] ?? '',
});

/**
 * On PostgreSQL, for a thread that only makes a file. More rows at once, because planning a page takes the server as long as a
 * hundred rows do.
 */
export const asCopies: RowReading = {
  rowsAtOnce: 500,
  read: async (reader, details, found) =>
    (await copiedRows(reader, sql`SELECT ${EXPORTED}, ${details} FROM logs ${found}`)).map(copiedLog),
};
