import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ChannelRow } from '../channel.ts';
import type { Routing } from '../routing.ts';
import type { SelectInput } from './open-channels.ts';
import { selectChannel } from './select.ts';
import { channelRowOf, poolKeyOf } from '../testing/channel.ts';
import { ask, order, routingOf, triedChannels } from '../testing/selecting.ts';

describe('the channel a session wishes for', () => {
  const rows = () => [
    channelRowOf(1, { priority: 10 }),
    channelRowOf(2, { weight: 1 }),
    channelRowOf(3, { weight: 1000, maxInputTokens: 100 }),
  ];
  const wishFor = (channelId: number, changes: Partial<SelectInput> = {}) =>
    ask({ wish: { channelId, keyId: 0, isBusy: false }, ...changes });

  test('is taken before one of higher priority or weight, and the others are said to be passed by for it', () => {
    const decision = selectChannel(routingOf(...rows()), wishFor(2));
    expect(decision).toMatchObject({ channel: { id: 2 }, group: 'default', coolingTaken: false });
    expect(decision.wish).toEqual({ channelId: 2, keyId: 0 });
    expect(decision.leftOut).toEqual([
      { channelId: 1, reason: 'bound_elsewhere' },
      { channelId: 3, reason: 'bound_elsewhere' },
    ]);
  });

  test('is passed over, with the reason, where it is not open, and another one answers', () => {
    const why = (from: Routing, input: SelectInput) => {
      const { channel, wish } = selectChannel(from, input);
      return [channel?.id, wish?.passedOver];
    };
    const with2 = (changes: Partial<ChannelRow>) =>
      routingOf(channelRowOf(1, { priority: 10 }), channelRowOf(2, changes));
    expect(why(with2({ status: 3 }), wishFor(2))).toEqual([1, 'disabled']);
    expect(why(with2({ groups: 'vip' }), wishFor(2))).toEqual([1, 'other_group']);
    expect(why(with2({ models: 'other' }), wishFor(2))).toEqual([1, 'gone']);
    expect(why(with2({}), wishFor(9))).toEqual([1, 'gone']);
    expect(why(with2({ encryptedKey: 'broken' }), wishFor(2))).toEqual([1, 'gone']);
    expect(why(with2({}), wishFor(2, { tried: triedChannels(2) }))).toEqual([1, 'tried']);
    expect(why(with2({}), wishFor(2, { isCooling: (id) => id === 2 }))).toEqual([1, 'cooling']);
    expect(why(with2({}), wishFor(2, { isAble: ({ id }) => id !== 2 }))).toEqual([
      1,
      'unsupported_operation',
    ]);
    expect(why(routingOf(...rows()), wishFor(3, { inputTokens: 101 }))).toEqual([1, 'too_long']);
  });

  test('of a session that calls too often is not kept for it: the call is drawn, and said to be', () => {
    const decision = selectChannel(
      routingOf(...rows()),
      ask({ wish: { channelId: 2, keyId: 0, isBusy: true } }),
    );
    expect([decision.channel?.id, decision.wish?.passedOver]).toEqual([1, 'busy']);
    expect(decision.leftOut).toEqual([
      { channelId: 2, reason: 'lower_priority' },
      { channelId: 3, reason: 'lower_priority' },
    ]);
  });

  describe('with one of its keys', () => {
    const pooled = () => {
      const from = routingOf(channelRowOf(1), channelRowOf(2, { priority: 10 }));
      const one = from.channels.get(1);
      if (one !== undefined) Object.assign(one, { pool: [11, 12, 13].map((id) => poolKeyOf(id)) });
      return from;
    };
    const taken = (changes: Partial<SelectInput>) => {
      const wish = { channelId: 1, keyId: 12, isBusy: false };
      const decision = selectChannel(pooled(), ask({ wish, ...changes }));
      return [decision.channel?.id, decision.channel?.keyId, decision.wish?.passedOver];
    };
    const keysOpen = (isOpen: (id: number) => boolean): Partial<SelectInput> => ({
      keys: {
        isOpen: ({ id }) => isOpen(id),
        backKeys: () => [],
        areAsleep: () => true,
        lastKeyId: () => 0,
        usesOf: () => 0,
      },
    });

    test('is taken with that key, however keys are chosen else', () => {
      expect(taken({})).toEqual([1, 12, undefined]);
    });

    test('is taken with another key where that one was tried, waits, is off or gone', () => {
      expect(taken({ tried: { channels: new Set(), keys: new Set([12]) } })).toEqual([1, 11, 'key']);
      expect(taken({ isCooling: (_, keyId) => keyId === 12 })).toEqual([1, 11, 'key']);
      expect(taken(keysOpen((id) => id !== 12))).toEqual([1, 11, 'key']);
      expect(taken({ wish: { channelId: 1, keyId: 99, isBusy: false } })).toEqual([1, 11, 'key']);
    });

    test('is passed over where no key of it is left', () => {
      expect(taken(keysOpen(() => false))).toEqual([2, 0, 'no_key']);
      expect(taken({ tried: triedChannels(1) })).toEqual([2, 0, 'tried']);
    });
  });

  test('that is cooling is taken where nothing else is left', () => {
    const decision = selectChannel(routingOf(channelRowOf(2)), wishFor(2, { isCooling: () => true }));
    expect(decision).toMatchObject({ channel: { id: 2 }, coolingTaken: true });
    expect(decision.wish).toEqual({ channelId: 2, keyId: 0 });
  });

  test('never opens a channel that would not be reached without it', () => {
    const changes = fc.record({
      status: fc.constantFrom(1, 3),
      groups: fc.constantFrom('default', 'vip'),
      models: fc.constantFrom('m', 'other'),
      priority: fc.integer({ min: 0, max: 2 }),
      maxInputTokens: fc.constantFrom(0, 5),
    });
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 6 }), fc.nat(7), (given, wishedId) => {
        const from = routingOf(...given.map((row, index) => channelRowOf(index + 1, row)));
        const taken = selectChannel(from, wishFor(wishedId, { inputTokens: 6 }));
        const reachable = order(from).filter((id) => from.channels.get(id)?.maxInputTokens === 0);
        const without = selectChannel(from, ask({ inputTokens: 6 })).channel?.id;
        expect(taken.channel?.id).toBe(reachable.includes(wishedId) ? wishedId : without);
      }),
    );
  });
});
