import type { z } from 'zod';
import type * as contract from '#contract/api/channels/channel-live.ts';
import type { Channel } from '#core/channel/channel.ts';
import {
  addReports,
  BUCKET_MS,
  type ChannelSums,
  FIELD,
  FIELDS,
  firstTokenMs,
  type KeySums,
  LAST_BUCKETS,
  type LiveReport,
  seriesOf,
  sumOfLast,
  totalsOf,
} from '#core/channel/live-sums.ts';
import { keyById, keyName } from '#core/channel/keys/pool.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import type { WholeRelay } from '../../../relay/create-relay.ts';
import { type Cooling, modelNamed } from '../../../relay/route/health/health-node.ts';
import type { Handlers } from '../../handler.ts';

interface LiveDeps {
  readonly relay: Pick<WholeRelay['parts'], 'health' | 'pulses'>;
  /** The live boards of this process's other relays. */
  readonly others: { pulses(): Promise<readonly LiveReport[]> };
  /** The latest reports of other nodes. */
  readonly liveNews: { reports(): readonly LiveReport[] };
  readonly routing: () => Routing;
  readonly clock: Clock;
}

type LiveChannel = z.infer<typeof contract.readLive.data>['channels'][number];
type LiveKey = LiveChannel['keys'][number];
type Breaker = LiveChannel['breaker'];

const CHANNELS_SHOWN = 100;
const KEYS_SHOWN = 50;
const MODELS_SHOWN = 10;

/** What channels are doing right now, for admins. */
export const channelLiveHandlers = (deps: LiveDeps): Handlers<typeof contract> => ({
  readLive: async () => {
    const { relay, others, routing, clock } = deps;
    const nodes = deps.liveNews.reports();
    const ofOthers = await others.pulses();
    const nowMs = clock.now();
    const report = addReports([relay.pulses.report(nowMs), ...ofOthers, ...nodes], nowMs);
    const cooling = Map.groupBy(relay.health.cooling(clock.monotonic()), (one) => one.channelId);
    const { channels } = routing();
    const called = new Set(report.channels.map(({ channelId }) => channelId));
    const idle = [...cooling.keys()].filter((id) => !called.has(id)).map(nothingOf);
    const shown = [...report.channels, ...idle].flatMap((sums) => {
      const channel = channels.get(sums.channelId);
      return channel === undefined ? [] : [channelWire(channel, sums, cooling.get(channel.id) ?? [])];
    });
    const sorted = shown.toSorted((left, right) => troubleOf(right) - troubleOf(left) || left.id - right.id);
    return {
      bucket_seconds: BUCKET_MS / 1000,
      channels: sorted.slice(0, CHANNELS_SHOWN),
      more: Math.max(0, sorted.length - CHANNELS_SHOWN),
      nodes: nodes.length,
    };
  },
});

const nothingOf = (channelId: number): ChannelSums => ({
  channelId,
  inFlight: 0,
  counts: new Uint32Array(0),
  keys: [],
  routes: [],
});

/**
 * Sorts channels by trouble: those that calls avoid first, then those with errors, then the rest; busier ones first
 * within each.
 */
const troubleOf = ({ breaker, calls, errors, cooling_models: models }: LiveChannel): number => {
  const busy = Math.min(1, calls / 1e6);
  if (breaker.state !== 'closed') return 4 + busy;
  const share = calls === 0 ? 0 : errors / Math.max(calls, errors);
  if (models.length > 0 || share > 0.05) return 2 + share + busy;
  return busy;
};

const breakerOf = (cooling: Cooling | undefined): Breaker =>
  cooling === undefined
    ? { state: 'closed', seconds_left: 0 }
    : {
        state: cooling.trial ? 'trial' : 'cooling',
        seconds_left: Math.max(0, Math.ceil(cooling.leftMs / 1000)),
      };

const timesOf = (totals: Uint32Array): LiveKey['first_token_ms'] => ({
  p50: firstTokenMs(totals, 0.5) ?? null,
  p95: firstTokenMs(totals, 0.95) ?? null,
});

const cachedShare = (totals: Uint32Array): number | null => {
  const prompt = totals[FIELD.prompt] ?? 0;
  return prompt === 0 ? null : (totals[FIELD.cached] ?? 0) / prompt;
};

const channelWire = (channel: Channel, sums: ChannelSums, cooling: readonly Cooling[]): LiveChannel => {
  const { counts } = sums;
  const totals = totalsOf(counts);
  const firsts = seriesOf(counts, 'firsts');
  const whole = cooling.find(({ keyId, model }) => keyId === 0 && model === '');
  const models = cooling.filter(({ keyId, model }) => keyId === 0 && model !== '');
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    status: channel.status,
    in_flight: sums.inFlight,
    calls: sumOfLast(counts, 'calls', LAST_BUCKETS),
    errors: sumOfLast(counts, 'errors', LAST_BUCKETS),
    first_token_ms: timesOf(totals),
    cached_share: cachedShare(totals),
    breaker: breakerOf(whole),
    cooling_models: [...new Set(models.map(({ model }) => modelNamed(model)))].slice(0, MODELS_SHOWN),
    history: {
      calls: seriesOf(counts, 'calls'),
      errors: seriesOf(counts, 'errors'),
      first_token_ms: seriesOf(counts, 'firstMs').map((ms, at) => {
        const count = firsts[at] ?? 0;
        return count === 0 ? null : Math.round(ms / count);
      }),
    },
    keys: keysOf(channel, sums.keys, cooling),
    pool: channel.pool.length,
    routes: sums.routes.map((route) => {
      const end = route.indexOf('\n');
      return { group: route.slice(0, end), model: route.slice(end + 1) };
    }),
  };
};

const keysOf = ({ pool }: Channel, used: readonly KeySums[], cooling: readonly Cooling[]): LiveKey[] => {
  const sums = new Map(used.map((one) => [one.keyId, one]));
  const wholes = new Map(cooling.filter(({ model }) => model === '').map((one) => [one.keyId, one]));
  const ids = new Set([...cooling.map(({ keyId }) => keyId), ...sums.keys()]);
  return [...ids]
    .flatMap((id): LiveKey[] => {
      const key = keyById(pool, id);
      if (key === undefined) return [];
      const { inFlight = 0, calls = 0, errors = 0, totals = new Uint32Array(FIELDS) } = sums.get(id) ?? {};
      return [
        {
          id,
          name: keyName(key),
          status: key.state.status,
          in_flight: inFlight,
          calls,
          errors,
          first_token_ms: timesOf(totals),
          cached_share: cachedShare(totals),
          breaker: breakerOf(wholes.get(id)),
        },
      ];
    })
    .toSorted((left, right) => right.calls - left.calls || left.id - right.id)
    .slice(0, KEYS_SHOWN);
};
