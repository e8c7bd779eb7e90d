import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildRouting } from '#core/channel/testing/build-routing.ts';
import { type KeyState, type PoolKey, poolModes } from '#core/channel/keys/pool.ts';
import { selectChannel } from '#core/channel/selection/select.ts';
import { channelRowOf, poolKeyOf } from '#core/channel/testing/channel.ts';
import { ask, routingOf } from '#core/channel/testing/selecting.ts';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './channel-health.ts';
import { KeyUses } from '../key-uses.ts';

const NOW_MS = 1_000_000;
const DAY_MS = 86_400_000;
const open: KeyState = { status: 'enabled', reason: '', untilMs: 0, rounds: 0 };
const waits = (untilMs: number): KeyState => ({ status: 'cooling', reason: '', untilMs, rounds: 1 });
const limited = new AppError('upstream_failed', 'x', { upstream: { status: 429, message: 'x' } });
const refused = new AppError('upstream_failed', 'x', { upstream: { status: 403, message: 'x' } });

/** Channels that all serve `m`, with keys in these states; the key at a place of a channel has the id 1000 × channel + place. */
const pooled = (channels: readonly (readonly KeyState[])[], weight = 10) => {
  const rows = channels.map((_, at) =>
    channelRowOf(at + 1, { weight, poolMode: poolModes[at % poolModes.length] }),
  );
  const pools = new Map(
    rows.map(({ id }, at) => [
      id,
      (channels[at] ?? []).map((state, place) =>
        poolKeyOf(id * 1000 + place + 1, { channelId: id, state, limits: noLimits }),
      ),
    ]),
  );
  const { version, priceVersion, options, catalogue } = routingOf();
  return buildRouting({
    version,
    priceVersion,
    options,
    catalogue,
    rows,
    pools,
    openKey: () => {
      throw new Error('not asked for');
    },
  });
};
const noLimits = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };

const stage = (takes: (keyId: number) => Promise<boolean> = async () => false) => {
  const clock = {
    wallMs: NOW_MS,
    monotonicMs: 1000,
    now: () => clock.wallMs,
    monotonic: () => clock.monotonicMs,
  };
  const asked: number[] = [];
  const uses = new KeyUses(clock, (_channelId, keyId) => {
    asked.push(keyId);
    return takes(keyId);
  });
  const health = new ChannelHealth(clock.monotonic);
  let looks = 0;
  const choose = (routing: ReturnType<typeof pooled>, dice = 0.5) => {
    const nowMs = clock.monotonicMs;
    const keys = uses.of({});
    return selectChannel(
      routing,
      ask({
        dice,
        isCooling: (channelId, keyId) => (looks += 1) > 0 && health.isCooling(channelId, keyId, 'm', nowMs),
        areCooling: (channelId, of) => health.resting.areCooling({ channelId, keys: of, model: 'm', nowMs }),
        awakeAmong: (channels) =>
          health.resting.awakeAmong({ channels, model: 'm', nowMs, areAsleep: keys.areAsleep }),
        keys: {
          isOpen: (key: PoolKey) => (looks += 1) > 0 && keys.isOpen(key),
          backKeys: keys.backKeys,
          areAsleep: keys.areAsleep,
          lastKeyId: keys.lastKeyId,
          usesOf: keys.usesOf,
        },
      }),
    );
  };
  const looksOf = (act: () => void): number => {
    looks = 0;
    act();
    return looks;
  };
  return { clock, uses, asked, health, choose, looksOf };
};

const many = (state: (channel: number, place: number) => KeyState) =>
  pooled(
    Array.from({ length: 500 }, (_, channel) =>
      Array.from({ length: 100 }, (_one, place) => state(channel, place)),
    ),
  );

describe('a choice among 500 channels of 100 keys looks at a few', () => {
  test('where all keys wait', () => {
    const { choose, looksOf } = stage();
    const routing = many(() => waits(NOW_MS + DAY_MS));
    expect(looksOf(() => expect(choose(routing).channel).toBeUndefined())).toBeLessThan(300);
  });

  test('where only one channel has keys that do not wait', () => {
    const { choose, looksOf } = stage();
    const routing = many((channel) => (channel === 321 ? open : waits(NOW_MS + DAY_MS)));
    expect(looksOf(() => expect(choose(routing).channel?.id).toBe(322))).toBeLessThan(300);
  });

  test('where one key of each channel does not wait, wherever it stands', () => {
    const { choose, looksOf } = stage();
    const routing = many((channel, place) => (place === channel % 100 ? open : waits(NOW_MS + DAY_MS)));
    expect(looksOf(() => expect(choose(routing).channel).toBeDefined())).toBeLessThan(300);
  });

  test('where all keys of 100 channels were rate-limited a moment ago, once that is known', () => {
    const { choose, looksOf, health } = stage();
    const routing = pooled(Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => open)));
    for (let channel = 1; channel <= 100; channel += 1)
      for (let place = 1; place <= 100; place += 1)
        health.failed({ id: channel, keyId: channel * 1000 + place }, 'm', {
          error: limited,
          startedMs: 900,
          nowMs: 1000,
        });
    choose(routing);
    expect(looksOf(() => expect(choose(routing).coolingTaken).toBe(true))).toBeLessThan(300);
  });
});

describe('keys that cool are believed to only as long as they do', () => {
  const six = (count: number) => {
    const known = stage();
    const routing = pooled([Array.from({ length: count }, () => open)]);
    for (let place = 1; place <= count; place += 1)
      known.health.failed({ id: 1, keyId: 1000 + place }, 'm', {
        error: limited,
        startedMs: 900,
        nowMs: 1000,
      });
    expect(known.choose(routing).coolingTaken).toBe(true);
    return { ...known, routing };
  };

  test('until the first has rested', () => {
    const { choose, clock, routing } = six(6);
    clock.monotonicMs += 4999;
    expect(choose(routing).coolingTaken).toBe(true);
    clock.monotonicMs += 1;
    expect(choose(routing).coolingTaken).toBe(false);
  });

  test('and not past an answer of one of them', () => {
    const { choose, health } = stage();
    const routing = pooled([[open, open, open]]);
    for (const keyId of [1001, 1002, 1003])
      for (const model of ['m', 'another'])
        for (let at = 0; at < 5; at += 1)
          health.failed({ id: 1, keyId }, model, { error: refused, startedMs: 900, nowMs: 1000 });
    expect(choose(routing).coolingTaken).toBe(true);
    health.succeeded({ id: 1, keyId: 1003 }, 'm', 1000);
    const { channel, coolingTaken } = choose(routing);
    expect([channel?.keyId, coolingTaken]).toEqual([1003, false]);
  });

  test('nor where a key is added', () => {
    const { choose } = six(6);
    expect(choose(pooled([Array.from({ length: 7 }, () => open)])).channel?.keyId).toBe(1007);
  });

  test('and calls that were kept away from all of them count for an early trial', () => {
    const { choose, clock, health, routing } = stageOfFailing();
    for (let call = 0; call < 500; call += 1) choose(routing);
    clock.monotonicMs += 2000;
    choose(routing);
    clock.monotonicMs += 13_000;
    expect(choose(routing).coolingTaken).toBe(false);
    for (const keyId of [1001, 1002]) expect(health.wouldCool(1, keyId, 'm', clock.monotonicMs)).toBe(false);
  });

  /** Two keys that have failed thrice in a row of five: they cool for 40 seconds. */
  const stageOfFailing = () => {
    const known = stage();
    const routing = pooled([[open, open]]);
    let nowMs = 1000;
    for (let round = 0; round < 3; round += 1) {
      for (const keyId of [1001, 1002])
        for (let at = 0; at < (round === 0 ? 5 : 1); at += 1) {
          known.health.chosen({ id: 1, keyId }, 'm', nowMs);
          known.health.failed({ id: 1, keyId }, 'm', { error: refused, startedMs: nowMs - 1, nowMs });
        }
      nowMs += 10_000 * 2 ** round;
    }
    known.clock.monotonicMs = nowMs - 40_000;
    return { ...known, routing };
  };
});

describe('keys that have waited to their end', () => {
  test('are asked for a few at a time, others after those, and one of them is tried', async () => {
    const { clock, choose, asked } = stage(async (keyId) => keyId === 1017);
    const routing = pooled([Array.from({ length: 100 }, () => waits(NOW_MS - 1))]);
    expect(choose(routing).channel).toBeUndefined();
    expect(asked.length).toBe(4);
    await expect
      .poll(() => {
        clock.wallMs += 1000;
        clock.monotonicMs += 1000;
        return choose(routing).channel?.keyId;
      })
      .toBe(1017);
  });

  test('that were switched off meanwhile do not block the trials of others', async () => {
    const { clock, uses, choose, asked } = stage(async () => true);
    const first = pooled([[...Array.from({ length: 4 }, () => waits(NOW_MS - 1)), waits(NOW_MS + 5000)]]);
    choose(first);
    await expect.poll(() => uses.looking.isOpen(keyOf(first, 3))).toBe(true);
    // Four trials are ours, and somebody has switched those keys off.
    const off: KeyState = { status: 'off', reason: '', untilMs: 0, rounds: 0 };
    const second = pooled([[off, off, off, off, waits(NOW_MS + 5000)]]);
    clock.wallMs += 5000;
    choose(second);
    choose(second);
    expect(asked).toContain(1005);
  });

  test('are looked at for an explanation without being asked for', () => {
    const { uses, asked } = stage();
    const routing = pooled([[waits(NOW_MS - 1)]]);
    expect([uses.looking.isOpen(keyOf(routing, 0)), asked]).toEqual([false, []]);
  });
});

const keyOf = (routing: ReturnType<typeof pooled>, place: number): PoolKey => {
  const key = routing.channels.get(1)?.pool[place];
  if (key === undefined) throw new Error('no such key');
  return key;
};

test('whatever the keys’ states, the choice has a key where one is open, and only such', () => {
  const state = fc.constantFrom<KeyState>(
    open,
    { ...open, status: 'off' },
    { ...open, status: 'revoked' },
    waits(NOW_MS - 1),
    waits(NOW_MS + 1000),
    waits(NOW_MS + 400 * DAY_MS),
  );
  const sites = fc.array(fc.array(state, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 24 });
  const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(sites, dice, fc.func(fc.boolean()), (channels, thrown, rests) => {
      const { choose, health } = stage();
      const routing = pooled(channels);
      const cools = (key: PoolKey) => key.state === open && rests(key.id);
      for (const { id, pool } of routing.channels.values())
        for (const key of pool)
          if (cools(key))
            health.failed({ id, keyId: key.id }, 'm', { error: limited, startedMs: 900, nowMs: 1000 });
      const enabled = [...routing.channels.values()].flatMap(({ pool }) =>
        pool.filter((key) => key.state.status === 'enabled'),
      );
      const warm = enabled.filter((key) => !cools(key));
      for (let call = 0; call < 3; call += 1) {
        const { channel, coolingTaken } = choose(routing, (thrown + call / 3) % 1);
        const among = warm.length > 0 ? warm : enabled;
        expect(coolingTaken).toBe(warm.length === 0 && enabled.length > 0);
        expect(
          channel === undefined ? among.length === 0 : among.some(({ id }) => id === channel.keyId),
        ).toBe(true);
      }
    }),
  );
});
