import type { TopUpOrder, TopUpOrderStore } from '#core/wallet/top-up-order.ts';
import type { Database } from '../database/database.ts';
import type { TopUpOrderRecord } from '../database/wallet-schema.ts';

const orderOf = (row: TopUpOrderRecord): TopUpOrder => ({
  id: row.id,
  userId: row.user_id,
  tradeNo: row.trade_no,
  provider: 'epay',
  method: row.method,
  quotaUnits: row.quota,
  moneyCents: row.money_cents,
  status: row.status,
  createdAtMs: row.created_at,
  paidAtMs: row.paid_at,
});

/** Top-up orders in the database. */
export const createTopUpOrderStore = ({ writer }: Database): TopUpOrderStore => ({
  create: async (order) => {
    const row = await writer
      .insertInto('top_up_orders')
      .values({
        user_id: order.userId,
        trade_no: order.tradeNo,
        provider: order.provider,
        method: order.method,
        quota: order.quotaUnits,
        money_cents: order.moneyCents,
        status: 'pending',
        created_at: order.createdAtMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return row?.id ?? 'taken';
  },
  byTradeNo: async (tradeNo) => {
    const row = await writer
      .selectFrom('top_up_orders')
      .selectAll()
      .where('trade_no', '=', tradeNo)
      .where('provider', '=', 'epay')
      .executeTakeFirst();
    return row === undefined ? undefined : orderOf(row);
  },
});
