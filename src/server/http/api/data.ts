import type * as contract from '#contract/api/data.ts';
import type { Clock } from '#core/clock.ts';
import type { UsageFilter, UsageHour, UsageShare, UsageStore } from '#core/usage/usage-store.ts';
import { refuse } from '../../control/refuse.ts';
import type { Handlers } from '../handler.ts';

interface DataDeps {
  readonly usage: UsageStore;
  readonly clock: Clock;
}

/** The longest time span of a user's own usage query. */
const OWN_SPAN_MAX_MS = 2_592_000_000;
const TOP_COUNT = 10;

interface Span {
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** The dashboard's numbers: everybody's for admins, one's own for users. */
export const dataHandlers = ({ usage, clock }: DataDeps): Handlers<typeof contract> => {
  const spanOf = (query: Span): UsageFilter => ({
    fromMs: query.start_timestamp * 1000,
    toMs: query.end_timestamp === 0 ? clock.now() : query.end_timestamp * 1000,
  });
  const ownSpanOf = (query: Span, userId: number): UsageFilter => {
    const span = spanOf(query);
    if (span.toMs - span.fromMs > OWN_SPAN_MAX_MS) throw refuse('data_span');
    return { ...span, userId };
  };
  return {
    readUsage: async ({ query }) => {
      const whose = query.username === '' ? {} : { username: query.username };
      return (await usage.hours({ ...spanOf(query), ...whose })).map(hourWire);
    },
    readOwnUsage: async ({ query }, { actor }) =>
      (await usage.hours(ownSpanOf(query, actor.user.id))).map(hourWire),
    readChannelHours: async ({ query }) =>
      (await usage.channels(spanOf(query))).map(({ channelId, hourMs, answered, failed }) => ({
        channel_id: channelId,
        created_at: hourMs / 1000,
        count: answered,
        failed,
      })),
    listTopUsers: async ({ query }) => (await usage.top('user', spanOf(query), TOP_COUNT)).map(shareWire),
    listTopTokens: async ({ query }, { actor }) =>
      (await usage.top('token', ownSpanOf(query, actor.user.id), TOP_COUNT)).map(shareWire),
  };
};

const hourWire = ({ model, hourMs, calls, quotaUnits, tokens }: UsageHour) => ({
  model_name: model,
  count: calls,
  quota: quotaUnits,
  token_used: tokens,
  created_at: hourMs / 1000,
});

const shareWire = ({ id, name, calls, quotaUnits, tokens }: UsageShare) => ({
  id,
  name,
  count: calls,
  quota: quotaUnits,
  token_used: tokens,
});
