import { chancesByChoice } from './choice.ts';
import { chancesOf } from './draw.ts';
import type { Channel } from './channel.ts';
import { keyName, type PoolKey } from './pool.ts';
import type { Routing } from './routing.ts';
import { isKeyOpen, openChannels, type Undiced } from './open-channels.ts';
import { type LeftOutReason, reasonOf } from './select.ts';
import { type KeyChoice, selectKey } from './select-key.ts';

/** A key of a channel, and how likely a call that goes to the channel is sent with it. */
export interface ExplainedKey {
  readonly id: number;
  readonly name: string;
  readonly isOpen: boolean;
  /** From 0 to 1. */
  readonly chance: number;
}

/** A channel that lists the model: how likely it is taken, from 0 to 1, and if it cannot be, why. */
export interface ExplainedChannel {
  readonly channel: Channel;
  readonly chance: number;
  readonly reason: LeftOutReason | undefined;
  readonly keys: readonly ExplainedKey[];
}

export interface Explanation {
  readonly group: string;
  /** Only cooling channels are left. */
  readonly coolingTaken: boolean;
  readonly channels: readonly ExplainedChannel[];
}

/**
 * What `selectChannel` would do with a call that is bound to no channel, over all dice: who is open, and the reasons, are
 * asked of the same functions. The likeliest first.
 */
export const explainSelection = (routing: Routing, input: Undiced): Explanation => {
  const open = openChannels(routing, input);
  const evenCooling = open?.evenCooling === true;
  const group = open?.group ?? input.groups[0] ?? '';
  const among = open?.channels ?? [];
  const chances = input.choice === undefined ? chancesOf(among) : chancesByChoice(among, input.choice);
  const chanceOf = new Map(open?.channels.map(({ id }, at) => [id, chances[at] ?? 0]));
  const channels = (routing.byModel.get(input.model) ?? []).map((channel): ExplainedChannel => {
    const chance = chanceOf.get(channel.id) ?? 0;
    const reason = chance > 0 ? undefined : reasonOf(channel, open?.channels[0], group, input);
    return { channel, chance, reason, keys: keysOf(channel, input, evenCooling) };
  });
  return { group, coolingTaken: evenCooling, channels: channels.toSorted(byChance) };
};

const byChance = (one: ExplainedChannel, other: ExplainedChannel): number =>
  other.chance - one.chance ||
  other.channel.priority - one.channel.priority ||
  one.channel.id - other.channel.id;

const keysOf = (channel: Channel, input: Undiced, evenCooling: boolean): readonly ExplainedKey[] => {
  const isOpen = isKeyOpen(channel, input, evenCooling);
  const open = new Set(channel.pool.filter(isOpen));
  const chances = keyChances(channel, open, input.keys);
  return channel.pool.map((key) => ({
    id: key.id,
    name: keyName(key),
    isOpen: open.has(key),
    chance: chances.get(key) ?? 0,
  }));
};

/** How likely each open key is chosen. */
const keyChances = (
  channel: Channel,
  open: ReadonlySet<PoolKey>,
  choice: KeyChoice,
): ReadonlyMap<PoolKey, number> => {
  const { pool, poolMode } = channel;
  if (poolMode === 'random') {
    const keys = [...open];
    const chances = chancesOf(keys);
    return new Map(keys.map((key, at) => [key, chances[at] ?? 0]));
  }
  // In turn it is the same one for all dice; the least used depends on where the dice begin, which is one of the places.
  const places = poolMode === 'least_used' ? pool.length : 1;
  const found = new Map<PoolKey, number>();
  for (let place = 0; place < places; place += 1) {
    const key = selectKey(channel, (one) => open.has(one), choice, (place + 0.5) / places);
    if (key !== undefined) found.set(key, (found.get(key) ?? 0) + 1 / places);
  }
  return found;
};
