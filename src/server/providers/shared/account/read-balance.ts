import { z } from 'zod';
import type { BalanceReader } from '#core/channel/balance.ts';
import type { Channel } from '#core/channel/channel.ts';
import { baseUrlOf } from '../description/base-url.ts';

const HUNDRED_DAYS_MS = 100 * 24 * 3_600_000;
const CENTS = 100;

/** A number; some upstreams write it as text. */
export const amount = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());

/** Reads an answer with `schema`. Throws where the answer holds no balance. */
export const parseBalance = <Value>(schema: z.ZodType<Value>, body: unknown): Value => {
  const read = schema.safeParse(body);
  if (!read.success) throw new TypeError('the answer does not tell the balance');
  return read.data;
};

/** A request about the account, with the channel's key as bearer. */
export const balanceCall = (
  channel: Channel,
  path: string,
): { readonly url: string; readonly headers: Readonly<Record<string, string>> } => {
  // Operators sometimes paste an address that ends with the path of another call.
  const root = baseUrlOf(channel).replace(/\/(?:v1|beta|anthropic)$/, '');
  const key = channel.key.reveal().trim();
  return {
    url: root + path,
    headers: { accept: 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
  };
};

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const subscription = z.object({ hard_limit_usd: amount });
const usage = z.object({ total_usage: amount });

/**
 * The dashboard endpoints that OpenAI once had and gateways like this one still answer. The balance is the limit minus what
 * the last 100 days used.
 */
export const dashboardBalance: BalanceReader = {
  requests: (channel, nowMs) => {
    const from = day(nowMs - HUNDRED_DAYS_MS);
    const to = day(nowMs + 24 * 3_600_000);
    return [
      balanceCall(channel, '/v1/dashboard/billing/subscription'),
      balanceCall(channel, `/v1/dashboard/billing/usage?start_date=${from}&end_date=${to}`),
    ];
  },
  read: ([limit, used]) =>
    parseBalance(subscription, limit).hard_limit_usd - parseBalance(usage, used).total_usage / CENTS,
};
