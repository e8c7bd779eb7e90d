import { describe, expect, test } from 'vitest';
import type { KeyState } from '#core/channel/keys/pool.ts';
import { channelOf, poolKeyOf } from '#core/channel/testing/channel.ts';
import { KeyUses } from './key-uses.ts';

const stage = (isOurs = true) => {
  const clock = { wallMs: 1000, monotonicMs: 0, now: () => clock.wallMs, monotonic: () => clock.monotonicMs };
  const asked: number[] = [];
  const uses = new KeyUses(clock, async (_channelId, keyId) => {
    asked.push(keyId);
    return isOurs;
  });
  return { clock, uses, asked };
};

const seat = (keyId: number) => channelOf(1, { id: 7, keyId });
const waiting = (changes: Partial<KeyState> = {}) =>
  poolKeyOf(1, { state: { status: 'spent', reason: '', untilMs: 2000, rounds: 1, ...changes } });

describe('uses', () => {
  test('count half after a minute', () => {
    const { clock, uses } = stage();
    uses.used(seat(1));
    uses.used(seat(1));
    clock.monotonicMs = 60_000;
    uses.used(seat(2));
    expect(uses.usesOf(1)).toBe(uses.usesOf(2));
    expect(uses.lastKeyId(7)).toBe(2);
  });

  test('of hours ago do not make the numbers endless', () => {
    const { clock, uses } = stage();
    uses.used(seat(1));
    clock.monotonicMs = 1e12;
    uses.used(seat(2));
    expect([uses.usesOf(1), uses.usesOf(2)]).toEqual([0, 1]);
  });
});

describe('a key that waits', () => {
  test('is closed until its time has come, and then open to one call, once the trial is ours', async () => {
    const { clock, uses, asked } = stage();
    expect([uses.isOpen(waiting()), asked]).toEqual([false, []]);
    clock.wallMs = 2000;
    expect([uses.isOpen(waiting()), asked]).toEqual([false, [1]]);
    await expect.poll(() => uses.isOpen(waiting())).toBe(true);
    expect(uses.used(seat(1))).toBe(true);
    expect([uses.isOpen(waiting()), uses.used(seat(1)), asked]).toEqual([false, false, [1]]);
  });

  test('stays closed where another relay tries it, which is asked for again only after a while', async () => {
    const { clock, uses, asked } = stage(false);
    clock.wallMs = 2000;
    for (let call = 0; call < 100; call += 1) uses.isOpen(waiting());
    await new Promise((resolve) => setImmediate(resolve));
    expect([uses.isOpen(waiting()), asked.length]).toEqual([false, 1]);
    clock.monotonicMs = 5000;
    uses.isOpen(waiting());
    expect(asked.length).toBe(2);
  });

  test('is not tried with an expired permit', async () => {
    const { clock, uses } = stage();
    clock.wallMs = 2000;
    uses.isOpen(waiting());
    await expect.poll(() => uses.isOpen(waiting())).toBe(true);
    clock.monotonicMs = 60_000;
    expect(uses.isOpen(waiting())).toBe(false);
  });

  test('that was switched off is never open', () => {
    const { clock, uses, asked } = stage();
    clock.wallMs = 5000;
    expect([
      uses.isOpen(waiting({ status: 'off' })),
      uses.isOpen(waiting({ status: 'revoked' })),
      asked,
    ]).toEqual([false, false, []]);
  });
});
