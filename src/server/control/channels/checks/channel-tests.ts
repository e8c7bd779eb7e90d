import { CHANNEL_TEST_NAME, logType, DEFAULT_MODEL } from '#contract/codes.ts';
import type { Phrase } from '#contract/messages.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import {
  type ChannelTestCall,
  type ChannelTestReport,
  TEST_TIMEOUT_MS,
  type TestChannel,
} from '#core/channel/channel-test.ts';
import { mayBeCharged } from '#core/channel/health/retry.ts';
import type { Routing } from '#core/channel/routing.ts';
import { mapModel } from '#contract/channel/model-mapping.ts';
import type { TestOutcome } from '#core/channel/health/test-verdict.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { Clock, Random } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import { costOfUse } from '#core/cost/allowance.ts';
import { costSourcesOf } from '#core/cost/cost.ts';
import { isEmbeddingName } from '#core/embedding-names.ts';
import type { HouseCostStore } from '#core/cost/house-cost-store.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import type { User } from '#core/user/user.ts';
import type { ProbedUpstream } from './probed-upstream.ts';
import { refuse, whyOf } from '../../refuse.ts';

const EMBEDDING_TYPE = 44;

export interface ChannelTestDeps {
  readonly upstreamOf: (channelType: number) => ProbedUpstream | undefined;
  readonly testChannel: TestChannel;
  readonly channels: Pick<ChannelStore, 'update'>;
  readonly ledger: Pick<Ledger, 'hold' | 'void' | 'settle'>;
  readonly houseCosts: Pick<HouseCostStore, 'add'>;
  readonly routing: () => Pick<Routing, 'catalogue' | 'options'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** What an admin wants tested. */
export interface TestWish {
  /** Empty for the channel's test model, else its first. */
  readonly model: string;
  readonly stream: boolean;
}

/** The result of a test, for the admin who requested it. */
export interface Tested {
  readonly seconds: number;
  readonly report: ChannelTestReport;
  /** The upstream's error; undefined on success. */
  readonly refusal: AppError | undefined;
}

/** Test calls through channels, for admins. Each throws if the channel cannot be tested at all. */
export const createChannelTests = (deps: ChannelTestDeps) => ({
  /** Sends one small request. */
  test: async (actor: User, channel: Channel, wish: TestWish): Promise<Tested> =>
    testedOf(channel, await testAndLog(deps, actor, channel, wish)),

  /** The same for a channel that is not saved: nothing is stored. */
  testDraft: async (actor: User, channel: Channel, wish: TestWish): Promise<Tested> =>
    testedOf(channel, await deps.testChannel(testCall(deps, actor, channel, { ...wish, isSaved: false }))),

  /** The same for a saved channel, with the error in the result. */
  async check(actor: User, channel: Channel): Promise<TestOutcome> {
    const { outcome, totalMs } = await testAndLog(deps, actor, channel, { model: '', stream: false });
    return {
      responseTimeMs: Math.round(totalMs),
      error: outcome instanceof AppError ? outcome : undefined,
    };
  },

  /** Whether its type supports a call that can be tested. */
  isTestable(channel: Channel): boolean {
    const offers = deps.upstreamOf(channel.type)?.offers;
    return offers?.chat !== undefined || offers?.embeddings !== undefined;
  },
});

/** Logs the test at no cost to the admin, and stores its duration whether it succeeded or not. */
const testAndLog = async (
  deps: ChannelTestDeps,
  actor: User,
  channel: Channel,
  wish: TestWish,
): Promise<ChannelTestReport> => {
  const call = testCall(deps, actor, channel, { ...wish, isSaved: true });
  const report = await deps.testChannel(call);
  const responseTimeMs = Math.round(report.totalMs);
  await deps.channels.update(channel.id, { responseTimeMs, testedAtMs: deps.clock.now() });
  await logTest(deps, call, report);
  return report;
};

const testedOf = (channel: Channel, report: ChannelTestReport): Tested => ({
  seconds: Math.round(report.totalMs) / 1000,
  report,
  refusal:
    report.outcome instanceof AppError
      ? refuse('upstream_said', { issue: issueOf(report.outcome, channel) })
      : undefined,
});

/** The upstream's own message, which callers never see; our own messages are translated. */
export const issueOf = (error: AppError, channel: Channel): Phrase | string => {
  const why = saidBy(error) ?? whyOf(error);
  return typeof why === 'string' ? secretsOf(channel).maskText(why) : why;
};

const saidBy = ({ upstream }: AppError): string | undefined => {
  if (upstream === undefined || upstream.message === '') return undefined;
  return upstream.status === 0 ? upstream.message : `${upstream.message} (${upstream.status})`;
};

const testCall = (
  { upstreamOf, random }: ChannelTestDeps,
  actor: User,
  channel: Channel,
  { model: wanted, stream, isSaved }: TestWish & Pick<ChannelTestCall, 'isSaved'>,
): ChannelTestCall => {
  const model = wanted || channel.testModel || channel.models[0] || DEFAULT_MODEL;
  const mapped = mapModel(channel.modelMapping, model);
  if ('cycleAt' in mapped) throw refuse('channel_mapping_cycle', { model: mapped.cycleAt });
  const embeds = channel.type === EMBEDDING_TYPE || isEmbeddingName(model);
  const operation = embeds ? 'embeddings' : 'chat';
  if (upstreamOf(channel.type)?.offers[operation] === undefined) throw refuse('channel_untestable');
  const requestId = `test-${random.alphanumeric(24)}`;
  return { requestId, actor, channel, isSaved, operation, model, stream: stream && !embeds };
};

/** Logs a test like any other call: settled at nothing under an empty hold, or voided if it failed. */
const logTest = async (
  { ledger, clock, houseCosts, routing }: ChannelTestDeps,
  { requestId: id, actor, channel, model, stream }: ChannelTestCall,
  { outcome, totalMs, upstreamModel, service, used }: ChannelTestReport,
): Promise<void> => {
  const nowMs = clock.now();
  const failed = outcome instanceof AppError;
  const held = await ledger.hold({
    id,
    userId: actor.id,
    tokenId: null,
    quotaUnits: 0,
    nowMs,
    expiresAtMs: nowMs + TEST_TIMEOUT_MS,
  });
  if (held !== 'held') return;
  const log: CallLog = {
    requestId: id,
    createdAtMs: nowMs,
    type: failed ? logType.error : logType.consume,
    userId: actor.id,
    username: actor.username,
    tokenId: 0,
    tokenName: CHANNEL_TEST_NAME,
    channelId: channel.id,
    group: actor.group,
    model,
    usage: failed ? noUsage : outcome,
    quotaUnits: 0,
    useTimeMs: Math.round(totalMs),
    isStream: stream,
    ip: '',
    isHouse: true,
    content: failed ? secretsOf(channel).maskText(saidBy(outcome) ?? outcome.message) : CHANNEL_TEST_NAME,
    other: JSON.stringify({ test: true, admin_info: { use_channel: [String(channel.id)] } }),
  };
  if (failed) await ledger.void(id, nowMs, log);
  else await ledger.settle({ id, quotaUnits: 0, nowMs, log, writeLog: true });
  const usage = failed ? used : outcome;
  const isLost = failed && usage === undefined && mayBeCharged(outcome);
  if (isLost) await houseCosts.add({ channelId: channel.id, kind: 'test', atMs: nowMs, costNano: undefined });
  if (usage === undefined) return;
  const bought = { model: upstreamModel ?? model, usage, service, times: 1, atMs: nowMs };
  const cost = costOfUse(channel, costSourcesOf(routing()), bought);
  await houseCosts.add({ channelId: channel.id, kind: 'test', atMs: nowMs, ...cost });
};
