import { channelStatus } from '#contract/codes.ts';
import type { Lowered } from '#contract/options/evidence.ts';
import { prepareAliases } from './aliased-model.ts';
import type { Channel } from './channel.ts';
import { orderOf } from './keys/pool-order.ts';
import type { BadChannel, Routing, RoutingInput, Tier } from './routing.ts';

/** The number of entries of lists that are written before other work gets its turn. */
const WRITTEN_AT_ONCE = 20_000;

const NOTHING: Pick<Routing, 'channels' | 'tiers' | 'byModel'> = {
  channels: new Map(),
  tiers: new Map(),
  byModel: new Map(),
};

/**
 * Builds the routing in short steps, so that calls can run in between. A channel that could not be read is left out with its
 * reason. Lists without changes are taken over from the routing before: one changed channel of thousands costs little, and
 * what is remembered about the other lists stays.
 */
export function* routingSteps(
  { read, ...input }: RoutingInput,
  before = NOTHING,
): Generator<undefined, Routing> {
  const channels = new Map<number, Channel>();
  const bad: BadChannel[] = [];
  const lowered = input.options['evidence_setting.lowered'];
  for (const channel of read)
    if ('reason' in channel) bad.push(channel);
    else channels.set(channel.id, withWeight(channel, lowered[String(channel.id)]));
  const changes = changesOf(before.channels, channels);
  yield* prepareAliases(input);
  yield* sortPools(changes);
  return {
    ...input,
    channels,
    bad,
    tiers: yield* changedTiers(before.tiers, changes),
    byModel: yield* changedIds(before.byModel, changes),
  };
}

/** Sorts the keys of channels that have changed, which the first call of each model would do otherwise. */
function* sortPools(changes: readonly Change[]): Generator<undefined, void> {
  const isEnough = pacer();
  for (const { now } of changes) {
    if (now === undefined || now.pool.length === 0) continue;
    orderOf(now.pool);
    if (isEnough(now.pool.length)) yield;
  }
}

const weakened = new WeakMap<Channel, Channel>();

/** The channel with its weight lowered by a rule; the same object while neither changes. */
const withWeight = (channel: Channel, lowered: Lowered | undefined): Channel => {
  if (lowered === undefined) return channel;
  const weight = (channel.weight * lowered.percent) / 100;
  const last = weakened.get(channel);
  if (last?.weight === weight) return last;
  const made = { ...channel, weight };
  weakened.set(channel, made);
  return made;
};

/** A channel before and after; undefined where it did not exist yet, or is gone. */
interface Change {
  readonly was: Channel | undefined;
  readonly now: Channel | undefined;
}

/** What has changed, by id. */
const changesOf = (before: Routing['channels'], now: Routing['channels']): readonly Change[] => {
  const changes: (Change & { readonly id: number })[] = [];
  for (const [id, channel] of now) {
    const was = before.get(id);
    if (was !== channel) changes.push({ id, was, now: channel });
  }
  for (const [id, was] of before) if (!now.has(id)) changes.push({ id, was, now: undefined });
  return changes.sort((one, other) => one.id - other.id);
};

/** The items that leave a list and those that enter it, by id. A changed channel does both. */
interface Edits<Item> {
  readonly gone: Item[];
  readonly come: Item[];
}

const editsIn = <Key, Item>(all: Map<Key, Edits<Item>>, key: Key): Edits<Item> => {
  let edits = all.get(key);
  if (edits === undefined) all.set(key, (edits = { gone: [], come: [] }));
  return edits;
};

/** The index of an id in a list. */
const placeIn = <Item>(list: readonly Item[], id: number, idOf: (item: Item) => number): number => {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = list[middle];
    if (item !== undefined && idOf(item) < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Up to this many edits are made in a copy of the list, which is five times as fast as writing it item by item. */
const FEW = 4;

/** The list after these edits. All are sorted by id. */
const edited = <Item>(
  list: readonly Item[],
  { gone, come }: Edits<Item>,
  idOf: (item: Item) => number,
): readonly Item[] => {
  if (list.length === 0) return come;
  if (gone.length + come.length <= FEW) {
    const copy = list.slice();
    for (const item of gone) copy.splice(placeIn(copy, idOf(item), idOf), 1);
    for (const item of come) copy.splice(placeIn(copy, idOf(item), idOf), 0, item);
    return copy;
  }
  const next: Item[] = [];
  let [left, added] = [0, 0];
  const addUntil = (id: number): void => {
    for (let one = come[added]; one !== undefined && idOf(one) <= id; one = come[added]) {
      next.push(one);
      added += 1;
    }
  };
  for (const item of list) {
    const id = idOf(item);
    addUntil(id);
    const leaving = gone[left];
    if (leaving !== undefined && idOf(leaving) === id) left += 1;
    else next.push(item);
  }
  addUntil(Infinity);
  return next;
};

/** Whether enough was written for other work to get its turn. */
const pacer = (): ((written: number) => boolean) => {
  let sum = 0;
  return (written) => {
    sum += written;
    if (sum < WRITTEN_AT_ONCE) return false;
    sum = 0;
    return true;
  };
};

const byId = ({ id }: Channel): number => id;

function* changedTiers(
  before: Routing['tiers'],
  changes: readonly Change[],
): Generator<undefined, Routing['tiers']> {
  if (changes.length === 0) return before;
  const groups = new Map<string, Map<string, Edits<Channel>>>();
  const isEnough = pacer();
  for (const change of changes)
    for (const side of ['gone', 'come'] as const) {
      const channel = side === 'gone' ? change.was : change.now;
      if (channel?.status !== channelStatus.enabled) continue;
      for (const group of channel.groups) {
        let models = groups.get(group);
        if (models === undefined) groups.set(group, (models = new Map()));
        for (const model of channel.models) editsIn(models, model)[side].push(channel);
        if (isEnough(channel.models.length)) yield;
      }
    }
  const tiers = new Map(before);
  for (const [group, models] of groups) {
    const ofGroup = new Map(before.get(group));
    for (const [model, edits] of models) {
      const known = ofGroup.get(model) ?? [];
      const next = tiersAfter(known, edits);
      if (next.length === 0) ofGroup.delete(model);
      else ofGroup.set(model, next);
      if (isEnough(entriesOf(next) + edits.gone.length)) yield;
    }
    if (ofGroup.size === 0) tiers.delete(group);
    else tiers.set(group, ofGroup);
  }
  return tiers;
}

const entriesOf = (tiers: readonly Tier[]): number =>
  tiers.reduce((sum, { channels }) => sum + channels.length, 0);

const tiersAfter = (before: readonly Tier[], { gone, come }: Edits<Channel>): readonly Tier[] => {
  const byPriority = new Map<number, Edits<Channel>>();
  for (const channel of gone) editsIn(byPriority, channel.priority).gone.push(channel);
  for (const channel of come) editsIn(byPriority, channel.priority).come.push(channel);
  const tiers = before.filter(({ priority }) => !byPriority.has(priority));
  for (const [priority, edits] of byPriority) {
    const known = before.find((tier) => tier.priority === priority)?.channels ?? [];
    const channels = edited(known, edits, byId);
    if (channels.length > 0) tiers.push({ priority, channels });
  }
  return tiers.sort((one, other) => other.priority - one.priority);
};

const itself = (id: number): number => id;

const without = (list: readonly string[] = [], other: readonly string[] = []): readonly string[] => {
  if (other.length === 0) return list;
  const others = new Set(other);
  return list.filter((text) => !others.has(text));
};

function* changedIds(
  before: Routing['byModel'],
  changes: readonly Change[],
): Generator<undefined, Routing['byModel']> {
  const models = new Map<string, Edits<number>>();
  const isEnough = pacer();
  for (const { was, now } of changes) {
    const left = without(was?.models, now?.models);
    const added = without(now?.models, was?.models);
    for (const model of left) editsIn(models, model).gone.push(was?.id ?? 0);
    for (const model of added) editsIn(models, model).come.push(now?.id ?? 0);
    if (isEnough((was?.models.length ?? 0) + (now?.models.length ?? 0))) yield;
  }
  if (models.size === 0) return before;
  const byModel = new Map(before);
  for (const [model, edits] of models) {
    const ids = edited(before.get(model) ?? [], edits, itself);
    if (ids.length === 0) byModel.delete(model);
    else byModel.set(model, ids);
    if (isEnough(ids.length + edits.gone.length)) yield;
  }
  return byModel;
}
