import type { SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import type { Database } from '../database/database.ts';

const AT_ONCE = 300;

/**
 * Stores the calls of channels and keys per period of a day. Adds them in one statement, so that no node's counts are
 * lost.
 */
export const createSeatDayStore = ({ writer }: Pick<Database, 'writer'>): SeatDayStore => ({
  async add(calls) {
    for (let at = 0; at < calls.length; at += AT_ONCE)
      await writer
        .insertInto('seat_days')
        .values(
          calls
            .slice(at, at + AT_ONCE)
            .map(({ seat, piece, calls: count }) => ({ seat, piece, calls: count })),
        )
        .onConflict((conflict) =>
          conflict.columns(['seat', 'piece']).doUpdateSet(({ eb, ref }) => ({
            calls: eb(ref('seat_days.calls'), '+', ref('excluded.calls')),
          })),
        )
        .execute();
  },
  since: (piece) => writer.selectFrom('seat_days').selectAll().where('piece', '>=', piece).execute(),
  async deleteBefore(piece) {
    await writer.deleteFrom('seat_days').where('piece', '<', piece).execute();
  },
});
