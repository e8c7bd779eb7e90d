import type * as contract from '#contract/api/logs/data.ts';
import type { Clock } from '#core/clock.ts';
import type { HouseCostStore } from '#core/cost/house-cost-store.ts';
import type {
  KeySums,
  MarginFilter,
  MarginShare,
  UsageHour,
  UsageHourOf,
  UsageShare,
  UsageStore,
} from '#core/usage/usage-store.ts';
import type { Handlers } from '../../handler.ts';
import { refuse } from '../../../control/refuse.ts';
import { shortSpan, type Span, spanUntil } from './usage-span.ts';

interface DataDeps {
  readonly usage: UsageStore;
  readonly houseCosts: HouseCostStore;
  readonly clock: Clock;
}

const TOP_COUNT = 10;
/** The number of series in a chart; all others are added up. */
const SERIES_COUNT = 10;
const MARGIN_ROWS_MAX = 1000;
/** About 2 MB. A month of thousands of channels would be a hundred, and writing it would delay every call. */
const CHANNEL_HOURS_MAX = 20_000;

/** The dashboard's figures: those of all users for admins, their own for users. */
export const dataHandlers = ({ usage, houseCosts, clock }: DataDeps): Handlers<typeof contract> => {
  const spanOf = (query: Span) => spanUntil(clock.now(), query);
  const ofUser = ({ username }: { readonly username: string }) => (username === '' ? {} : { username });
  const ownSpanOf = (query: Span, userId: number) => ({ ...shortSpan(spanOf(query)), userId });
  return {
    readUsage: async ({ query }) =>
      (await usage.hours({ ...spanOf(query), ...ofUser(query) })).map(({ model, ...sums }) => ({
        model_name: model,
        ...hourWire(sums),
      })),
    readOwnUsage: async ({ query }, { actor }) =>
      (await usage.hours(ownSpanOf(query, actor.user.id))).map(({ model, ...sums }) => ({
        model_name: model,
        ...hourWire(sums),
      })),
    readUsageBy: async ({ query }) => {
      const filter = { ...spanOf(query), ...ofUser(query) };
      return (await usage.hoursBy(query.by, filter, SERIES_COUNT)).map(hourOfWire);
    },
    readOwnUsageBy: async ({ query }, { actor }) =>
      (await usage.hoursBy(query.by, ownSpanOf(query, actor.user.id), SERIES_COUNT)).map(hourOfWire),
    readKeySums: async ({ query }) =>
      keySumsWire(await usage.keySums({ ...spanOf(query), ...ofUser(query) })),
    readOwnKeySums: async ({ query }, { actor }) =>
      keySumsWire(await usage.keySums(ownSpanOf(query, actor.user.id))),
    readChannelHours: async ({ query }) => {
      const hours = await usage.channels({ ...spanOf(query), ids: query.ids }, CHANNEL_HOURS_MAX + 1);
      if (hours.length > CHANNEL_HOURS_MAX) throw refuse('data_channel_hours');
      return hours.map(({ channelId, hourMs, answered, failed }) => ({
        channel_id: channelId,
        created_at: hourMs / 1000,
        count: answered,
        failed,
      }));
    },
    readMargin: async ({ query }) => {
      const { username, channel, token_id, model_name, group } = query;
      const filter: MarginFilter = {
        ...spanOf(query),
        ...(username && { username }),
        ...(channel && { channelId: channel }),
        ...(token_id && { tokenId: token_id }),
        ...(model_name && { model: model_name }),
        ...(group && { group }),
      };
      const isTime = query.by === 'day' || query.by === 'hour';
      return (await usage.margin(query.by, filter, MARGIN_ROWS_MAX)).map((share) =>
        marginWire(share, isTime),
      );
    },
    readHouseCosts: async ({ query }) =>
      (await houseCosts.days(spanOf(query))).map(({ channelId, kind, dayMs, calls, costNano, ...of }) => ({
        channel_id: channelId,
        kind,
        created_at: dayMs / 1000,
        count: calls,
        cost_nano_usd: costNano,
        uncosted: of.uncosted,
        estimated: of.estimated,
      })),
    listTopUsers: async ({ query }) => (await usage.top('user', spanOf(query), TOP_COUNT)).map(shareWire),
    listTopTokens: async ({ query }, { actor }) =>
      (await usage.top('token', ownSpanOf(query, actor.user.id), TOP_COUNT)).map(shareWire),
  };
};

const hourWire = ({ hourMs, calls, quotaUnits, tokens }: Omit<UsageHour, 'model'>) => ({
  count: calls,
  quota: quotaUnits,
  token_used: tokens,
  created_at: hourMs / 1000,
});

const hourOfWire = ({ id, name, isRest, ...sums }: UsageHourOf) => ({
  id,
  name,
  is_rest: isRest,
  ...hourWire(sums),
});

const keySumsWire = (sums: KeySums) => ({
  answered: sums.answered,
  failed: sums.failed,
  prompt_tokens: sums.promptTokens,
  cached_tokens: sums.cachedTokens,
  first_token_p95_ms: sums.firstTokenP95Ms,
  first_token_calls: sums.firstTokenCalls,
});

const marginWire = (share: MarginShare, isTime: boolean) => ({
  id: isTime ? share.id / 1000 : share.id,
  name: share.name,
  count: share.calls,
  quota: share.quotaUnits,
  cost_nano_usd: share.costNano,
  uncosted: share.uncosted,
  uncosted_quota: share.uncostedQuotaUnits,
});

const shareWire = ({ id, name, calls, quotaUnits, tokens }: UsageShare) => ({
  id,
  name,
  count: calls,
  quota: quotaUnits,
  token_used: tokens,
});
