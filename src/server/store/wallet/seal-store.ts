import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { AppError } from '#core/error.ts';
import type { StoredSealKey, SealClaim, SealStore } from '#core/seal/seal-store.ts';
import type { ListOwner, SealedPart, SumsBefore } from '#core/seal/sealed-parts.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { waitForWriters } from '../database/wait-for-writers.ts';
import { countAfter, readCalls, readMovements, sealOf } from './sealed-rows.ts';

type Writer = Kysely<Schema>;

const CLAIM = 'seal_claim';
/** A node that makes no progress for this long has died. */
const CLAIMED_MS = 120_000;
const DROPPED_AT_ONCE = 1000;

/**
 * `value` contains who has the claim and until when. An end too far in the future was written before the clock was set
 * back, so it counts as over.
 */
const isTaken = (value: string, nowMs: number): boolean => {
  const until = Number(value.split(' ')[1] ?? 0);
  return until > nowMs && until <= nowMs + 2 * CLAIMED_MS;
};

const valuesOf = (part: SealedPart) => ({
  user_id: part.userId,
  month: part.month,
  list: part.list,
  seal: part.seal,
  row_count: part.count,
  units: part.units,
  count_before: part.before.count,
  units_before: part.before.units,
  from_ms: part.fromMs,
  to_ms: part.toMs,
  root: part.root,
  place: part.index,
  size: part.size,
  path: part.path.join(' '),
});

const replaceClaim = async (writer: Writer, from: string, to: string): Promise<boolean> => {
  const { numUpdatedRows } = await writer
    .updateTable('facts')
    .set({ value: to })
    .where('key', '=', CLAIM)
    .where('value', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

const claimOf = (writer: Writer, owner: string, first: string): SealClaim => {
  let value = first;
  /** Writes in one transaction with the check that the claim is still ours. */
  const write = (work: (transaction: Writer) => Promise<unknown>, next = value): Promise<void> =>
    writer.transaction().execute(async (transaction) => {
      if (!(await replaceClaim(transaction, value, next)))
        throw new AppError('unavailable', 'another node has begun to seal');
      await work(transaction);
      value = next;
    });
  return {
    renew: (nowMs) => write(async () => {}, `${owner} ${nowMs + CLAIMED_MS}`),
    async dropUnfinished(number) {
      for (let isMore = true; isMore;)
        await write(async (transaction) => {
          const few = await transaction
            .selectFrom('seal_parts')
            .select(['user_id', 'month', 'list'])
            .where('seal', '>=', number)
            .limit(DROPPED_AT_ONCE)
            .execute();
          isMore = few.length === DROPPED_AT_ONCE;
          if (few.length === 0) return;
          const users = few.map(({ user_id }) => user_id);
          await transaction
            .deleteFrom('seal_parts')
            .where('seal', '>=', number)
            .where('user_id', 'in', users)
            .execute();
        });
    },
    addParts: (parts) =>
      write(async (transaction) => {
        if (parts.length > 0)
          await transaction.insertInto('seal_parts').values(parts.map(valuesOf)).execute();
      }),
    addSeal: ({ number, day, madeAtMs, callId, movementId, line, signature }) =>
      write((transaction) =>
        transaction
          .insertInto('seals')
          .values({
            number,
            day,
            line,
            signature,
            made_at: madeAtMs,
            last_log_id: callId,
            last_journal_id: movementId,
          })
          .execute(),
      ),
    addKey: ({ id, publicKey, privateEncrypted, firstSeal, madeAtMs, line, signature }: StoredSealKey) =>
      write((transaction) =>
        transaction
          .insertInto('seal_keys')
          .values({
            line,
            signature,
            first_seal: firstSeal,
            key_id: id,
            public_key: publicKey,
            private_encrypted: privateEncrypted,
            made_at: madeAtMs,
          })
          .execute(),
      ),
    release: async () => {
      await replaceClaim(writer, value, '');
    },
  };
};

const claim = async (writer: Writer, nowMs: number): Promise<SealClaim | undefined> => {
  const none = { key: CLAIM, value: '' };
  await writer
    .insertInto('facts')
    .values(none)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const facts = writer.selectFrom('facts').select('value').where('key', '=', CLAIM);
  const { value: before } = await facts.executeTakeFirstOrThrow();
  if (isTaken(before, nowMs)) return undefined;
  const owner = randomUUID();
  const value = `${owner} ${nowMs + CLAIMED_MS}`;
  return (await replaceClaim(writer, before, value)) ? claimOf(writer, owner, value) : undefined;
};

const lastIds = async (writer: Writer) => {
  const { rows } = await sql<{ calls: number | null; movements: number | null }>`
    SELECT (SELECT max(id) FROM logs) AS calls, (SELECT max(id) FROM journal) AS movements`.execute(writer);
  return { callId: rows[0]?.calls ?? 0, movementId: rows[0]?.movements ?? 0 };
};

const sumsBefore = async (writer: Writer, owners: readonly ListOwner[]): Promise<SumsBefore[]> => {
  if (owners.length === 0) return [];
  const users = sql.join([...new Set(owners.map(({ userId }) => userId))]);
  const months = sql.join([...new Set(owners.map(({ month }) => month))]);
  const { rows } = await sql<
    Record<'user_id' | 'count' | 'units', number | string> & Record<'month' | 'list', string>
  >`
    SELECT p.user_id, p.month, p.list, p.count_before + p.row_count AS count, p.units_before + p.units AS units
    FROM seal_parts p JOIN (
      SELECT user_id, month, list, max(seal) AS seal FROM seal_parts
      WHERE user_id IN (${users}) AND month IN (${months}) GROUP BY user_id, month, list
    ) l ON l.user_id = p.user_id AND l.month = p.month AND l.list = p.list AND l.seal = p.seal`.execute(
    writer,
  );
  const found = new Map(
    rows.map(({ user_id, month, list, count, units }) => [
      `${user_id} ${month} ${list}`,
      { count: Number(count), units: Number(units) },
    ]),
  );
  return owners.map(
    ({ userId, month, list }) => found.get(`${userId} ${month} ${list}`) ?? { count: 0, units: 0 },
  );
};

/** Stores seals in the database. */
export const createSealStore = ({ reader, writer, engine }: Database): SealStore => ({
  claim: (nowMs) => claim(writer, nowMs),
  last: async () => {
    const row = await writer
      .selectFrom('seals')
      .selectAll()
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row && sealOf(row);
  },
  keys: async () => {
    const rows = await writer.selectFrom('seal_keys').selectAll().orderBy('number').execute();
    return rows.map((row) => ({
      id: row.key_id,
      publicKey: row.public_key,
      privateEncrypted: row.private_encrypted,
      firstSeal: row.first_seal,
      madeAtMs: row.made_at,
      line: row.line,
      signature: row.signature,
    }));
  },
  sealsAfter: async (number, limit) => {
    const query = reader.selectFrom('seals').selectAll().where('number', '>', number);
    return (await query.orderBy('number').limit(limit).execute()).map(sealOf);
  },
  writtenUpTo: async () => {
    const marks = await lastIds(writer);
    // A smaller id may be committed after a larger one, so wait for transactions that may have drawn one.
    if (engine === 'postgres') await waitForWriters(writer, ['logs', 'journal']);
    return marks;
  },
  countAfter: (marks, most) => countAfter(reader, marks, most),
  calls: ({ after, upTo }, limit) => readCalls(reader, sql`l.id > ${after} AND l.id <= ${upTo}`, limit),
  movements: ({ after, upTo }, limit) => readMovements(reader, sql`id > ${after} AND id <= ${upTo}`, limit),
  sumsBefore: (owners) => sumsBefore(writer, owners),
});
