import { describe, expect, test } from 'vitest';
import { poolModes } from '../keys/pool.ts';
import { channelRowOf, poolKeyOf } from '../testing/channel.ts';
import { ask, routingOf, triedChannels } from '../testing/selecting.ts';
import { selectChannel } from './select.ts';

/** A call that has failed elsewhere has few attempts left: it must not spend them on what failed lately. */
describe('a call that has failed elsewhere', () => {
  const from = routingOf(
    channelRowOf(1),
    channelRowOf(2, { priority: 3 }),
    channelRowOf(3, { priority: 2 }),
    channelRowOf(4, { priority: -1 }),
    channelRowOf(5, { priority: 1 }),
  );
  const decide = (tried: readonly number[]) =>
    selectChannel(
      from,
      ask({
        tried: triedChannels(...tried),
        isDoubtful: (id) => [1, 3, 5].includes(id),
        isCooling: (id) => id === 5,
      }),
    );

  test('leaves channels that failed lately for last, whatever their priority, and says so', () => {
    const decision = decide([2]);
    expect(decision).toMatchObject({ channel: { id: 4 }, coolingTaken: false });
    expect(decision.leftOut).toEqual([
      { channelId: 1, reason: 'doubtful' },
      { channelId: 2, reason: 'tried' },
      { channelId: 3, reason: 'doubtful' },
      { channelId: 5, reason: 'cooling' },
    ]);
  });

  test('goes to those by their priority before it goes to what is cooling', () => {
    const chosen = [[2], [2, 4], [2, 4, 3], [2, 4, 3, 1]].map((tried) => {
      const { channel, coolingTaken } = decide(tried);
      return [channel?.id, coolingTaken];
    });
    expect(chosen).toEqual([
      [4, false],
      [3, false],
      [1, false],
      [5, true],
    ]);
  });

  test.each(poolModes)('leaves keys that failed lately for last, with keys used %s', (poolMode) => {
    const plain = routingOf(channelRowOf(7));
    const pool = [1, 2, 3, 4, 5].map((id) => poolKeyOf(id));
    const channels = new Map([...plain.channels].map(([id, one]) => [id, { ...one, pool, poolMode }]));
    const keyFor = (dice: number, tried: readonly number[]): number | undefined =>
      selectChannel(
        { ...plain, channels, tiers: tiersOf(plain, channels) },
        ask({
          dice,
          tried: { channels: new Set(), keys: new Set(tried) },
          isDoubtful: (_, keyId) => [1, 3, 5].includes(keyId),
          isCooling: (_, keyId) => keyId === 5,
        }),
      ).channel?.keyId;
    for (const dice of [0, 0.2, 0.4, 0.6, 0.8, 0.999]) {
      expect(keyFor(dice, [2])).toBe(4);
      expect([1, 3]).toContain(keyFor(dice, [2, 4]));
      expect(keyFor(dice, [1, 2, 3, 4])).toBe(5);
    }
  });
});

const tiersOf = (
  { tiers }: ReturnType<typeof routingOf>,
  channels: ReturnType<typeof routingOf>['channels'],
): ReturnType<typeof routingOf>['tiers'] =>
  new Map(
    [...tiers].map(([group, models]) => [
      group,
      new Map(
        [...models].map(([model, list]) => [
          model,
          list.map((tier) => ({
            ...tier,
            channels: tier.channels.map((one) => channels.get(one.id) ?? one),
          })),
        ]),
      ),
    ]),
  );
