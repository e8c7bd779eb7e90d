import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SeatUse, SlidingCount } from './seat-use.ts';

const none = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };

describe('a sliding count', () => {
  test('never lets more through in any minute than the limit, and says truly when there is room', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 10 }),
        (pauses, limit) => {
          const count = new SlidingCount(60_000);
          const takenAtMs: number[] = [];
          let nowMs = 1_000_000;
          for (const pause of pauses) {
            nowMs += pause;
            const freeAtMs = count.fallsToMs(nowMs, limit - 1);
            expect(freeAtMs).toBeGreaterThanOrEqual(nowMs);
            expect(freeAtMs).toBeLessThanOrEqual(nowMs + 65_000);
            if (freeAtMs > nowMs) continue;
            count.add(nowMs, 1);
            takenAtMs.push(nowMs);
          }
          for (const [at, atMs] of takenAtMs.entries()) {
            const before = takenAtMs.slice(0, at + 1).filter((ms) => ms > atMs - 60_000);
            expect(before.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  test('has room at the moment that it names, not a moment before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 5 })), {
          maxLength: 60,
        }),
        fc.integer({ min: 0, max: 9 }),
        (added, atMost) => {
          const [one, other] = [new SlidingCount(60_000), new SlidingCount(60_000)];
          let nowMs = 500_000;
          for (const [pause, count] of added) {
            nowMs += pause;
            one.add(nowMs, count);
            other.add(nowMs, count);
          }
          const freeAtMs = one.fallsToMs(nowMs, atMost);
          expect(one.sum(freeAtMs)).toBeLessThanOrEqual(atMost);
          expect(freeAtMs === nowMs || other.sum(freeAtMs - 1) > atMost).toBe(true);
        },
      ),
    );
  });

  test('counts in the newest piece what a lagging clock tells, and is empty after a long time', () => {
    const count = new SlidingCount(60_000);
    count.add(1_000_000, 3);
    count.add(996_000, 2);
    expect([count.sum(1_000_000), count.sum(1_064_999), count.sum(1_065_000)]).toEqual([5, 5, 0]);
    count.add(1_000_000 + 86_400_000, -7);
    expect(count.sum(1_000_000 + 86_400_000)).toBe(0);
  });

  test.each([10, 60_000, 930_000])(
    'forgets what it counted after its time, where the clock was put back to %i',
    (backMs) => {
      const count = new SlidingCount(60_000);
      count.add(970_000, 1);
      count.add(1_000_000, 3);
      count.add(backMs, 2);
      const newMs = Math.floor(backMs / 5000) * 5000;
      expect([count.sum(backMs), count.fallsToMs(backMs, 5), count.fallsToMs(backMs, 0)]).toEqual([
        6,
        newMs + 35_000,
        newMs + 65_000,
      ]);
      expect([count.sum(newMs + 34_999), count.sum(newMs + 35_000), count.sum(newMs + 65_000)]).toEqual([
        6, 5, 0,
      ]);
    },
  );
});

describe('what a seat is used for', () => {
  test('is limited by calls a minute and a day, by tokens, and by concurrent calls', () => {
    const use = new SeatUse();
    const limits = { ...none, callsPerMinute: 2, callsPerDay: 3 };
    for (const atMs of [0, 1]) use.add(1, 0, atMs);
    expect(use.freeAtMs(limits, 0, 2)).toBe(65_000);
    use.add(1, 0, 65_000);
    expect(use.freeAtMs(limits, 0, 65_001)).toBe(13 * 7_200_000);
    const tokens = new SeatUse();
    tokens.add(1, 900, 0);
    expect(tokens.freeAtMs({ ...none, tokensPerMinute: 1000 }, 100, 0)).toBe(0);
    expect(tokens.freeAtMs({ ...none, tokensPerMinute: 1000 }, 101, 0)).toBe(65_000);
    // Larger than the limit: alone, in an empty minute.
    expect(new SeatUse().freeAtMs({ ...none, tokensPerMinute: 1000 }, 5000, 7)).toBe(7);
    const busy = new SeatUse();
    busy.running = 4;
    expect(busy.freeAtMs({ ...none, concurrent: 4 }, 0, 0)).toBeGreaterThan(0);
    expect(busy.freeAtMs({ ...none, concurrent: 5 }, 0, 0)).toBe(0);
  });

  test('counts what runs at other nodes for as long as they say so', () => {
    const use = new SeatUse();
    use.runsElsewhere('a', 3, 0);
    expect(use.freeAtMs({ ...none, concurrent: 3 }, 0, 4999)).toBeGreaterThan(4999);
    expect(use.freeAtMs({ ...none, concurrent: 3 }, 0, 5000)).toBe(5000);
    use.runsElsewhere('a', 3, 6000);
    use.runsElsewhere('a', 0, 6001);
    expect(use.freeAtMs({ ...none, concurrent: 3 }, 0, 6002)).toBe(6002);
  });
});
