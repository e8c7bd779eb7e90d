import { hash } from 'node:crypto';
import { logType } from '#contract/codes.ts';
import type { AvailabilityRow } from '#core/availability/availability.ts';
import { AvailabilitySums } from '#core/availability/availability-sums.ts';
import { keyName, type PoolKey } from '#core/channel/keys/pool.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { LeftOutReason } from '#core/channel/selection/select.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Random } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import { pricedOf } from '#core/price-book/priced-call.ts';
import { costOf, costSourcesOf } from '#core/cost/cost.ts';
import { receiptOfAll } from '#core/quota/price-steps.ts';
import { portionsOf, quotaAt } from '#core/quota/price-variants.ts';
import type { Service } from '#core/quota/served-terms.ts';
import { QUOTA_PER_UNIT, NANO_PER_USD } from '#contract/limits.ts';
import { type Price, priceOf } from '#core/quota/price.ts';
import { savedByCaches } from '#core/quota/saved-by-caches.ts';
import type { User } from '#core/user/user.ts';
import type { DemoCall } from './demo-traffic.ts';
import type { OpenToken } from '../control/people/tokens.ts';

const HOLD_MS = 60_000;

export interface DemoCallDeps {
  readonly ledger: Pick<Ledger, 'hold' | 'settle' | 'void'>;
  readonly routing: () => Routing;
  readonly random: Random;
}

/** The user and token that make the calls. */
export interface Spender {
  readonly owner: User;
  readonly token: OpenToken;
}

const knownPrices = new WeakMap<Routing, Map<string, Price>>();

/** The price of a model for a group, computed once per routing: a demo has thousands of calls, and a dozen prices. */
const priceFor = (routing: Routing, model: string, group: string): Price => {
  const prices = knownPrices.get(routing) ?? new Map<string, Price>();
  knownPrices.set(routing, prices);
  const name = `${group} ${model}`;
  const price = prices.get(name) ?? priceOf(routing, model, group, group);
  prices.set(name, price);
  return price;
};

/** A call that is held, settled and logged at an invented time. */
export const writeCall = async (
  deps: DemoCallDeps,
  call: DemoCall,
  spender: Spender | undefined,
): Promise<void> => {
  if (spender === undefined) return;
  const { owner, token } = spender;
  const price = priceFor(deps.routing(), call.model, owner.group);
  const service = serviceOf(call);
  const quotaUnits = quotaAt(price, call.usage, service) ?? 0;
  const id = `demo-${deps.random.alphanumeric(20)}`;
  const doneMs = call.atMs + call.useTimeMs;
  const held = await deps.ledger.hold({
    id,
    userId: owner.id,
    tokenId: token.id,
    quotaUnits: quotaUnits * 2,
    nowMs: call.atMs,
    expiresAtMs: doneMs + HOLD_MS,
  });
  if (held !== 'held') return;
  if (call.outcome === 'failed') {
    await deps.ledger.void(id, doneMs, failedLog(callLog(call, spender, id)));
    return;
  }
  const log = answeredLog(deps, call, callLog(call, spender, id), { price, quotaUnits });
  await deps.ledger.settle({ id, quotaUnits, nowMs: doneMs, log, writeLog: true });
};

/** The counts of the availability page for these calls. */
export const availabilityOf = (
  calls: readonly DemoCall[],
  spenders: readonly Spender[],
): AvailabilityRow[] => {
  const sums = new AvailabilitySums();
  for (const call of calls) {
    const { owner } = spenders[call.tokenIndex] ?? {};
    if (owner === undefined) continue;
    const failure = call.outcome === 'failed' ? new AppError('upstream_failed', 'demo') : undefined;
    const firstTokenMs = call.isStream && failure === undefined ? call.firstByteMs : undefined;
    const { atMs, model } = call;
    sums.add({ atMs, userId: owner.id, group: owner.group, model, failure, firstTokenMs });
  }
  return sums.rows();
};

/** When a call was read and held, and how long its first attempt took if it failed. */
const STAGES = { read: 2, hold: 7 };
const FAILED_ATTEMPT = {
  channel: 1,
  status: 503,
  ms: 120,
  at: 8,
  connect: 24,
  head: 119,
  error: 'upstream overloaded',
};

const PROGRAMS = ['Claude Code', 'Codex', 'OpenAI SDK for Python', 'Cherry Studio', 'opencode'] as const;

const callLog = (call: DemoCall, { owner, token }: Spender, requestId: string) => ({
  requestId,
  createdAtMs: call.atMs,
  userId: owner.id,
  username: owner.username,
  tokenId: token.id,
  tokenName: token.name,
  group: owner.group,
  model: call.model,
  program: PROGRAMS[(token.id + call.model.length) % PROGRAMS.length],
  isStream: call.isStream,
  ip: '127.0.0.1',
});

const serviceOf = ({ tier }: DemoCall): Service =>
  tier === undefined ? {} : { sent: { tier }, served: { tier } };

const costOfCall = ({ routing }: DemoCallDeps, call: DemoCall, channelId: number) => {
  const now = routing();
  const { model, usage, atMs } = call;
  const bought = { model, usage, service: serviceOf(call), times: 1, atMs };
  return costOf(now.channels.get(channelId)?.setting.cost, costSourcesOf(now), bought);
};

const SESSION_MS = 3_600_000;

/** The calls of a token to a model within an hour are one session; its id looks like a real hash. */
const sessionOf = ({ usage, model, atMs }: DemoCall, tokenId: number): string | undefined =>
  usage.cacheReadTokens === 0
    ? undefined
    : hash(
        'sha256',
        `${String(Math.floor(atMs / SESSION_MS))} ${String(tokenId)} ${model}`,
        'base64url',
      ).slice(0, 22);

const failedLog = (common: ReturnType<typeof callLog>): CallLog => ({
  ...common,
  type: logType.error,
  channelId: 2,
  usage: noUsage,
  quotaUnits: 0,
  useTimeMs: 260,
  content: 'upstream overloaded',
  other: JSON.stringify({
    error_type: 'server_error',
    error_code: 'upstream_failed',
    status_code: 503,
    admin_info: {
      use_channel: ['1', '2'],
      attempts: [FAILED_ATTEMPT, { ...FAILED_ATTEMPT, channel: 2, at: 129 }],
      decision: decisionOf(common.group, 2, 'tried'),
      stages: STAGES,
    },
  }),
});

/** Why the call went to this one of the first two channels: the other was tried or not drawn, the backup comes after both. */
const decisionOf = (group: string, channelId: 1 | 2, other: LeftOutReason) => ({
  group,
  left_out: [
    [3 - channelId, other],
    [3, 'lower_priority' satisfies LeftOutReason],
  ],
});

/** Any key of the channel except the last, which is for emergencies. */
const keyFor = ({ routing, random }: DemoCallDeps, channelId: number): PoolKey | undefined => {
  const pool = routing().channels.get(channelId)?.pool ?? [];
  return pool[Math.floor(random.unit() * (pool.length - 1))];
};

const answeredLog = (
  deps: DemoCallDeps,
  call: DemoCall,
  common: ReturnType<typeof callLog>,
  { price, quotaUnits }: { readonly price: Price; readonly quotaUnits: number },
): CallLog => {
  const isRetried = call.outcome === 'retried';
  const channelId = isRetried || deps.random.unit() > 0.75 ? 2 : 1;
  const at = isRetried ? 129 : 8;
  const ms = call.firstByteMs - at;
  const key = keyFor(deps, channelId);
  const answered = {
    channel: channelId,
    ...(key && { key: keyName(key) }),
    status: 200,
    ms,
    at,
    connect: 1,
    head: Math.round(ms * 0.7),
  };
  const { factors } = price;
  const service = serviceOf(call);
  const costNano = costOfCall(deps, call, channelId);
  const isLoss = costNano !== undefined && costNano > (quotaUnits / QUOTA_PER_UNIT) * NANO_PER_USD;
  return {
    ...common,
    type: logType.consume,
    channelId,
    keyId: key?.id,
    usage: call.usage,
    quotaUnits,
    costNano,
    savedUnits: savedByCaches(
      call.usage,
      quotaUnits,
      (usage) => quotaAt(price, usage, service) ?? quotaUnits,
    ),
    session: sessionOf(call, common.tokenId),
    priced: pricedOf(price, { usage: call.usage, userGroup: common.group, times: 1, service }),
    useTimeMs: call.useTimeMs,
    content: '',
    other: JSON.stringify({
      model_ratio: factors.modelRatio,
      completion_ratio: factors.completionRatio,
      model_price: factors.modelPrice,
      group_ratio: factors.groupRatio,
      user_group_ratio: factors.userGroupRatio,
      cache_tokens: call.usage.cacheReadTokens,
      cache_ratio: factors.cacheRatio,
      price_source: factors.source,
      ...receiptOfAll(portionsOf(price, call.usage, service)),
      ...(call.tier !== undefined && { service }),
      price_version: deps.routing().priceVersion,
      usage: call.usage,
      frt: call.firstByteMs,
      admin_info: {
        use_channel: isRetried ? ['1', '2'] : [String(channelId)],
        attempts: isRetried ? [FAILED_ATTEMPT, answered] : [answered],
        decision: decisionOf(common.group, channelId, isRetried ? 'tried' : 'not_drawn'),
        stages: { ...STAGES, last: call.useTimeMs - 1 },
        ...(isLoss && { below_cost: true }),
      },
    }),
  };
};
