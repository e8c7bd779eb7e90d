import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialOptions } from '#contract/options.ts';
import { parseProxy } from '../../outbound/outbound-proxy.ts';
import { AppError } from '../../error.ts';
import type { Channel } from '../channel.ts';
import { keyVerdict } from '../keys/key-verdict.ts';
import { type PoolKey, type PoolMode, poolModes } from '../keys/pool.ts';
import { seatById, seatOf } from '../seats/seat.ts';
import type { Routing } from '../routing.ts';
import type { SelectInput } from './open-channels.ts';
import { selectChannel } from './select.ts';
import { type KeyChoice, selectKey } from './select-key.ts';
import { channelOf, poolKeyOf } from '../testing/channel.ts';

const poolOf = (count: number, changes: Partial<PoolKey> = {}): PoolKey[] =>
  Array.from({ length: count }, (_, index) => poolKeyOf(index + 1, changes));

const choiceOf = (changes: Partial<KeyChoice> = {}): KeyChoice => ({
  isOpen: () => true,
  backKeys: () => [],
  areAsleep: () => true,
  lastKeyId: () => 0,
  usesOf: () => 0,
  ...changes,
});

const all = () => true;

describe('choosing a key of a pool', () => {
  test('in turn takes each key once before any twice', () => {
    const pool = poolOf(5);
    const used: number[] = [];
    for (let call = 0; call < 10; call += 1) {
      const choice = choiceOf({ lastKeyId: () => used.at(-1) ?? 0 });
      used.push(selectKey({ id: 1, pool, poolMode: 'in_turn' }, all, choice, 0.5)?.id ?? 0);
    }
    expect(used).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);
  });

  test('in turn goes on behind a key that was removed', () => {
    const pool = poolOf(5).filter(({ id }) => id !== 3);
    const choice = choiceOf({ lastKeyId: () => 3 });
    expect(selectKey({ id: 1, pool, poolMode: 'in_turn' }, all, choice, 0)?.id).toBe(4);
  });

  test('random draws by weight, and among the open ones as if the others were not there', () => {
    const pool = [
      poolKeyOf(1, { weight: 6 }),
      poolKeyOf(2, { weight: 3 }),
      poolKeyOf(3, { weight: 1 }),
      poolKeyOf(4, { weight: 0 }),
    ];
    const shares = (isOpen: (key: PoolKey) => boolean) => {
      const counts = new Map<number, number>();
      const draws = 100_000;
      for (let index = 0; index < draws; index += 1) {
        const key = selectKey({ id: 1, pool, poolMode: 'random' }, isOpen, choiceOf(), (index + 0.5) / draws);
        counts.set(key?.id ?? 0, (counts.get(key?.id ?? 0) ?? 0) + 1 / draws);
      }
      return [1, 2, 3, 4].map((id) => Math.round((counts.get(id) ?? 0) * 100) / 100);
    };
    expect(shares(all)).toEqual([0.6, 0.3, 0.1, 0]);
    expect(shares(({ id }) => id !== 1)).toEqual([0, 0.75, 0.25, 0]);
    expect(shares(({ id }) => id === 4)).toEqual([0, 0, 0, 1]);
  });

  test('least used takes the one with the fewest uses for its weight', () => {
    const pool = [poolKeyOf(1), poolKeyOf(2, { weight: 10 }), poolKeyOf(3)];
    const uses = new Map([
      [1, 4],
      [2, 12],
      [3, 2],
    ]);
    const choice = choiceOf({ usesOf: (id) => uses.get(id) ?? 0 });
    expect(selectKey({ id: 1, pool, poolMode: 'least_used' }, all, choice, 0)?.id).toBe(2);
    expect(selectKey({ id: 1, pool, poolMode: 'least_used' }, ({ id }) => id !== 2, choice, 0)?.id).toBe(3);
  });

  test('takes an open key of any pool in every mode, and none only if none is open', () => {
    const key = fc.record({ weight: fc.integer({ min: 0, max: 1000 }), open: fc.boolean() });
    const dice = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const run = (keys: { weight: number; open: boolean }[], mode: PoolMode, thrown: number, last: number) => {
      const pool = keys.map(({ weight }, index) => poolKeyOf(index * 2 + 1, { weight }));
      const open = new Set(pool.filter((_, index) => keys[index]?.open).map(({ id }) => id));
      const choice = choiceOf({ lastKeyId: () => last });
      const taken = selectKey({ id: 1, pool, poolMode: mode }, ({ id }) => open.has(id), choice, thrown);
      expect(taken === undefined ? open.size === 0 : open.has(taken.id)).toBe(true);
    };
    fc.assert(
      fc.property(fc.array(key, { maxLength: 60 }), fc.constantFrom(...poolModes), dice, fc.nat(200), run),
    );
  });

  test('looks at a few keys of a thousand where nearly all are open', () => {
    const pool = poolOf(1000);
    for (const poolMode of poolModes) {
      let looks = 0;
      const isOpen = ({ id }: PoolKey): boolean => (looks += 1) > 0 && id % 10 !== 0;
      for (let call = 0; call < 997; call += 1)
        selectKey(
          { id: 1, pool, poolMode },
          isOpen,
          choiceOf({ lastKeyId: () => call }),
          (call * 0.618033) % 1,
        );
      expect(looks / 997).toBeLessThan(poolMode === 'least_used' ? 20 : 5);
    }
  });
});

const pooled = channelOf(1, { id: 7, models: ['m'], pool: poolOf(3) });
const other = channelOf(1, { id: 8, models: ['m'] });
const tiers = [
  { priority: 0, channels: [pooled] },
  { priority: -1, channels: [other] },
];
const routing: Routing = {
  version: 1,
  priceVersion: 1,
  options: initialOptions,
  catalogue: { find: () => undefined },
  channels: new Map([
    [7, pooled],
    [8, other],
  ]),
  bad: [],
  tiers: new Map([['default', new Map([['m', tiers]])]]),
  byModel: new Map([['m', [pooled.id, other.id]]]),
};

const ask = (changes: Partial<SelectInput> = {}): SelectInput => ({
  model: 'm',
  groups: ['default'],
  tried: { channels: new Set(), keys: new Set() },
  isCooling: () => false,
  keys: choiceOf(),
  isAble: () => true,
  inputTokens: 0,
  dice: 0,
  ...changes,
});

describe('choosing among channels with pools', () => {
  test('goes through the keys of a channel, and then to the next channel', () => {
    const keys = new Set<number>();
    const seats: string[] = [];
    for (let call = 0; call < 4; call += 1) {
      const { channel } = selectChannel(routing, ask({ tried: { channels: new Set(), keys } }));
      seats.push(`${String(channel?.id)} ${channel?.key.reveal() ?? ''}`);
      if (channel !== undefined) keys.add(channel.keyId);
    }
    expect(seats).toEqual(['7 key-1', '7 key-2', '7 key-3', '8 secret-key']);
  });

  test('leaves a channel out of which no key is open, and says so', () => {
    const decision = selectChannel(routing, ask({ keys: choiceOf({ isOpen: () => false }) }));
    expect(decision.channel?.id).toBe(8);
    expect(decision.leftOut).toEqual([{ channelId: 7, reason: 'no_key' }]);
  });

  test('passes over a key without room, and a channel of which no key has room, and says so', () => {
    const roomAt = (...ids: number[]) => ({
      hasRoom: (channel: Channel, key: PoolKey | undefined) => channel.id === 8 || ids.includes(key?.id ?? 0),
    });
    const some = selectChannel(routing, ask(roomAt(2)));
    expect([some.channel?.id, some.channel?.keyId]).toEqual([7, 2]);
    const full = selectChannel(routing, ask(roomAt()));
    expect([full.channel?.id, full.leftOut]).toEqual([8, [{ channelId: 7, reason: 'no_room' }]]);
    const nobody = selectChannel(routing, ask({ hasRoom: () => false, isCooling: () => true }));
    expect([nobody.channel, nobody.leftOut.map(({ reason }) => reason)]).toEqual([
      undefined,
      ['no_room', 'no_room'],
    ]);
  });

  test('takes a key that cools down only if nothing else is left', () => {
    const isCooling = (id: number, keyId: number) => id === 7 && keyId !== 2;
    const whole = selectChannel(
      routing,
      ask({ isCooling: (id, keyId) => isCooling(id, keyId) && keyId !== 0 }),
    );
    expect([whole.channel?.id, whole.channel?.keyId, whole.coolingTaken]).toEqual([7, 2, false]);
    const none = selectChannel(routing, ask({ isCooling: () => true }));
    expect([none.channel?.id, none.channel?.keyId, none.coolingTaken]).toEqual([7, 1, true]);
  });

  test('gives the same object for a key each time, and its proxy in place of the channel’s', () => {
    const proxy = parseProxy('http://p:1');
    const key = poolKeyOf(4, { proxy });
    expect(seatOf(pooled, key)).toBe(seatOf(pooled, key));
    expect(seatOf(pooled, key).setting.proxy).toBe(proxy);
    expect(seatOf({ ...pooled, name: 'new' }, key).name).toBe('new');
    expect(seatById(pooled, 2).key.reveal()).toBe('key-2');
    expect(seatById(pooled, 99).keyId).toBe(1);
    expect(seatById(other, 0)).toBe(other);
  });
});

describe('an error', () => {
  const of = (status: number, message = '', more: { type?: string; code?: string; ofAccount?: true } = {}) =>
    keyVerdict(new AppError('upstream_failed', 'failed', { upstream: { status, message, ...more } }));

  test.each([
    [of(401), 'revoked'],
    [of(402), 'spent'],
    [of(429), 'limited'],
    [of(403), 'denied'],
    [of(429, 'You exceeded your current quota, please check your plan'), 'spent'],
    [of(403, '用户额度不足'), 'spent'],
    [of(400, 'Your credit balance is too low', { ofAccount: true }), 'spent'],
    [of(400, 'You wrote: exceeded your current quota'), undefined],
    [of(500, 'insufficient balance of workers'), undefined],
    [of(429, '', { code: 'insufficient_quota' }), 'spent'],
    [keyVerdict(new AppError('upstream_timeout', 'late')), undefined],
  ])('is about the key only if the upstream says so (%#)', (verdict, expected) => {
    expect(verdict).toBe(expected);
  });
});
