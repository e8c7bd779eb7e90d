import type { z } from 'zod';
import type { readLive } from '#contract/api/channels/channel-live.ts';
import type { Tone } from '../../kit/status.tsx';

export type LiveChannel = z.infer<typeof readLive.data>['channels'][number];
export type LiveKey = LiveChannel['keys'][number];
type Breaker = LiveChannel['breaker'];

/** The calls per second, over the last minute. */
export const aSecond = (calls: number): string => {
  const rate = calls / 60;
  return rate >= 10 || rate === 0 ? rate.toFixed(0) : rate >= 1 ? rate.toFixed(1) : rate.toFixed(2);
};

/** How many of the calls failed, from 0 to 1. */
export const errorShare = ({ calls, errors }: Pick<LiveKey, 'calls' | 'errors'>): number =>
  errors === 0 ? 0 : errors / Math.max(calls, errors);

const MANY_ERRORS = 0.05;

type Health = 'cooling' | 'trial' | 'errors' | 'models' | 'well' | 'quiet';

/** The state of a channel in one word. */
export const healthOf = (channel: LiveChannel): Health => {
  const { breaker, calls } = channel;
  if (breaker.state !== 'closed') return breaker.state;
  if (errorShare(channel) > MANY_ERRORS) return 'errors';
  if (channel.cooling_models.length > 0) return 'models';
  return calls === 0 && channel.in_flight === 0 ? 'quiet' : 'well';
};

export const toneOf: Readonly<Record<Health, Tone>> = {
  cooling: 'bad',
  trial: 'warn',
  errors: 'bad',
  models: 'warn',
  well: 'ok',
  quiet: 'muted',
};

const RANKS: readonly Health[] = ['cooling', 'trial', 'errors', 'models', 'well', 'quiet'];

/** Channels with problems first, the others by name, so that cards keep their places while numbers change. */
export const inOrder = (channels: readonly LiveChannel[]): readonly LiveChannel[] =>
  channels.toSorted(
    (left, right) =>
      RANKS.indexOf(healthOf(left)) - RANKS.indexOf(healthOf(right)) ||
      left.name.localeCompare(right.name) ||
      left.id - right.id,
  );

/** The tone of a key: its own state first, then the results of its calls. */
export const keyTone = ({ status, breaker }: LiveKey): Tone =>
  status === 'enabled' ? breakerTone(breaker) : 'warn';

export const breakerTone = ({ state }: Breaker): Tone => (state === 'closed' ? 'ok' : toneOf[state]);

interface FlowEdge {
  readonly from: number;
  readonly to: number;
}

interface Flow {
  readonly groups: readonly string[];
  readonly models: readonly string[];
  readonly channels: readonly LiveChannel[];
  /** From a group to a model, by their rows. */
  readonly asks: readonly FlowEdge[];
  /** From a model to a channel. */
  readonly goes: readonly FlowEdge[];
  /** The used keys of channels that have several, with the row of their channel. */
  readonly keys: readonly (FlowEdge & { readonly key: LiveKey })[];
}

/** Rows of the picture: more would not be seen. */
const MOST_ROWS = 16;

/** The flows from groups over models to the busiest channels. */
export const flowOf = (all: readonly LiveChannel[]): Flow => {
  const channels = all.filter(({ routes }) => routes.length > 0).slice(0, MOST_ROWS);
  const routes = channels.flatMap((channel, to) => channel.routes.map((route) => ({ ...route, to })));
  const groups = [...new Set(routes.map(({ group }) => group))].toSorted().slice(0, MOST_ROWS);
  const models = [...new Set(routes.map(({ model }) => model))].toSorted().slice(0, MOST_ROWS);
  const asks = new Map<string, FlowEdge>();
  const goes = new Map<string, FlowEdge>();
  for (const { group, model, to } of routes) {
    const [from, through] = [groups.indexOf(group), models.indexOf(model)];
    if (through < 0) continue;
    goes.set(`${through} ${to}`, { from: through, to });
    if (from >= 0) asks.set(`${from} ${through}`, { from, to: through });
  }
  const keys = channels
    .flatMap((channel, from) => (channel.pool === 0 ? [] : channel.keys.map((key) => ({ from, key }))))
    .slice(0, MOST_ROWS)
    .map((one, to) => ({ ...one, to }));
  return { groups, models, channels, asks: [...asks.values()], goes: [...goes.values()], keys };
};
