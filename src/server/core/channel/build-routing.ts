import { channelStatus } from '#contract/codes.ts';
import type { Lowered } from '#contract/options/evidence.ts';
import { commaList } from '#contract/text.ts';
import type { Channel } from './channel.ts';
import { parseChannel } from './parse-channel.ts';
import type { BadChannel, Routing, RoutingInput, Tier } from './routing.ts';

/** The number of names filed before other work gets its turn. */
const NAMES_AT_ONCE = 5000;

/**
 * Builds the routing from rows and options. A channel that does not parse, or whose key does not decrypt, is left out
 * with its reason: one bad row never stops the others.
 */
export const buildRouting = (input: RoutingInput): Routing => {
  const steps = routingSteps(input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Builds the routing in short steps, so that calls go on while thousands of channels are read. */
export function* routingSteps(input: RoutingInput): Generator<undefined, Routing> {
  const { channels, bad } = parsedChannels(input);
  return {
    version: input.version,
    priceVersion: input.priceVersion,
    pricesUntilMs: input.pricesUntilMs,
    options: input.options,
    catalogue: input.catalogue,
    channels,
    bad,
    tiers: yield* tiersOf(channels),
    byModel: yield* channelsByModel(channels),
  };
}

const parsedChannels = (input: RoutingInput): Pick<Routing, 'channels' | 'bad'> => {
  const channels = new Map<number, Channel>();
  const bad: BadChannel[] = [];
  const lowered = input.options['evidence_setting.lowered'];
  const passwords = input.openProxyPassword ?? noPasswords;
  for (const row of input.rows) {
    try {
      const channel =
        input.known?.get(row) ?? parseChannel(row, input.openKey, passwords, input.pools?.get(row.id));
      channels.set(row.id, withWeight(channel, lowered[String(row.id)]));
    } catch (thrown) {
      bad.push({
        id: row.id,
        name: row.name,
        reason: thrown instanceof Error ? thrown.message : 'does not read',
        models: commaList(row.models),
        groups: commaList(row.groups),
      });
    }
  }
  return { channels, bad };
};

/** The channel with the part of its weight that a rule has left it. */
const withWeight = (channel: Channel, lowered: Lowered | undefined): Channel =>
  lowered === undefined ? channel : { ...channel, weight: (channel.weight * lowered.percent) / 100 };

const noPasswords = (): never => {
  throw new TypeError('passwords of proxies do not open here');
};

const listIn = <Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] => {
  let list = lists.get(key);
  if (list === undefined) lists.set(key, (list = []));
  return list;
};

function* channelsByModel(channels: Routing['channels']): Generator<undefined, Routing['byModel']> {
  const byModel = new Map<string, Channel[]>();
  let names = 0;
  for (const channel of channels.values()) {
    for (const model of channel.models) listIn(byModel, model).push(channel);
    if ((names += channel.models.length) < NAMES_AT_ONCE) continue;
    names = 0;
    yield;
  }
  return byModel;
}

function* tiersOf(channels: Routing['channels']): Generator<undefined, Routing['tiers']> {
  const lists = new Map<string, Map<string, Channel[]>>();
  let names = 0;
  for (const channel of channels.values()) {
    if (channel.status !== channelStatus.enabled) continue;
    for (const group of channel.groups) {
      let models = lists.get(group);
      if (models === undefined) lists.set(group, (models = new Map()));
      for (const model of channel.models) listIn(models, model).push(channel);
      if ((names += channel.models.length) < NAMES_AT_ONCE) continue;
      names = 0;
      yield;
    }
  }
  const tiers = new Map<string, Map<string, readonly Tier[]>>();
  for (const [group, models] of lists) {
    const ofGroup = new Map<string, readonly Tier[]>();
    tiers.set(group, ofGroup);
    for (const [model, list] of models) {
      ofGroup.set(model, byPriority(list));
      if ((names += list.length) < NAMES_AT_ONCE) continue;
      names = 0;
      yield;
    }
  }
  return tiers;
}

const byPriority = (channels: readonly Channel[]): Tier[] => {
  const tiers = new Map<number, Channel[]>();
  for (const channel of channels) listIn(tiers, channel.priority).push(channel);
  return [...tiers]
    .map(([priority, list]) => ({ priority, channels: list }))
    .toSorted((left, right) => right.priority - left.priority);
};
