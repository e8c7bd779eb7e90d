import { sql, type Transaction } from 'kysely';
import { type AllowanceUse, freeOf } from '#core/cost/allowance-use.ts';
import type { AllowanceStore } from '#core/cost/allowance-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** Reads what was given of free allowances, and forgets old days. */
export const createAllowanceStore = ({ writer, reader }: Database): AllowanceStore => ({
  given: async (days) => {
    if (days.length === 0) return [];
    const rows = await reader
      .selectFrom('allowance_days')
      .select(['day', 'channel_id', 'unit', 'name'])
      .select(({ fn }) => fn.sum<number | string>('given').as('given'))
      .where('day', 'in', [...new Set(days.map(({ day }) => day))])
      .where('channel_id', 'in', [...new Set(days.map(({ channelId }) => channelId))])
      .where('name', 'in', [...new Set(days.map(({ name }) => name))])
      .groupBy(['day', 'channel_id', 'unit', 'name'])
      .execute();
    return days.map(({ day, channelId, unit, name }) => {
      const row = rows.find(
        (one) => one.day === day && one.channel_id === channelId && one.unit === unit && one.name === name,
      );
      return Number(row?.given ?? 0);
    });
  },
  deleteBefore: async (day) => {
    await writer.deleteFrom('allowance_days').where('day', '<', day).execute();
  },
});

/**
 * Takes a use from the rest of its day's allowance. The row of the day stays locked until the transaction ends.
 * @returns how much of the use is free
 */
export const takeAllowance = async (transaction: Transaction<Schema>, use: AllowanceUse): Promise<number> => {
  const { day, channelId, keyId, unit, name } = use;
  const key = { day, channel_id: channelId, key_id: keyId, unit, name };
  const { given } = await transaction
    .insertInto('allowance_days')
    .values({ ...key, given: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'channel_id', 'key_id', 'unit', 'name'])
        .doUpdateSet({ given: sql<number>`allowance_days.given` }),
    )
    .returning('given')
    .executeTakeFirstOrThrow();
  const free = freeOf(use, given);
  if (free > 0)
    await transaction
      .updateTable('allowance_days')
      .set({ given: given + free })
      .where(({ and }) => and(key))
      .execute();
  return free;
};
