import { sql } from 'kysely';
import type { EvidenceStore } from '#core/evidence/evidence.ts';
import type { Database } from '../database/database.ts';

/** Fits the parameter limit of both engines. */
const ROWS_AT_ONCE = 100;
const COMPARED = ['output', 'prompt', 'hidden', 'sealed'] as const;
const JUDGED = ['named', 'cache', ...COMPARED] as const;

const sealedDays = async (reader: Database['reader'], channelId: number, fromDay: number) => {
  const rows = await reader
    .selectFrom('channel_evidence')
    .select(['day', 'model', 'detail as verdict', 'calls as questions'])
    .where('channel_id', '=', channelId)
    .where('day', '>=', fromDay)
    .where('measure', '=', 'sealed')
    .where('calls', '>', 0)
    .orderBy('day', 'desc')
    .orderBy('model')
    .orderBy('detail')
    .execute();
  return rows.map((row) => ({ ...row, questions: Number(row.questions) }));
};

/** Stores evidence, one row per channel, day, model, measure and detail. */
export const createEvidenceStore = ({ writer, reader }: Database): EvidenceStore => {
  const sums = (fromDay: number) =>
    reader
      .selectFrom('channel_evidence')
      .select(['model', 'measure', 'detail'])
      .select(({ fn }) => [fn.sum<number>('calls').as('calls'), fn.sum<number>('amount').as('amount')])
      .where('day', '>=', fromDay)
      .groupBy(['model', 'measure', 'detail'])
      .orderBy('model')
      .orderBy('measure')
      .orderBy('detail');
  const asNumbers = <Row extends { calls: unknown; amount: unknown }>(row: Row) => ({
    ...row,
    calls: Number(row.calls),
    amount: Number(row.amount),
  });
  return {
    add: async (rows) => {
      // Always in the same order, so that two nodes never deadlock.
      const sorted = rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
      for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE)
        await writer
          .insertInto('channel_evidence')
          .values(
            sorted
              .slice(at, at + ROWS_AT_ONCE)
              .map(({ channelId, ...row }) => ({ channel_id: channelId, ...row })),
          )
          .onConflict((conflict) =>
            conflict.columns(['channel_id', 'day', 'model', 'measure', 'detail']).doUpdateSet((is) => ({
              calls: sql<number>`${is.ref('channel_evidence.calls')} + ${is.ref('excluded.calls')}`,
              amount: sql<number>`${is.ref('channel_evidence.amount')} + ${is.ref('excluded.amount')}`,
            })),
          )
          .execute();
    },
    ofChannel: async (channelId, fromDay) =>
      (await sums(fromDay).where('channel_id', '=', channelId).execute()).map(asNumbers),
    sealedDays: (channelId, fromDay) => sealedDays(reader, channelId, fromDay),
    ofOthers: async (channelId, fromDay) =>
      (
        await sums(fromDay)
          .where('channel_id', '<>', channelId)
          .where('measure', 'in', COMPARED)
          .where('model', 'in', (of) =>
            of
              .selectFrom('channel_evidence as own')
              .select('own.model')
              .where('own.channel_id', '=', channelId)
              .where('own.day', '>=', fromDay),
          )
          .execute()
      ).map(asNumbers),
    ofAll: async (fromDay) =>
      (
        await sums(fromDay)
          .select('channel_id')
          .groupBy('channel_id')
          .where('measure', 'in', JUDGED)
          .execute()
      ).map(({ channel_id: channelId, ...row }) => ({ channelId, ...asNumbers(row) })),
    deleteBefore: async (day) => {
      await writer.deleteFrom('channel_evidence').where('day', '<', day).execute();
    },
  };
};

const keyOf = (row: {
  channelId: number;
  day: number;
  model: string;
  measure: string;
  detail: string;
}): string => `${String(row.channelId)} ${String(row.day)} ${row.model} ${row.measure} ${row.detail}`;
