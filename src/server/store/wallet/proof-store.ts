import { type Kysely, sql } from 'kysely';
import { logType } from '#contract/codes.ts';
import type { PartWithSpan, ProofStore } from '#core/seal/seal-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import type { SealPartRecord } from '../database/seal-schema.ts';
import { CLEARED_BEFORE } from '../logs/log-clearing-store.ts';
import { readCalls, readMovements, sealOf } from './sealed-rows.ts';

/** How many ids are read at once; each is a separate row. */
const IDS_AT_ONCE = 5000;

interface Bounds {
  readonly log_after: number | null;
  readonly journal_after: number | null;
  readonly log_up_to: number;
  readonly journal_up_to: number;
}

const partOf = (row: SealPartRecord & Bounds): PartWithSpan => ({
  userId: row.user_id,
  month: row.month,
  list: row.list,
  seal: row.seal,
  count: row.row_count,
  units: row.units,
  before: { count: row.count_before, units: row.units_before },
  fromMs: row.from_ms,
  toMs: row.to_ms,
  root: row.root,
  index: row.place,
  size: row.size,
  path: row.path === '' ? [] : row.path.split(' '),
  span:
    row.list === 'calls'
      ? { after: row.log_after ?? 0, upTo: row.log_up_to }
      : { after: row.journal_after ?? 0, upTo: row.journal_up_to },
});

/**
 * Reads only the index of the logs, which contains the user but is ordered by time. SQLite looks up a single lower limit:
 * with that of the part, each page would pass all rows of those before it.
 */
const callIds = async (reader: Kysely<Schema>, part: PartWithSpan): Promise<number[]> => {
  const ids: number[] = [];
  for (let last = { created_at: part.fromMs, id: 0 }; ;) {
    const { rows } = await sql<{ created_at: number; id: number }>`
      SELECT created_at, id FROM logs
      WHERE created_at >= ${last.created_at} AND created_at <= ${part.toMs} AND (created_at > ${last.created_at} OR id > ${last.id})
        AND type = ${logType.consume} AND user_id = ${part.userId} AND +id > ${part.span.after} AND +id <= ${part.span.upTo}
      ORDER BY created_at, id LIMIT ${IDS_AT_ONCE}`.execute(reader);
    for (const { id } of rows) ids.push(id);
    const next = rows.at(-1);
    if (next === undefined || rows.length < IDS_AT_ONCE) return ids.sort((one, other) => one - other);
    last = next;
  }
};

const movementIds = async (reader: Kysely<Schema>, part: PartWithSpan): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM journal WHERE user_id = ${part.userId} AND id > ${part.span.after} AND id <= ${part.span.upTo}
      AND created_at >= ${part.fromMs} AND created_at <= ${part.toMs} AND delta <> 0
    ORDER BY id`.execute(reader);
  return rows.map(({ id }) => id);
};

/** What is sealed, read again from the database. */
export const createProofStore = ({ reader }: Database): ProofStore => ({
  callOfRequest: async (requestId, userId) => {
    const owned = userId === undefined ? sql`` : sql`AND l.user_id = ${userId}`;
    // Read from the hold, so that the logs need no index for it.
    const condition = sql`l.id = (SELECT log_id FROM holds WHERE holds.id = ${requestId}) ${owned}`;
    return (await readCalls(reader, condition, 1))[0];
  },
  sealOfCall: async (callId) => {
    const row = await reader
      .selectFrom('seals')
      .selectAll()
      .where('last_log_id', '>=', callId)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst();
    return row && sealOf(row);
  },
  partsOf: async (userId, month) => {
    const { rows } = await sql<SealPartRecord & Bounds>`
      SELECT p.*, s.last_log_id AS log_up_to, s.last_journal_id AS journal_up_to, b.last_log_id AS log_after,
        b.last_journal_id AS journal_after
      FROM seal_parts p JOIN seals s ON s.number = p.seal LEFT JOIN seals b ON b.number = p.seal - 1
      WHERE p.user_id = ${userId} AND p.month = ${month} ORDER BY p.list, p.seal`.execute(reader);
    return rows.map(partOf);
  },
  idsOf: (part) => (part.list === 'calls' ? callIds(reader, part) : movementIds(reader, part)),
  callsById: (ids) =>
    ids.length === 0 ? Promise.resolve([]) : readCalls(reader, sql`l.id IN (${sql.join(ids)})`, ids.length),
  movementsById: (ids) =>
    ids.length === 0 ? Promise.resolve([]) : readMovements(reader, sql`id IN (${sql.join(ids)})`, ids.length),
  clearedBeforeMs: async () => {
    const facts = reader.selectFrom('facts').select('value').where('key', '=', CLEARED_BEFORE);
    return Number((await facts.executeTakeFirst())?.value ?? 0);
  },
});
