import { awakeSignal } from '#core/time/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import { deliver, type DeliveryDeps, refusesToken } from '#core/delivery.ts';
import { AppError, asAppError } from '#core/error.ts';
import { Secret } from '#core/secrets/secret.ts';
import { typedProxy, type CheckUrl } from '../channel-proxy.ts';
import { checkAddress } from '../channel-rules.ts';
import { type AskedPricesDeps, createAskedPrices } from './asked-prices.ts';
import { type ChannelTestDeps, createChannelTests, issueOf } from './channel-tests.ts';
import type { ProbedUpstream } from './probed-upstream.ts';
import { readReply } from './read-reply.ts';
import { refuse } from '../../refuse.ts';

const MODELS_TIMEOUT_MS = 20_000;
/** What a model name may look like: nothing else of an upstream's answer is shown. */
const MODEL_ID = /^[\w.:/@-]{1,200}$/;
const MODELS_MAX = 5000;

interface ModelListDeps extends DeliveryDeps {
  readonly upstreamOf: (channelType: number) => ProbedUpstream | undefined;
  readonly checkUrl: CheckUrl;
}

export type Upstreams = ReturnType<typeof createUpstreams>;

/** Asks upstreams directly, for admins: whether a channel works, which models it offers, and what they cost. */
export const createUpstreams = (deps: ModelListDeps & ChannelTestDeps & AskedPricesDeps) => ({
  ...createChannelTests(deps),
  ...createModelLists(deps),
  ...createAskedPrices(deps),
});

/** The models upstreams list. */
export const createModelLists = (deps: ModelListDeps) => ({
  /** The model names of a saved channel, sorted. */
  listModels: (channel: Channel): Promise<string[]> => listModels(deps, channel),

  /** The same for a channel that is not saved yet. */
  async listModelsUnsaved({ proxy, ...wish }: UnsavedChannel, key: string): Promise<string[]> {
    checkAddress(wish, deps.checkUrl);
    const carrier = proxy === '' ? undefined : typedProxy(proxy, deps.checkUrl);
    return listModels(
      deps,
      unsavedChannel({ ...wish, ...(carrier && { setting: { proxy: carrier } }) }, key),
    );
  },
});

const listModels = async (deps: ModelListDeps, channel: Channel): Promise<string[]> => {
  const upstream = deps.upstreamOf(channel.type);
  if (upstream?.offers.models === undefined) throw refuse('channel_models_unlisted');
  try {
    return await namesFrom(deps, upstream, channel).catch((thrown: unknown) => {
      if (!refusesToken(upstream, channel, thrown, deps.clock.now())) throw thrown;
      return namesFrom(deps, upstream, channel);
    });
  } catch (thrown) {
    throw refuse('models_not_listed', { issue: issueOf(asAppError(thrown), channel) });
  }
};

const namesFrom = async (
  deps: ModelListDeps,
  upstream: ProbedUpstream,
  channel: Channel,
): Promise<string[]> => {
  const { url, headers } = upstream.address(channel, { operation: 'models', model: '', stream: false });
  const signal = awakeSignal(MODELS_TIMEOUT_MS);
  const reply = await deliver(deps, upstream, channel, { method: 'GET', url, headers }, signal);
  const { status, body } = await readReply(reply, secretsOf(channel));
  if (status >= 400) throw upstream.readError?.(status, body) ?? upstream.dialect.readError(status, body);
  return safeNames(upstream.readModels?.(body) ?? readOpenaiModels(body));
};

type Unsaved = Pick<Channel, 'type' | 'baseUrl' | 'other'> & Partial<Pick<Channel, 'setting'>>;

interface UnsavedChannel extends Omit<Unsaved, 'setting'> {
  /** As typed, with its password; empty for none. */
  readonly proxy: string;
}

/** An unsaved channel with just enough fields to reach its upstream. */
const unsavedChannel = ({ type, baseUrl, other, setting = {} }: Unsaved, key: string): Channel => ({
  id: 0,
  type,
  name: '',
  status: 1,
  key: new Secret(key),
  keyId: 0,
  keyName: '',
  pool: [],
  poolMode: 'in_turn',
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

const safeNames = (names: readonly string[]): string[] =>
  [...new Set(names.filter((name) => typeof name === 'string' && MODEL_ID.test(name)))]
    .sort()
    .slice(0, MODELS_MAX);

const readOpenaiModels = (body: unknown): string[] => {
  const list = (body as { readonly data?: unknown } | null)?.data;
  if (!Array.isArray(list)) throw new AppError('upstream_failed', 'the answer is not a list of models');
  return list.map((item) => String((item as { readonly id?: unknown } | null)?.id));
};
