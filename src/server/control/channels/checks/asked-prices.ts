import { unitsToDollar } from '#contract/api/wallet/pricing.ts';
import { mapModel } from '#contract/channel/model-mapping.ts';
import type { Channel } from '#core/channel/channel.ts';
import { secretsOf } from '#core/channel/channel-secrets.ts';
import type { AskedPrice, PriceReader } from '#core/channel/price-reader.ts';
import { deliver, type DeliveryDeps } from '#core/delivery.ts';
import { AppError, asAppError } from '#core/error.ts';
import { fieldsOf, listOf } from '#core/json/fields.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import { refuse } from '../../refuse.ts';
import { issueOf } from './channel-tests.ts';
import type { ProbedUpstream } from './probed-upstream.ts';
import { readReply } from './read-reply.ts';

const TIMEOUT_MS = 20_000;
const GROUPS_MAX = 200;
const GROUP_NAME_MAX_LENGTH = 64;
const RATIO_MAX = 1000;

/** What an upstream asks for the models of a channel, in US dollars. */
export interface AskedPrices {
  /** By the upstream's name of the model; only those that the channel calls. */
  readonly prices: ReadonlyMap<string, AskedPrice>;
  /** The upstream's names of models that the channel calls and the upstream tells no price of. */
  readonly unpriced: readonly string[];
  /** Groups at the upstream, by whose ratio its prices are multiplied. Empty if it has none. */
  readonly groups: ReadonlyMap<string, number>;
}

export interface AskedPricesDeps extends DeliveryDeps {
  readonly upstreamOf: (
    channelType: number,
  ) => (ProbedUpstream & { readonly prices?: PriceReader }) | undefined;
}

/** Asks upstreams for their prices. Saves nothing: what is taken over into the costs of a channel is for an admin to say. */
export const createAskedPrices = (deps: AskedPricesDeps) => ({
  async askedPrices(channel: Channel): Promise<AskedPrices> {
    const upstream = deps.upstreamOf(channel.type);
    const reader = upstream?.prices;
    if (upstream === undefined || reader === undefined) throw refuse('channel_prices_none');
    try {
      const wanted = upstreamNames(channel);
      let problem: AppError | undefined;
      for (const { url, headers } of reader.requests(channel)) {
        const signal = awakeSignal(TIMEOUT_MS);
        const reply = await deliver(deps, upstream, channel, { method: 'GET', url, headers }, signal);
        const { status, body } = await readReply(reply, secretsOf(channel));
        const found = status === 200 ? pricesIn(body, reader) : new Map<string, AskedPrice>();
        if (found.size > 0) return askedFor(wanted, found, groupsIn(body));
        problem ??= new AppError(
          'upstream_failed',
          status === 200 ? 'no prices in it' : `status ${String(status)}`,
        );
      }
      throw problem ?? new AppError('upstream_failed', 'no prices in it');
    } catch (thrown) {
      throw refuse('channel_prices_failed', { issue: issueOf(asAppError(thrown), channel) });
    }
  },
});

const upstreamNames = ({ models, modelMapping }: Channel): readonly string[] => [
  ...new Set(
    models.map((model) => {
      const mapped = mapModel(modelMapping, model);
      return 'model' in mapped ? mapped.model : model;
    }),
  ),
];

const pricesIn = (body: unknown, reader: PriceReader): ReadonlyMap<string, AskedPrice> => {
  const rows = Array.isArray(body) ? body : listOf(fieldsOf(body)['data']);
  const units = unitsToDollar.safeParse(fieldsOf(body)['quota_per_unit']).data;
  return new Map(
    rows.map((row) => reader.readRow(fieldsOf(row), units)).filter((found) => found !== undefined),
  );
};

const askedFor = (
  wanted: readonly string[],
  found: ReadonlyMap<string, AskedPrice>,
  groups: AskedPrices['groups'],
): AskedPrices => ({
  prices: new Map([...found].filter(([model]) => wanted.includes(model))),
  unpriced: wanted.filter((model) => !found.has(model)),
  groups,
});

/** The groups beside the prices of a gateway of this family. */
const groupsIn = (body: unknown): AskedPrices['groups'] =>
  new Map(
    Object.entries(fieldsOf(fieldsOf(body)['group_ratio']))
      .filter((entry): entry is [string, number] => isGroup(...entry))
      .slice(0, GROUPS_MAX),
  );

const isGroup = (name: string, ratio: unknown): boolean =>
  name !== '' &&
  name.length <= GROUP_NAME_MAX_LENGTH &&
  typeof ratio === 'number' &&
  ratio >= 0 &&
  ratio <= RATIO_MAX;
