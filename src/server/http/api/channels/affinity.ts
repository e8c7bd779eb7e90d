import type * as contract from '#contract/api/channels/affinity.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import type { CacheShare, SessionShare, UsageStore } from '#core/usage/usage-store.ts';
import type { WholeRelay } from '../../../relay/create-relay.ts';
import type { Handlers } from '../../handler.ts';
import { shortSpan, type Span, spanUntil } from '../logs/usage-span.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

interface AffinityDeps {
  readonly relay: Pick<WholeRelay, 'affinity'>;
  readonly routing: () => Routing;
  readonly usage: UsageStore;
  readonly clock: Clock;
}

const ROWS_MAX = 1000;
const SESSIONS_SHOWN = 20;

/** Sessions bound to channels, and what prompt caches saved. */
export const affinityHandlers = ({
  relay,
  routing,
  usage,
  clock,
}: AffinityDeps): Handlers<typeof contract> => {
  const spanOf = (query: Span) => spanUntil(clock.now(), query);
  const ofUser = ({ username }: { readonly username: string }) => (username === '' ? {} : { username });
  return {
    countSessions: () => {
      const counts = relay.affinity.counts(longestTtlMs(routing().options));
      return Promise.resolve(
        [...counts].map(([channelId, sessions]) => ({ channel_id: channelId, sessions })),
      );
    },
    forgetSessions: ({ body }) => {
      const forgotten = relay.affinity.forget({
        ...(body.channel_id !== undefined && { channelId: body.channel_id }),
        ...(body.model !== undefined && { modelPrefix: body.model }),
      });
      return Promise.resolve({ forgotten });
    },
    readCache: async ({ query }) =>
      (await usage.cache(query.by, { ...spanOf(query), ...ofUser(query) }, ROWS_MAX)).map(
        cacheWire(query.by),
      ),
    readOwnCache: async ({ query }, { actor }) => {
      const filter = { ...shortSpan(spanOf(query)), userId: actor.user.id };
      return (await usage.cache(query.by, filter, ROWS_MAX)).map(cacheWire(query.by));
    },
    listSessions: async ({ query }) => {
      const filter = { ...shortSpan(spanOf(query)), ...ofUser(query) };
      return (await usage.sessions(filter, SESSIONS_SHOWN)).map(sessionWire);
    },
    listOwnSessions: async ({ query }, { actor }) => {
      const filter = { ...shortSpan(spanOf(query)), userId: actor.user.id };
      const sessions = await usage.sessions(filter, SESSIONS_SHOWN);
      return sessions.map((share) => ({ ...sessionWire(share), channels: 0 }));
    },
  };
};

const longestTtlMs = (options: OptionValues): number => {
  const ofModels = Object.values(options['affinity_setting.minutes_by_model']);
  return Math.max(options['affinity_setting.minutes'], ...ofModels) * MINUTE_MS;
};

const cacheSumsWire = (sums: CacheShare | SessionShare) => ({
  count: sums.calls,
  quota: sums.quotaUnits,
  prompt_tokens: sums.promptTokens,
  cached_tokens: sums.cachedTokens,
  saved_quota: sums.savedUnits,
});

const cacheWire = (by: string) => (share: CacheShare) => ({
  id: by === 'day' || by === 'hour' ? share.id / 1000 : share.id,
  name: share.name,
  ...cacheSumsWire(share),
});

const sessionWire = (share: SessionShare) => ({
  session: share.session,
  model_name: share.model,
  username: share.username,
  used_at: Math.floor(share.usedAtMs / 1000),
  channels: share.channels,
  ...cacheSumsWire(share),
});
