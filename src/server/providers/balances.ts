import { z } from 'zod';
import type { BalanceReader } from '#core/channel/balance.ts';
import type { Channel } from '#core/channel/channel.ts';
import { baseUrlOf, bearer } from './openai-layout.ts';

const HUNDRED_DAYS_MS = 100 * 24 * 3_600_000;
const CENTS = 100;

/** Numbers that some upstreams write as text. */
const amount = z.union([z.number(), z.string().trim().min(1).transform(Number)]).pipe(z.number());

const parse = <Value>(schema: z.ZodType<Value>, body: unknown): Value => {
  const read = schema.safeParse(body);
  if (!read.success) throw new TypeError('the answer does not tell the balance');
  return read.data;
};

const get = (channel: Channel, path: string) => {
  // People paste addresses with what the other calls have behind them.
  const root = baseUrlOf(channel).replace(/\/(?:v1|beta|anthropic)$/, '');
  return { url: root + path, headers: { accept: 'application/json', ...bearer(channel) } };
};

/** A custom channel's address is that of its chat; the dashboard is beside it. */
const origin = (channel: Channel): Channel => ({ ...channel, baseUrl: new URL(channel.baseUrl).origin });

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const subscription = z.object({ hard_limit_usd: amount });
const usage = z.object({ total_usage: amount });

/** The dashboard calls OpenAI once had, and gateways of this family still answer: limit less what 100 days used. */
const openai: BalanceReader = {
  requests: (channel, nowMs) => {
    const from = day(nowMs - HUNDRED_DAYS_MS);
    const to = day(nowMs + 24 * 3_600_000);
    return [
      get(channel, '/v1/dashboard/billing/subscription'),
      get(channel, `/v1/dashboard/billing/usage?start_date=${from}&end_date=${to}`),
    ];
  },
  read: ([limit, used]) => parse(subscription, limit).hard_limit_usd - parse(usage, used).total_usage / CENTS,
};

const custom: BalanceReader = {
  requests: (channel, nowMs) => openai.requests(origin(channel), nowMs),
  read: openai.read,
};

const deepseekBalance = z.object({
  balance_infos: z.array(z.object({ currency: z.string(), total_balance: amount })).min(1),
});

/** Source: DeepSeek API, `GET /user/balance`. One entry a currency. */
const deepseek: BalanceReader = {
  requests: (channel) => [get(channel, '/user/balance')],
  read: ([body], yuanPerUsd) =>
    parse(deepseekBalance, body).balance_infos.reduce(
      (sum, info) => sum + (info.currency === 'CNY' ? info.total_balance / yuanPerUsd : info.total_balance),
      0,
    ),
};

const moonshotBalance = z.object({ data: z.object({ available_balance: amount }) });

/** Source: Moonshot API, `GET /v1/users/me/balance`, in yuan, and in dollars at its address for abroad. */
const moonshot: BalanceReader = {
  requests: (channel) => [get(channel, '/v1/users/me/balance')],
  read: ([body], yuanPerUsd, channel) => {
    const { available_balance: available } = parse(moonshotBalance, body).data;
    return new URL(baseUrlOf(channel)).hostname.endsWith('.ai') ? available : available / yuanPerUsd;
  },
};

const siliconBalance = z.object({ data: z.object({ totalBalance: amount }) });

/** Source: SiliconFlow API, `GET /v1/user/info`, in yuan, and in dollars at its address for abroad. */
const siliconcloud: BalanceReader = {
  requests: (channel) => [get(channel, '/v1/user/info')],
  read: ([body], yuanPerUsd, channel) => {
    const { totalBalance } = parse(siliconBalance, body).data;
    return new URL(baseUrlOf(channel)).hostname.endsWith('.com') ? totalBalance : totalBalance / yuanPerUsd;
  },
};

const openrouterCredits = z.object({ data: z.object({ total_credits: amount, total_usage: amount }) });

/** Source: OpenRouter API, `GET /api/v1/credits`. */
const openrouter: BalanceReader = {
  requests: (channel) => [get(channel, '/v1/credits')],
  read: ([body]) => {
    const { data } = parse(openrouterCredits, body);
    return data.total_credits - data.total_usage;
  },
};

const vercelCredits = z.object({ balance: amount });

/** Source: vercel.com/docs/ai-gateway, `GET /v1/credits`. */
const vercelGateway: BalanceReader = {
  requests: (channel) => [get(channel, '/v1/credits')],
  read: ([body]) => parse(vercelCredits, body).balance,
};

const readers: ReadonlyMap<number, BalanceReader> = new Map([
  [1, openai],
  [8, custom],
  [20, openrouter],
  [25, moonshot],
  [40, siliconcloud],
  [43, deepseek],
  [107, vercelGateway],
  [108, openai],
]);

/** How the balance of a channel type is asked for; undefined where it cannot be. */
export const balanceOf = (type: number): BalanceReader | undefined => readers.get(type);
