import { secretsOf } from '#core/channel/channel-secrets.ts';
import { logType } from '#contract/codes.ts';
import type { Phrase } from '#contract/messages.ts';
import { awakeSignal } from '#core/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { mapModel } from '#core/channel/mapping.ts';
import type { TestOutcome } from '#core/channel/test-verdict.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { noUsage, type Usage } from '#core/chat/usage.ts';
import type { Random } from '#core/clock.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { CallLog } from '#core/log/log.ts';
import { Secret } from '#core/secret.ts';
import { deliver, type DeliveryDeps } from '#core/delivery.ts';
import type { User } from '#core/user/user.ts';
import { typedProxy } from './channel-proxy.ts';
import { checkAddress, type CheckUrl } from './channel-rules.ts';
import { type Addressed, type ProbedFormat, type ProbedUpstream } from './probed-upstream.ts';
import { readReply, type Reply } from './read-reply.ts';
import { refuse, whyOf } from './refuse.ts';

const TEST_TIMEOUT_MS = 30_000;
const MODELS_TIMEOUT_MS = 20_000;
const DEFAULT_TEST_MODEL = 'gpt-4o-mini';
const TEST_OUTPUT_TOKENS = 10;
/** What a model's name may look like: nothing else of an upstream's answer is shown. */
const MODEL_ID = /^[\w.:/@-]{1,200}$/;
const MODELS_MAX = 5000;
const EMBEDDING_NAME = /embed|bge-|^m3e/i;
const EMBEDDING_TYPE = 44;
/** How test calls are named in the log. */
const TEST_NAME = '模型测试';

export interface UpstreamDeps extends DeliveryDeps {
  readonly upstreamOf: (channelType: number) => ProbedUpstream | undefined;
  readonly channels: Pick<ChannelStore, 'update'>;
  readonly ledger: Pick<Ledger, 'hold' | 'void' | 'settle'>;
  readonly checkUrl: CheckUrl;
  readonly random: Random;
}

export type Upstreams = ReturnType<typeof createUpstreams>;

/** Asks upstreams directly, for admins: does this channel work, and which models does it offer. */
export const createUpstreams = (deps: UpstreamDeps) => ({
  /** Sends one small request; throws what the upstream says is wrong. @returns seconds */
  async test(actor: User, channel: Channel, wanted: string): Promise<number> {
    const { error, responseTimeMs } = await check(deps, actor, channel, wanted);
    if (error !== undefined) throw refuse('upstream_said', { issue: issueOf(error, channel) });
    return responseTimeMs / 1000;
  },

  /** The same of a channel that is still a form: nothing is kept of it. @returns seconds */
  async testDraft(channel: Channel, wanted: string): Promise<number> {
    const { outcome, responseTimeMs } = await tried(deps, channel, testCall(channel, wanted));
    if (outcome instanceof AppError) throw refuse('upstream_said', { issue: issueOf(outcome, channel) });
    return responseTimeMs / 1000;
  },

  /** The same, with what is wrong as a result. Throws where the channel cannot be tested at all. */
  check: (actor: User, channel: Channel, wanted: string): Promise<TestOutcome> =>
    check(deps, actor, channel, wanted),

  /** Its type offers a call that can be tried. */
  isTestable(channel: Channel): boolean {
    const operations = deps.upstreamOf(channel.type)?.operations ?? [];
    return operations.includes('chat') || operations.includes('embeddings');
  },

  /** Names of the models the upstream of a saved channel says it has, sorted. */
  listModels: (channel: Channel): Promise<string[]> => listModels(deps, channel),

  /** The same of an upstream whose channel is not saved yet. */
  async listModelsUnsaved({ proxy, ...wish }: UnsavedChannel, key: string): Promise<string[]> {
    checkAddress(wish, deps.checkUrl);
    const carrier = proxy === '' ? undefined : typedProxy(proxy, deps.checkUrl);
    return listModels(
      deps,
      unsavedChannel({ ...wish, ...(carrier && { setting: { proxy: carrier } }) }, key),
    );
  },
});

/** Costs the admin nothing; the time is kept whether it works or not. */
const check = async (
  deps: UpstreamDeps,
  actor: User,
  channel: Channel,
  wanted: string,
): Promise<TestOutcome> => {
  const call = testCall(channel, wanted);
  const { outcome, responseTimeMs } = await tried(deps, channel, call);
  await deps.channels.update(channel.id, { responseTimeMs, testedAtMs: deps.clock.now() });
  await logTest(deps, actor, { channel, model: call.requested, responseTimeMs, outcome });
  return { responseTimeMs, error: outcome instanceof AppError ? outcome : undefined };
};

const tried = async (deps: UpstreamDeps, channel: Channel, call: TestCall) => {
  const upstream = offering(deps, channel.type, call.operation);
  const startedMs = deps.clock.monotonic();
  const outcome = await probe(deps, upstream, channel, call).catch((thrown: unknown) => asAppError(thrown));
  return { outcome, responseTimeMs: Math.round(deps.clock.monotonic() - startedMs) };
};

const listModels = async (deps: UpstreamDeps, channel: Channel): Promise<string[]> => {
  const upstream = offering(deps, channel.type, 'models');
  const { url, headers } = upstream.address(channel, { operation: 'models', model: '', stream: false });
  try {
    const signal = awakeSignal(MODELS_TIMEOUT_MS);
    const reply = await deliver(deps, upstream, channel, { method: 'GET', url, headers }, signal);
    const { status, body } = await readReply(reply, secretsOf(channel));
    if (status >= 400) throw errorOf(upstream, upstream.dialect, { status, body });
    return safeNames(upstream.readModels?.(body) ?? readOpenaiModels(body));
  } catch (thrown) {
    throw refuse('models_not_listed', { issue: issueOf(asAppError(thrown), channel) });
  }
};

/** As the upstream said it, which only callers are not told; in the reader's language where it is ours to say. */
const issueOf = (error: AppError, channel: Channel): Phrase | string => {
  const why = saidBy(error) ?? whyOf(error);
  return typeof why === 'string' ? secretsOf(channel).maskText(why) : why;
};

const saidBy = ({ upstream }: AppError): string | undefined => {
  if (upstream === undefined || upstream.message === '') return undefined;
  return upstream.status === 0 ? upstream.message : `${upstream.message} (${upstream.status})`;
};

type Unsaved = Pick<Channel, 'type' | 'baseUrl' | 'other'> & Partial<Pick<Channel, 'setting'>>;

interface UnsavedChannel extends Omit<Unsaved, 'setting'> {
  /** As it is typed, with its password; empty for none. */
  readonly proxy: string;
}

/** A channel that is not saved: just enough to reach its upstream. */
const unsavedChannel = ({ type, baseUrl, other, setting = {} }: Unsaved, key: string): Channel => ({
  id: 0,
  type,
  name: '',
  status: 1,
  key: new Secret(key),
  organization: '',
  baseUrl,
  other,
  models: [],
  groups: [],
  modelMapping: new Map(),
  statusCodeMapping: new Map(),
  setting,
  paramOverride: {},
  testModel: '',
  maxInputTokens: 0,
  priority: 0,
  weight: 0,
  autoDisable: false,
  tag: null,
});

interface TestCall {
  readonly operation: 'chat' | 'embeddings';
  readonly requested: string;
  readonly model: string;
}

const testCall = (channel: Channel, wanted: string): TestCall => {
  const requested = wanted || channel.testModel || channel.models[0] || DEFAULT_TEST_MODEL;
  const mapped = mapModel(channel.modelMapping, requested);
  if ('cycleAt' in mapped) throw refuse('channel_mapping_cycle', { model: mapped.cycleAt });
  const embeds = channel.type === EMBEDDING_TYPE || EMBEDDING_NAME.test(requested);
  return { operation: embeds ? 'embeddings' : 'chat', requested, model: mapped.model };
};

const offering = (deps: UpstreamDeps, type: number, operation: Addressed['operation']): ProbedUpstream => {
  const upstream = deps.upstreamOf(type);
  if (upstream === undefined || !upstream.operations.includes(operation))
    throw refuse(operation === 'models' ? 'channel_models_unlisted' : 'channel_untestable');
  return upstream;
};

/** @returns what the upstream says was used; throws what it says went wrong */
const probe = async (
  deps: UpstreamDeps,
  upstream: ProbedUpstream,
  channel: Channel,
  call: TestCall,
): Promise<Usage> => {
  const { operation, model } = call;
  const better = upstream.betterFor?.(model, upstream.dialect.name);
  const format = upstream.dialectFor?.(model, channel) ?? better ?? upstream.dialect;
  const addressed = {
    operation,
    model,
    stream: false,
    ...(operation === 'chat' && { dialect: format.name }),
  };
  const plain =
    call.operation === 'embeddings'
      ? { model: call.model, input: ['hello world'] }
      : format.writeRequest(greeting(call.model));
  const body = { ...(upstream.adjust?.(plain, addressed, channel) ?? plain), ...channel.paramOverride };
  const { url, headers } = upstream.address(channel, addressed);
  const sent = { 'content-type': 'application/json', ...headers };
  const signal = awakeSignal(TEST_TIMEOUT_MS);
  const request = { method: 'POST', url, headers: sent, body: JSON.stringify(body) } as const;
  const reply = await readReply(await deliver(deps, upstream, channel, request, signal), secretsOf(channel));
  if (reply.status >= 400) throw errorOf(upstream, format, reply);
  // Some only answer in pieces, whatever they are asked for.
  const parsed = typeof reply.body === 'string' ? format.parseWhole?.(Buffer.from(reply.body)) : undefined;
  const answer = parsed ?? reply.body;
  if (typeof answer !== 'object' || answer === null)
    throw new AppError('upstream_failed', 'the answer is not JSON');
  const tapped = format.tapWhole(answer);
  if (tapped.error !== undefined) throw tapped.error;
  return tapped.usage ?? noUsage;
};

const errorOf = (upstream: ProbedUpstream, format: ProbedFormat, { status, body }: Reply): AppError =>
  upstream.readError?.(status, body) ?? format.readError(status, body);

const greeting = (model: string): ChatRequest => ({
  model,
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  maxOutputTokens: TEST_OUTPUT_TOKENS,
  extras: {},
});

const safeNames = (names: readonly string[]): string[] =>
  [...new Set(names.filter((name) => typeof name === 'string' && MODEL_ID.test(name)))]
    .sort()
    .slice(0, MODELS_MAX);

const readOpenaiModels = (body: unknown): string[] => {
  const list = (body as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(list)) throw new AppError('upstream_failed', 'the answer is not a list of models');
  return list.map((item) => String((item as { readonly id?: unknown } | null)?.id));
};

interface Tested {
  readonly channel: Channel;
  readonly model: string;
  readonly responseTimeMs: number;
  /** What was used, or what went wrong. */
  readonly outcome: Usage | AppError;
}

/** A test is a call like any other in the log: settled at nothing under an empty hold, or given back where it failed. */
const logTest = async (
  { ledger, clock, random }: UpstreamDeps,
  actor: User,
  { channel, model, responseTimeMs, outcome }: Tested,
): Promise<void> => {
  const id = `test-${random.alphanumeric(24)}`;
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
    tokenName: TEST_NAME,
    channelId: channel.id,
    group: actor.group,
    model,
    usage: failed ? noUsage : outcome,
    quotaUnits: 0,
    useTimeMs: responseTimeMs,
    isStream: false,
    ip: '',
    content: failed ? secretsOf(channel).maskText(saidBy(outcome) ?? outcome.message) : TEST_NAME,
    other: JSON.stringify({ test: true, admin_info: { use_channel: [String(channel.id)] } }),
  };
  if (failed) await ledger.void(id, nowMs, log);
  else await ledger.settle({ id, quotaUnits: 0, nowMs, log, writeLog: true });
};
