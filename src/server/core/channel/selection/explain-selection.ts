import { chancesByChoice } from './choice.ts';
import { chancesOf } from './draw.ts';
import type { Channel } from '../channel.ts';
import { keyName, type PoolKey } from '../keys/pool.ts';
import type { Routing } from '../routing.ts';
import { type Among, isKeyOpen, type OpenChannels, openChannels, type Undiced } from './open-channels.ts';
import { type LeftOutReason, passedOver, reasonOf, type Wish, wished, worthMovingTo } from './select.ts';
import { type KeyChoice, selectKey, usableKeys } from './select-key.ts';
import type { WishedSeat } from './session-bindings.ts';

/** A key of a channel, and the probability that a call to the channel uses it. */
export interface ExplainedKey {
  readonly id: number;
  readonly name: string;
  readonly isOpen: boolean;
  /** From 0 to 1. */
  readonly chance: number;
}

/** A channel that lists the model: its probability from 0 to 1, and why it is not open, if so. */
export interface ExplainedChannel {
  readonly channel: Channel;
  readonly chance: number;
  readonly reason: LeftOutReason | undefined;
  /** The most likely first; empty if its keys were not looked at. */
  readonly keys: readonly ExplainedKey[];
}

/** How much is explained: calls wait while thousands of keys are looked at. */
interface Most {
  readonly channels: number;
  /** In all pools together: the channels after that are explained without their keys. */
  readonly keys: number;
}

/** Where a call would go in one group, and why it would not go elsewhere. */
export interface Explanation {
  readonly group: string;
  /** Whether only cooling channels are left. */
  readonly coolingTaken: boolean;
  readonly channels: readonly ExplainedChannel[];
  /** All that list the model: of many only the most likely are explained. */
  readonly total: number;
  /** The seat that answered its session last, and why the session would not stay there. */
  readonly wish: Wish | undefined;
}

const EVERYTHING: Most = { channels: Infinity, keys: Infinity };

/** An arbitrary draw: it only decides which key of a wished channel is used. */
const ANY_DICE = 0.5;

/**
 * Computes what `selectChannel` would do over all random draws: which channels are open, where the session stays, and
 * why. It uses the same functions. The most likely comes first.
 */
export const explainSelection = (routing: Routing, input: Undiced, most = EVERYTHING): Explanation => {
  const stay = input.wish && wished(routing, { ...input, dice: ANY_DICE }, input.wish);
  const moved = stay && worthMovingTo(routing, input, stay.channel);
  const open = moved ?? (stay ? onlyOf(routing, stay) : openChannels(routing, input));
  const among = open?.among ?? 'not-cooling';
  const group = open?.group ?? input.groups[0] ?? '';
  const drawable = open?.channels ?? [];
  const { choice } = input;
  const isDrawn = stay === undefined || moved !== undefined;
  const chances =
    isDrawn && choice !== undefined
      ? chancesByChoice(drawable, choice)
      : chancesOf(isDrawn ? drawable : [{ weight: 1 }]);
  const chanceOf = new Map(drawable.map(({ id }, at) => [id, chances[at] ?? 0]));
  const warmKeyId = isDrawn || stay.channel.keyId !== input.wish?.keyId ? 0 : stay.channel.keyId;
  const all = (routing.byModel.get(input.model) ?? [])
    .flatMap((id) => routing.channels.get(id) ?? [])
    .map((channel) => ({ channel, chance: chanceOf.get(channel.id) ?? 0 }))
    .sort(byChance);
  let keysLeft = most.keys;
  const channels = all.slice(0, most.channels).map(({ channel, chance }): ExplainedChannel => {
    const reason = chance > 0 ? undefined : reasonOf(channel, { channel: drawable[0], group }, input);
    keysLeft -= channel.pool.length;
    const keys = keysLeft < 0 ? [] : keysOf(channel, input, among, chance > 0 ? warmKeyId : 0);
    return { channel, chance, reason, keys };
  });
  const wish = input.wish && wishOf(routing, input, input.wish, { stay, moved, first: drawable[0], group });
  return { group, coolingTaken: among === 'even-cooling', channels, total: all.length, wish };
};

const onlyOf = ({ channels }: Routing, { channel: { id }, group }: Stay): OpenChannels => ({
  channels: [channels.get(id)].filter((channel) => channel !== undefined),
  group,
  among: 'not-cooling',
  areSure: false,
});

type Stay = NonNullable<ReturnType<typeof wished>>;

interface Outcome {
  readonly stay: Stay | undefined;
  readonly moved: OpenChannels | undefined;
  readonly first: Channel | undefined;
  readonly group: string;
}

/** What becomes of the wish. If its seat is not open, that does not depend on the draw. */
const wishOf = (
  routing: Routing,
  input: Undiced,
  seat: WishedSeat,
  { stay, moved, first, group }: Outcome,
): Wish =>
  moved === undefined
    ? passedOver(routing, { channel: stay?.channel ?? first, group }, input, seat)
    : { channelId: seat.channelId, keyId: seat.keyId, passedOver: 'cheaper' };

type Weighed = Pick<ExplainedChannel, 'channel' | 'chance'>;

const byChance = (one: Weighed, other: Weighed): number =>
  other.chance - one.chance ||
  other.channel.priority - one.channel.priority ||
  one.channel.id - other.channel.id;

const keysOf = (
  channel: Channel,
  input: Undiced,
  among: Among,
  warmKeyId: number,
): readonly ExplainedKey[] => {
  const isOpen = isKeyOpen(channel, input, among);
  const open = new Set(channel.pool.filter(isOpen));
  const chances = warmKeyId === 0 ? keyChances(channel, open, input.keys) : new Map([[warmKeyId, 1]]);
  return channel.pool
    .map((key) => ({
      id: key.id,
      name: keyName(key),
      isOpen: open.has(key),
      chance: chances.get(key.id) ?? 0,
    }))
    .sort(
      (one, other) =>
        other.chance - one.chance || Number(other.isOpen) - Number(one.isOpen) || one.id - other.id,
    );
};

/** The probability of each open key. */
const keyChances = (
  channel: Channel,
  open: ReadonlySet<PoolKey>,
  choice: KeyChoice,
): ReadonlyMap<number, number> => {
  const { poolMode } = channel;
  if (poolMode === 'random') {
    const keys = [...open];
    const chances = chancesOf(keys);
    return new Map(keys.map(({ id }, at) => [id, chances[at] ?? 0]));
  }
  const isOpen = (key: PoolKey): boolean => open.has(key);
  const found = new Map<number, number>();
  for (const { dice, share } of startsOf(channel, isOpen, choice)) {
    const key = selectKey(channel, isOpen, choice, dice);
    if (key !== undefined) found.set(key.id, (found.get(key.id) ?? 0) + share);
  }
  return found;
};

/** A draw, and the share of all draws that choose the same key. */
interface Start {
  readonly dice: number;
  readonly share: number;
}

/**
 * In turn it is the same key for every draw. The least-used key depends on the position at which the search starts: it is the
 * same for an open key and all closed ones before it, which may be thousands.
 */
const startsOf = (
  channel: Channel,
  isOpen: (key: PoolKey) => boolean,
  choice: KeyChoice,
): readonly Start[] => {
  if (channel.poolMode !== 'least_used') return [{ dice: ANY_DICE, share: 1 }];
  const pool = usableKeys(channel, choice);
  const places = pool.flatMap((key, at) => (isOpen(key) ? [at] : []));
  return places.map((at, index) => {
    const before = places[index - 1] ?? (places.at(-1) ?? at) - pool.length;
    return { dice: (at + 0.5) / pool.length, share: (at - before) / pool.length };
  });
};
