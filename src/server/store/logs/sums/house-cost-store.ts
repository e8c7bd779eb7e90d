import { type Kysely, sql } from 'kysely';
import { costBeyond } from '#core/cost/allowance-use.ts';
import type { HouseCost, HouseCostStore } from '#core/cost/house-cost-store.ts';
import { takeAllowance } from '../../channels/allowance-store.ts';
import type { Database } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { DAY_MS } from '#core/time/spans.ts';

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

const addTo = async (
  database: Kysely<Schema>,
  { channelId, kind, atMs, costNano, isEstimated = false, calls = 1 }: HouseCost,
): Promise<void> => {
  await database
    .insertInto('house_costs')
    .values({
      day: dayOf(atMs),
      channel_id: channelId,
      kind,
      calls,
      cost: costNano ?? 0,
      uncosted_calls: costNano === undefined ? calls : 0,
      estimated_calls: isEstimated && costNano !== undefined ? calls : 0,
    })
    .onConflict((conflict) =>
      conflict.columns(['day', 'channel_id', 'kind']).doUpdateSet((is) => ({
        calls: sql<number>`${is.ref('house_costs.calls')} + ${is.ref('excluded.calls')}`,
        cost: sql<number>`${is.ref('house_costs.cost')} + ${is.ref('excluded.cost')}`,
        uncosted_calls: sql<number>`${is.ref('house_costs.uncosted_calls')} + ${is.ref('excluded.uncosted_calls')}`,
        estimated_calls: sql<number>`${is.ref('house_costs.estimated_calls')} + ${is.ref('excluded.estimated_calls')}`,
      })),
    )
    .execute();
};

/** Stores house costs, one row per channel, day and kind. */
export const createHouseCostStore = ({ writer, reader }: Database): HouseCostStore => ({
  add: async (cost) => {
    const { free: use } = cost;
    if (use === undefined) return addTo(writer, cost);
    await writer.transaction().execute(async (transaction) => {
      const free = await takeAllowance(transaction, use);
      await addTo(transaction, { ...cost, costNano: costBeyond(use, cost.costNano, free) });
    });
  },
  days: async ({ fromMs, toMs }) =>
    (
      await reader
        .selectFrom('house_costs')
        .selectAll()
        .where('day', '>=', dayOf(fromMs))
        .where('day', '<=', dayOf(toMs))
        .orderBy('day')
        .orderBy('channel_id')
        .orderBy('kind')
        .execute()
    ).map(({ day, channel_id, kind, calls, cost, uncosted_calls, estimated_calls }) => ({
      dayMs: day * DAY_MS,
      channelId: channel_id,
      kind,
      calls,
      costNano: cost,
      uncosted: uncosted_calls,
      estimated: estimated_calls,
    })),
});
