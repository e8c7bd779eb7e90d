import { expect, test } from 'vitest';
import { channelOf, poolKeyOf } from '#core/channel/testing/channel.ts';
import { KeyUses } from './key-uses.ts';

const stage = () => {
  const clock = { wallMs: 1000, monotonicMs: 0, now: () => clock.wallMs, monotonic: () => clock.monotonicMs };
  return { clock, uses: new KeyUses(clock) };
};

const seat = (keyId: number) => channelOf(1, { id: 7, keyId });

test('a use counts half after a minute', () => {
  const { clock, uses } = stage();
  uses.used(seat(1));
  uses.used(seat(1));
  clock.monotonicMs = 60_000;
  uses.used(seat(2));
  expect(uses.usesOf(1)).toBe(uses.usesOf(2));
  expect(uses.lastKeyId(7)).toBe(2);
});

test('uses of hours ago do not make the numbers endless', () => {
  const { clock, uses } = stage();
  uses.used(seat(1));
  clock.monotonicMs = 1e12;
  uses.used(seat(2));
  expect([uses.usesOf(1), uses.usesOf(2)]).toEqual([0, 1]);
});

test('a key that waits is open when its time has come, and one that was switched off never', () => {
  const { clock, uses } = stage();
  const waiting = poolKeyOf(1, { state: { status: 'spent', reason: '', untilMs: 2000, rounds: 1 } });
  expect(uses.isOpen(waiting)).toBe(false);
  clock.wallMs = 2000;
  expect(uses.isOpen(waiting)).toBe(true);
  const off = poolKeyOf(1, { state: { status: 'off', reason: '', untilMs: 0, rounds: 0 } });
  expect(uses.isOpen(off)).toBe(false);
});
