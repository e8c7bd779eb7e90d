import { initialOptions } from '#contract/options.ts';
import { Secret } from '../../secrets/secret.ts';
import { buildRouting } from './build-routing.ts';
import type { ChannelRow } from '../channel.ts';
import type { SelectInput } from '../selection/open-channels.ts';
import type { Routing } from '../routing.ts';
import { selectChannel } from '../selection/select.ts';

/** A routing of these channels; the key `broken` does not decrypt. */
export const routingOf = (...rows: ChannelRow[]): Routing =>
  buildRouting({
    version: 1,
    priceVersion: 1,
    options: initialOptions,
    catalogue: { find: () => undefined },
    rows,
    openKey: (channel) => {
      if (channel.encryptedKey === 'broken') throw new Error('the key does not open');
      return new Secret('k');
    },
  });

export const triedChannels = (...ids: number[]) => ({ channels: new Set(ids), keys: new Set<number>() });

export const ask = (changes: Partial<SelectInput> = {}): SelectInput => ({
  model: 'm',
  groups: ['default'],
  tried: triedChannels(),
  isCooling: () => false,
  keys: {
    isOpen: () => true,
    backKeys: () => [],
    areAsleep: () => true,
    lastKeyId: () => 0,
    usesOf: () => 0,
  },
  isAble: () => true,
  inputTokens: 0,
  dice: 0,
  ...changes,
});

/** Selects until no channel is left, each at most once, and returns the order. */
export const order = (from: Routing, dice = 0.5): number[] => {
  const tried = new Set<number>();
  for (;;) {
    const { channel } = selectChannel(from, ask({ tried: triedChannels(...tried), dice }));
    if (channel === undefined) return [...tried];
    tried.add(channel.id);
  }
};
