import { sql } from 'kysely';
import type { AvailabilityAsk, AvailabilityRow, AvailabilityStore } from '#core/availability/availability.ts';
import type { Database } from '../database/database.ts';

/** Fits the parameter limit of both engines. */
const ROWS_AT_ONCE = 100;

/** Stores how calls of models ended, one row per hour or day, group, model and outcome. */
export const createAvailabilityStore = ({ writer, reader }: Database): AvailabilityStore => {
  const sums = ({ stretch, fromS, groups, models }: AvailabilityAsk) =>
    reader
      .selectFrom('model_availability')
      .select(['model', 'measure', 'bucket', 'callers'])
      .select(({ fn }) => fn.sum<number>('calls').as('calls'))
      .where('stretch', '=', stretch)
      .where('start', '>=', fromS)
      .where('group_name', 'in', [...groups])
      .where('model', 'in', [...models]);
  return {
    add: async (rows) => {
      // Always in the same order, so that two nodes never deadlock.
      const sorted = rows.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
      for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE)
        await writer
          .insertInto('model_availability')
          .values(
            sorted.slice(at, at + ROWS_AT_ONCE).map(({ group, ...row }) => ({ group_name: group, ...row })),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['stretch', 'start', 'group_name', 'model', 'measure', 'bucket'])
              .doUpdateSet((is) => ({
                calls: sql<number>`${is.ref('model_availability.calls')} + ${is.ref('excluded.calls')}`,
                callers: sql<number>`${is.ref('model_availability.callers')} | ${is.ref('excluded.callers')}`,
              })),
          )
          .execute();
    },
    calls: async (ask) => {
      if (ask.groups.length === 0 || ask.models.length === 0) return [];
      const found = await sums(ask)
        .select('start')
        .where('measure', 'in', ['answered', 'failed'])
        .groupBy(['start', 'model', 'measure', 'bucket', 'callers'])
        .execute();
      return found.map((row) => ({ ...row, ...numbersOf(row), start: Number(row.start) }));
    },
    firstTokens: async (ask) => {
      if (ask.groups.length === 0 || ask.models.length === 0) return [];
      const found = await sums(ask)
        .where('measure', '=', 'first_token')
        .groupBy(['model', 'measure', 'bucket', 'callers'])
        .execute();
      return found.map((row) => ({ ...row, ...numbersOf(row), start: 0 }));
    },
    deleteBefore: async (stretch, startS) => {
      await writer
        .deleteFrom('model_availability')
        .where('stretch', '=', stretch)
        .where('start', '<', startS)
        .execute();
    },
  };
};

const numbersOf = (row: { bucket: unknown; calls: unknown; callers: unknown }) => ({
  bucket: Number(row.bucket),
  calls: Number(row.calls),
  callers: Number(row.callers),
});

const keyOf = ({ stretch, start, group, model, measure, bucket }: AvailabilityRow): string =>
  `${String(stretch)} ${String(start)} ${group}\n${model}\n${measure} ${String(bucket)}`;
