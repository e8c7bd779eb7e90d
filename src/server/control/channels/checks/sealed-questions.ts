import { NANO_PER_USD } from '#contract/limits.ts';
import type { ChannelCost } from '#contract/channel/channel-cost.ts';
import { channelStatus, role } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { ChannelTestReport, TestChannel } from '#core/channel/channel-test.ts';
import { seatOf } from '#core/channel/seats/seat.ts';
import type { Routing } from '#core/channel/routing.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Clock, Random } from '#core/clock.ts';
import { costOfUse } from '#core/cost/allowance.ts';
import type { Bought } from '#core/cost/bought.ts';
import { costOf, costSourcesOf } from '#core/cost/cost.ts';
import type { HouseCostStore } from '#core/cost/house-cost-store.ts';
import type { CountStore } from '#core/limits/count-store.ts';
import { AppError } from '#core/error.ts';
import { type EvidenceRow, type EvidenceStore, NEVER_SENT } from '#core/evidence/evidence.ts';
import { servesNamed } from '#core/evidence/same-model.ts';
import {
  MOST_SEALED_TOKENS,
  type SealedQuestion,
  sealedQuestion,
  sealedResult,
} from '#core/evidence/sealed-question.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { DAY_MS } from '#core/time/spans.ts';

export interface SealedDeps {
  readonly routing: () => Routing;
  readonly testChannel: TestChannel;
  readonly evidence: Pick<EvidenceStore, 'ofAll' | 'add'>;
  readonly houseCosts: Pick<HouseCostStore, 'add'>;
  readonly counts: Pick<CountStore, 'count'>;
  readonly users: Pick<UserStore, 'ofRole'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
}

/** How often to check whether a question is due. */
export const SEALED_EVERY_MS = 60_000;
const MINUTES_A_DAY = 1440;
/** Only models called lately are asked: an upstream would recognize a question to a model that nobody uses. */
const USED_DAYS = 7;
/** The assumed cost of a question if neither costs nor list prices are known. */
const UNKNOWN_NANO = 0.01 * NANO_PER_USD;

/** An upstream to ask: a channel with one of its keys, and a model that callers use there. */
interface Target {
  readonly seat: Channel;
  readonly model: string;
}

/**
 * Asks upstreams short questions with known answers, at random times, within the operator's daily budget. They are sent
 * like calls. The house pays for them, and their results go to the evidence.
 */
export const createSealedQuestions = (deps: SealedDeps) => ({
  /** May ask one question. Call it every minute. Among several nodes, only one asks. */
  async run(): Promise<void> {
    const { clock, random, routing } = deps;
    const budgetNano = routing().options['evidence_setting.sealed_usd_a_day'] * NANO_PER_USD;
    if (budgetNano === 0) return;
    const nowMs = clock.now();
    const target = await drawTarget(deps, nowMs);
    if (target === undefined) return;
    const mostNano = mostCost(routing(), target, nowMs);
    // Spread over the day, at a rate that the budget allows for.
    const chance = Math.min(1, budgetNano / mostNano / MINUTES_A_DAY);
    if (random.unit() >= chance || (await spentNano(deps, nowMs)) + mostNano > budgetNano) return;
    const slot = Math.floor(nowMs / SEALED_EVERY_MS);
    const { count } = await deps.counts.count(`sealed ${String(slot)}`, 2 * SEALED_EVERY_MS, nowMs);
    if (count > 1) return;
    const reserved = reservation(target, nowMs, mostNano);
    await deps.evidence.add([reserved]);
    // Read after writing: if two nodes reserve at once, at least one of them sees both.
    if ((await spentNano(deps, nowMs)) > budgetNano) return deps.evidence.add([givenBack(reserved)]);
    await ask(deps, target, reserved);
  },
});

/**
 * Books the most that a question can cost before it is asked: an answer may take minutes, in which others become due.
 * If the process dies, the booking stays.
 */
const reservation = ({ seat, model }: Target, atMs: number, mostNano: number): EvidenceRow => ({
  channelId: seat.id,
  model,
  day: Math.floor(atMs / DAY_MS),
  measure: 'sealed',
  detail: 'reserved',
  calls: 0,
  amount: Math.ceil(mostNano),
});

const givenBack = (reserved: EvidenceRow): EvidenceRow => ({ ...reserved, amount: -reserved.amount });

/** Draws one of the channels and models called lately, each with the same probability. */
const drawTarget = async ({ routing, evidence, random }: SealedDeps, nowMs: number) => {
  const { channels } = routing();
  const used = await evidence.ofAll(Math.floor(nowMs / DAY_MS) - USED_DAYS + 1);
  const pairs = new Map<string, Target>();
  for (const { channelId, model, measure } of used) {
    // Evidence of sealed questions alone does not mean that callers use it.
    if (measure === 'sealed' || measure === 'cache') continue;
    const channel = channels.get(channelId);
    if (channel?.status !== channelStatus.enabled || !channel.models.includes(model)) continue;
    const open = channel.pool.filter(({ state }) => state.status === 'enabled');
    if (channel.pool.length > 0 && open.length === 0) continue;
    const key = open[Math.floor(random.unit() * open.length)];
    const seat = key === undefined ? channel : seatOf(channel, key);
    pairs.set(`${String(channelId)} ${model}`, { seat, model });
  }
  return [...pairs.values()][Math.floor(random.unit() * pairs.size)];
};

const ask = async (deps: SealedDeps, { seat, model }: Target, reserved: EvidenceRow): Promise<void> => {
  const { clock, random } = deps;
  const [actor] = await deps.users.ofRole(role.root);
  if (actor === undefined) return;
  const question = sealedQuestion(random);
  const atMs = clock.now();
  const report = await deps.testChannel({
    requestId: random.alphanumeric(24),
    actor,
    channel: seat,
    isSaved: true,
    operation: 'chat',
    model,
    stream: question.stream,
    body: { messages: question.messages, max_tokens: question.maxTokens },
  });
  const routing = deps.routing();
  const { used = noUsage, outcome } = report;
  const bought = { model: report.upstreamModel || model, usage: used, atMs };
  const cost = costOfUse(seat, costSourcesOf(routing), { ...bought, service: {}, times: 1 });
  if (report.used !== undefined)
    await deps.houseCosts.add({ channelId: seat.id, kind: 'sealed', atMs, ...cost });
  // An answer without usage counts as the most it can have cost.
  const known = report.used === undefined ? undefined : (cost.costNano ?? costAt(routing, LISTED, bought));
  const result = outcome instanceof AppError ? undefined : resultOf(question, report, model);
  const row = { ...reserved, calls: 1 };
  const verdict = result?.verdict ?? 'unclear';
  const rows: EvidenceRow[] = [
    { ...row, detail: verdict, amount: Math.round(known ?? reserved.amount) },
    givenBack(reserved),
  ];
  if (result?.isCacheFalse === true)
    rows.push({ ...row, measure: 'cache', detail: NEVER_SENT, amount: used.cacheReadTokens });
  await deps.evidence.add(rows);
};

const resultOf = (question: SealedQuestion, report: ChannelTestReport, model: string) => {
  const { exchanges, used } = report;
  const { reply = '', replyBytes = 0 } = exchanges.at(-1) ?? {};
  const result = sealedResult(question, reply, used);
  const isCut = Buffer.byteLength(reply) < replyBytes;
  // If the answer was cut off, the right word may be in the missing rest.
  if (isCut && result?.verdict === 'wrong') return undefined;
  // The operator may map a model to another one, whose answers must not be judged as those of the model.
  const isNamed = servesNamed(model, [report.upstreamModel || model, NAMED_MODEL.exec(reply)?.[1]]);
  return result && !isNamed ? { ...result, verdict: 'unclear' as const } : result;
};

const NAMED_MODEL = /"(?:model|modelVersion)"\s*:\s*"([^"\\]{1,200})"/;

/** The cost of a channel that is charged the prices in the provider's list. */
const LISTED: ChannelCost = { factor: 1 };

const costAt = (
  routing: Routing,
  cost: ChannelCost | undefined,
  bought: Pick<Bought, 'model' | 'usage' | 'atMs'>,
): number | undefined => costOf(cost, costSourcesOf(routing), { ...bought, service: {}, times: 1 });

/** The most that a question can cost; if no cost is known, by the provider's list price. */
const mostCost = (routing: Routing, { seat, model }: Target, atMs: number): number => {
  const usage = {
    ...noUsage,
    inputTokens: MOST_SEALED_TOKENS.prompt,
    outputTokens: MOST_SEALED_TOKENS.answer,
  };
  const bought = { model, usage, atMs };
  const listed = costAt(routing, seat.setting.cost, bought) ?? costAt(routing, LISTED, bought);
  // Even a free model gets a minimum cost, so that the budget ends.
  return Math.max(listed ?? UNKNOWN_NANO, UNKNOWN_NANO / 100);
};

/** What the day's questions have cost, including the most that unanswered ones may cost. */
const spentNano = async ({ evidence }: SealedDeps, nowMs: number): Promise<number> =>
  (await evidence.ofAll(Math.floor(nowMs / DAY_MS)))
    .filter(({ measure }) => measure === 'sealed')
    .reduce((sum, { amount }) => sum + amount, 0);
