import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mapModel } from '#contract/channel/model-mapping.ts';
import { selectChannel } from './select.ts';
import { channelRowOf } from '../testing/channel.ts';
import { ask, order, routingOf, triedChannels } from '../testing/selecting.ts';

describe('choosing a channel', () => {
  test('takes the highest priority, and a lower one only when that is used up', () => {
    expect(
      order(
        routingOf(
          channelRowOf(1),
          channelRowOf(2, { priority: 10 }),
          channelRowOf(3, { priority: -5 }),
          channelRowOf(4, { priority: 10 }),
        ),
      ).map((id) => ({ 1: 'middle', 2: 'top', 3: 'low', 4: 'top' })[id]),
    ).toEqual(['top', 'top', 'middle', 'low']);
  });

  test('draws by weight: three to one, and weight 0 only when the others are used up', () => {
    const from = routingOf(channelRowOf(1, { weight: 3 }), channelRowOf(2, { weight: 1 }), channelRowOf(3));
    const drawn = [0, 0.25, 0.5, 0.74, 0.75, 0.999].map(
      (dice) => selectChannel(from, ask({ dice })).channel?.id,
    );
    expect(drawn).toEqual([1, 1, 1, 1, 2, 2]);
    expect(selectChannel(from, ask({ tried: triedChannels(1, 2) })).channel?.id).toBe(3);
  });

  test('draws evenly when all weights are 0', () => {
    const from = routingOf(channelRowOf(1), channelRowOf(2), channelRowOf(3), channelRowOf(4));
    expect([0, 0.26, 0.51, 0.76].map((dice) => selectChannel(from, ask({ dice })).channel?.id)).toEqual([
      1, 2, 3, 4,
    ]);
  });

  test('passes over channels that are disabled, of another group, unable or cooling, with the reason', () => {
    const from = routingOf(
      channelRowOf(1, { status: 3 }),
      channelRowOf(2, { groups: 'vip' }),
      channelRowOf(3),
      channelRowOf(4),
      channelRowOf(5),
      channelRowOf(6, { priority: -1 }),
      channelRowOf(7, { models: 'other' }),
    );
    const decision = selectChannel(from, ask({ isCooling: (id) => id === 3, isAble: ({ id }) => id !== 4 }));
    expect(decision.channel?.id).toBe(5);
    expect(decision.leftOut).toEqual([
      { channelId: 1, reason: 'disabled' },
      { channelId: 2, reason: 'other_group' },
      { channelId: 3, reason: 'cooling' },
      { channelId: 4, reason: 'unsupported_operation' },
      { channelId: 6, reason: 'lower_priority' },
    ]);
  });

  test('says of a channel of the same priority that it was not drawn, of a lower one that it is lower', () => {
    const from = routingOf(
      channelRowOf(1, { weight: 1 }),
      channelRowOf(2, { weight: 1 }),
      channelRowOf(3, { priority: -1 }),
    );
    expect(selectChannel(from, ask()).leftOut).toEqual([
      { channelId: 2, reason: 'not_drawn' },
      { channelId: 3, reason: 'lower_priority' },
    ]);
  });

  test('says of a channel that was tried that it was, whatever else there is about it', () => {
    const from = routingOf(
      channelRowOf(1, { groups: 'vip' }),
      channelRowOf(2, { status: 3 }),
      channelRowOf(3),
    );
    const { leftOut } = selectChannel(from, ask({ tried: triedChannels(1, 2) }));
    expect(leftOut).toEqual([
      { channelId: 1, reason: 'tried' },
      { channelId: 2, reason: 'disabled' },
    ]);
  });

  test('of several groups takes the reasons of the one that was chosen', () => {
    const from = routingOf(
      channelRowOf(1, { groups: 'a' }),
      channelRowOf(2, { groups: 'b', maxInputTokens: 9 }),
    );
    expect(selectChannel(from, ask({ groups: ['a', 'b'], inputTokens: 10 })).leftOut).toEqual([
      { channelId: 2, reason: 'other_group' },
    ]);
    expect(selectChannel(from, ask({ groups: ['b'], inputTokens: 10 })).leftOut).toEqual([
      { channelId: 1, reason: 'other_group' },
      { channelId: 2, reason: 'too_long' },
    ]);
  });

  test('keeps the reasons of fifty channels at most', () => {
    const from = routingOf(...Array.from({ length: 60 }, (_, at) => channelRowOf(at + 1)));
    expect(selectChannel(from, ask()).leftOut).toHaveLength(50);
  });

  test('takes a cooling channel only when nothing else is left', () => {
    const from = routingOf(channelRowOf(1, { priority: 5 }), channelRowOf(2));
    const cooling = (id: number): boolean => id === 1;
    expect(selectChannel(from, ask({ isCooling: cooling })).channel?.id).toBe(2);
    expect(selectChannel(from, ask({ isCooling: cooling, tried: triedChannels(2) }))).toMatchObject({
      channel: { id: 1 },
      coolingTaken: true,
    });
  });

  test('goes through groups in their order and names the one that came out', () => {
    const from = routingOf(channelRowOf(1, { groups: 'vip' }), channelRowOf(2, { groups: 'svip' }));
    expect(selectChannel(from, ask({ groups: ['default', 'svip', 'vip'] }))).toMatchObject({
      channel: { id: 2 },
      group: 'svip',
    });
    expect(selectChannel(from, ask()).channel).toBeUndefined();
  });

  test('leaves out a channel that does not read, with the reason, and keeps the others', () => {
    const from = routingOf(
      channelRowOf(1, { modelMapping: '{"a":' }),
      channelRowOf(2, { statusCodeMapping: '{"500":"200"}' }),
      channelRowOf(3, { encryptedKey: 'broken' }),
      channelRowOf(4, { modelMapping: '{"a":"b","b":"a"}' }),
      channelRowOf(5, { type: 9999 }),
      channelRowOf(6),
    );
    expect(from.bad.map(({ id, reason }) => [id, reason])).toEqual([
      [1, 'model mapping does not read'],
      [2, 'status codes map from 400–599 to 400–599'],
      [3, 'the key does not open'],
      [4, 'the model mapping goes in a circle at a'],
      [5, 'unknown channel type 9999'],
    ]);
    expect(order(from)).toEqual([6]);
  });

  test('never takes a channel twice, takes all of them, and never a lower priority before a higher', () => {
    const rows = fc.array(fc.record({ priority: fc.integer({ min: -2, max: 2 }), weight: fc.nat(3) }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(rows, fc.double({ min: 0, max: 0.999_999, noNaN: true }), (given, dice) => {
        const all = given.map((changes, index) => channelRowOf(index + 1, changes));
        const ids = order(routingOf(...all), dice);
        expect(ids.toSorted((a, b) => a - b)).toEqual(all.map(({ id }) => id));
        const priorities = ids.map((id) => all[id - 1]?.priority ?? 0);
        expect(priorities).toEqual(priorities.toSorted((a, b) => b - a));
      }),
    );
  });
});

describe('model mapping', () => {
  const mapping = (pairs: Record<string, string>): ReadonlyMap<string, string> =>
    new Map(Object.entries(pairs));

  test('is followed as a chain', () => {
    expect(mapModel(mapping({ a: 'b', b: 'c' }), 'a')).toEqual({ model: 'c', mapped: true });
    expect(mapModel(mapping({ a: 'b' }), 'z')).toEqual({ model: 'z', mapped: false });
  });

  test('to itself ends the chain', () => {
    expect(mapModel(mapping({ a: 'a' }), 'a')).toEqual({ model: 'a', mapped: false });
    expect(mapModel(mapping({ a: 'b', b: 'b' }), 'a')).toEqual({ model: 'b', mapped: true });
  });

  test('in a circle is named', () => {
    expect(mapModel(mapping({ a: 'b', b: 'c', c: 'a' }), 'a')).toEqual({ cycleAt: 'a' });
  });
});

describe('a prompt', () => {
  const two = () => routingOf(channelRowOf(1, { priority: 5, maxInputTokens: 1000 }), channelRowOf(2));

  test('goes past a channel that takes only shorter ones, and the decision says why', () => {
    expect(selectChannel(two(), ask({ inputTokens: 1000 })).channel?.id).toBe(1);
    const decision = selectChannel(two(), ask({ inputTokens: 1001 }));
    expect([decision.channel?.id, decision.leftOut]).toEqual([2, [{ channelId: 1, reason: 'too_long' }]]);
  });

  test('of any length goes to a channel without a limit, and nowhere where all have one', () => {
    expect(selectChannel(routingOf(channelRowOf(1)), ask({ inputTokens: 1e9 })).channel?.id).toBe(1);
    const only = selectChannel(routingOf(channelRowOf(1, { maxInputTokens: 5 })), ask({ inputTokens: 6 }));
    expect([only.channel, only.leftOut]).toEqual([undefined, [{ channelId: 1, reason: 'too_long' }]]);
  });

  test('looks at a few of many channels, and at all only where those are closed', () => {
    const from = routingOf(
      ...Array.from({ length: 500 }, (_, at) => channelRowOf(at + 1, { weight: at % 7 })),
    );
    let looks = 0;
    const look = (isOpen: (id: number) => boolean) =>
      ask({ isAble: ({ id }) => ((looks += 1), isOpen(id)), dice: 0.3 });
    expect(
      selectChannel(
        from,
        look((id) => id % 2 === 0),
      ).channel?.id,
    ).toBeOneOf(evens(500));
    // Fifty of them for the reasons.
    expect(looks).toBeLessThan(80);
    expect(
      selectChannel(
        from,
        look((id) => id === 7),
      ).channel?.id,
    ).toBe(7);
    expect(
      selectChannel(
        from,
        look(() => false),
      ).channel,
    ).toBeUndefined();
  });
});

const evens = (most: number): readonly number[] => Array.from({ length: most / 2 }, (_, at) => 2 * at + 2);
