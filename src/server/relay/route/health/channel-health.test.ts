import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import { ChannelHealth } from './channel-health.ts';
import type { SeatId } from './health-node.ts';

const status = (code: number, retryAfterSeconds?: number): AppError =>
  new AppError('upstream_failed', 'x', {
    upstream: { status: code, message: 'x' },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
const timeout = new AppError('upstream_timeout', 'x');
const lost = new AppError('upstream_failed', 'x');

const seat = (id: number, keyId = 0): SeatId => ({ id, keyId, models: ['a', 'b', 'c'] });
const failing = (
  health: ChannelHealth,
  {
    of,
    model,
    error,
    times = 5,
    atMs = 1000,
  }: {
    of: SeatId;
    model: string;
    error: AppError;
    times?: number;
    atMs?: number;
  },
): void => {
  for (let at = 0; at < times; at++) health.failed(of, model, { error, startedMs: atMs - 10, nowMs: atMs });
};

test('a seat that is used up until a named time is open again then, however long the process has run', () => {
  const health = new ChannelHealth(() => 0);
  const [nowMs, waitMs] = [50_000_000, 60_000];
  health.usedUp(seat(1), 'a', waitMs, nowMs);
  const isCoolingAfter = (ms: number): boolean => health.isCooling(1, 0, 'a', nowMs + ms);
  expect([isCoolingAfter(1), isCoolingAfter(waitMs - 1), isCoolingAfter(waitMs)]).toEqual([
    true,
    true,
    false,
  ]);
});

describe('a model that fails at one channel', () => {
  test('cools there alone: its other models and the other channels go on', () => {
    const health = new ChannelHealth(() => 0);
    failing(health, { of: seat(1), model: 'a', error: status(500) });
    expect(health.isCooling(1, 0, 'a', 1001)).toBe(true);
    expect(health.isCooling(1, 0, 'b', 1001)).toBe(false);
    expect(health.isCooling(2, 0, 'a', 1001)).toBe(false);
  });

  test('and two more that fail: the channel cools only if it cannot be reached', () => {
    const health = new ChannelHealth(() => 0);
    const models = ['a', 'b', 'c'];
    for (const model of models) failing(health, { of: seat(1), model, error: status(500) });
    for (const model of models) failing(health, { of: seat(2), model, error: lost, times: 3 });
    expect(health.isCooling(1, 0, 'new', 1001)).toBe(false);
    expect(health.isCooling(2, 0, 'new', 1001)).toBe(true);
  });

  test('by silence, as all of them do, cools the channel at once unless one has answered meanwhile', () => {
    const health = new ChannelHealth(() => 0);
    for (const model of ['a', 'b'])
      health.failed(seat(1), model, { error: timeout, startedMs: 0, nowMs: 5000 });
    expect(['a', 'b', 'c'].map((model) => health.isCooling(1, 0, model, 5001))).toEqual([true, true, false]);
    health.failed(seat(1), 'c', { error: timeout, startedMs: 0, nowMs: 5000 });
    expect(health.isCooling(1, 0, 'new', 5001)).toBe(true);
    health.succeeded(seat(2), 'new', 4000);
    for (const model of ['a', 'b', 'c'])
      health.failed(seat(2), model, { error: timeout, startedMs: 3000, nowMs: 5000 });
    expect([health.isCooling(2, 0, 'a', 5001), health.isCooling(2, 0, 'new', 5001)]).toEqual([true, false]);
  });

  test('and two more that fail, however often, leave the rest open; with a fourth the channel cools', () => {
    const models = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const error of [timeout, lost, status(500), status(502)]) {
      const health = new ChannelHealth(() => 0);
      const of = { id: 1, keyId: 0, models };
      const isOpen = (atMs: number) => !health.isCooling(1, 0, 'f', atMs);
      for (let atMs = 1000; atMs < 200_000; atMs += 500)
        for (const model of ['a', 'b', 'c']) {
          health.chosen(of, model, atMs);
          health.failed(of, model, { error, startedMs: atMs, nowMs: atMs + 100 });
          expect(isOpen(atMs + 101)).toBe(true);
        }
      for (const model of ['a', 'b', 'c', 'd'])
        for (let turn = 0; turn < 5; turn++)
          health.failed(of, model, { error, startedMs: 300_000, nowMs: 301_000 });
      expect(isOpen(301_001)).toBe(false);
    }
  });

  test('many times does not count as the failing of several', () => {
    const health = new ChannelHealth(() => 0);
    failing(health, { of: seat(1), model: 'a', error: lost, times: 50 });
    health.failed(seat(1), 'b', { error: status(500), startedMs: 0, nowMs: 2000 });
    expect(health.isCooling(1, 0, 'b', 2001)).toBe(false);
  });
});

describe('a key of several', () => {
  test.each([401, 402])(
    'that is refused with %i rests at once with all its models; the other keys go on',
    (code) => {
      const health = new ChannelHealth(() => 0);
      health.failed(seat(1, 11), 'a', { error: status(code), startedMs: 0, nowMs: 1000 });
      expect([health.isCooling(1, 11, 'b', 1001), health.isCooling(1, 11, 'b', 6000)]).toEqual([true, false]);
      expect([health.isCooling(1, 12, 'a', 1001), health.isCooling(1, 0, 'a', 1001)]).toEqual([false, false]);
    },
  );

  test('that has called too often waits with that model for as long as it was told', () => {
    const health = new ChannelHealth(() => 0);
    health.failed(seat(1, 11), 'a', { error: status(429, 60), startedMs: 0, nowMs: 1000 });
    expect(health.isCooling(1, 11, 'a', 60_999)).toBe(true);
    expect(health.isCooling(1, 11, 'a', 61_000)).toBe(false);
    expect([health.isCooling(1, 11, 'b', 1001), health.isCooling(1, 12, 'a', 1001)]).toEqual([false, false]);
  });

  test('is not tried key after key: if a model fails with every key, all its keys cool down', () => {
    const health = new ChannelHealth(() => 0);
    for (const key of [11, 12, 13, 14, 15])
      health.failed(seat(1, key), 'a', { error: status(500), startedMs: 0, nowMs: 1000 });
    expect(health.isCooling(1, 16, 'a', 1001)).toBe(true);
    expect(health.isCooling(1, 16, 'b', 1001)).toBe(false);
  });

  test('that fails is the only one to cool, however few calls the others have', () => {
    for (const error of [timeout, lost, status(500), status(502)]) {
      const health = new ChannelHealth(() => 0);
      for (let turn = 0; turn < 20; turn++)
        health.failed(seat(1, 11), 'a', { error, startedMs: 0, nowMs: 1000 });
      expect(health.isCooling(1, 11, 'a', 1001)).toBe(true);
      expect([health.isCooling(1, 12, 'a', 1001), health.isCooling(1, 0, 'a', 1001)]).toEqual([false, false]);
      health.failed(seat(1, 12), 'a', { error, startedMs: 0, nowMs: 1000 });
      expect(health.isCooling(1, 13, 'a', 1001)).toBe(true);
    }
  });

  test('whose own proxy fails cools while others answer', () => {
    const health = new ChannelHealth(() => 0);
    for (let at = 0; at < 20; at++) {
      health.failed(seat(1, 11), ['a', 'b', 'c'][at % 3] ?? '', {
        error: lost,
        startedMs: at * 10,
        nowMs: at * 10,
      });
      health.succeeded(seat(1, 12), 'a', at * 10 + 1);
      health.succeeded(seat(1, 12), 'b', at * 10 + 1);
    }
    expect(health.isCooling(1, 11, 'new', 201)).toBe(true);
    expect([health.isCooling(1, 12, 'a', 201), health.isCooling(1, 0, 'a', 201)]).toEqual([false, false]);
  });
});

test('a silent key is alone only where another has answered a call that was sent after its own', () => {
  const health = new ChannelHealth(() => 0);
  const isAlone = (): boolean => health.isAlone(seat(1, 11), 1000);
  const mayBe = (): boolean => health.mayBeAlone(seat(1, 11), 1000);
  // Its answer may have been the last before the whole channel fell silent.
  health.succeeded(seat(1, 12), 'a', 1500, 900);
  expect([isAlone(), mayBe()]).toEqual([false, true]);
  health.succeeded(seat(1, 12), 'a', 1600, 1100);
  expect([isAlone(), mayBe()]).toEqual([true, true]);
  // Its own answers are none of another key's.
  health.succeeded(seat(1, 11), 'a', 1700, 1200);
  expect([isAlone(), mayBe()]).toEqual([false, false]);
});

describe('the trial after a cooldown', () => {
  const cooled = (): ChannelHealth => {
    const health = new ChannelHealth(() => 0);
    failing(health, { of: seat(1), model: 'a', error: status(500) });
    return health;
  };

  test('is one call: the others wait for its result', () => {
    const health = cooled();
    expect(health.isCooling(1, 0, 'a', 11_000)).toBe(false);
    health.chosen(seat(1), 'a', 11_000);
    expect(health.isCooling(1, 0, 'a', 11_001)).toBe(true);
    health.succeeded(seat(1), 'a', 12_000);
    expect(health.isCooling(1, 0, 'a', 12_001)).toBe(false);
    expect([...health.cooling(12_001)]).toEqual([]);
  });

  test('is the next one where its caller left or sent what cannot be done', () => {
    const health = cooled();
    health.chosen(seat(1), 'a', 11_000);
    health.left(seat(1), 'a', 12_000);
    expect(health.isCooling(1, 0, 'a', 12_000)).toBe(false);
    health.chosen(seat(1), 'a', 12_000);
    health.failed(seat(1), 'a', { error: status(400), startedMs: 12_000, nowMs: 13_000 });
    expect(health.isCooling(1, 0, 'a', 13_000)).toBe(false);
  });

  test('comes early where hundreds go past, and brings a channel back with all that it has', () => {
    const health = new ChannelHealth(() => 0);
    for (const model of ['a', 'b', 'c']) failing(health, { of: seat(1), model, error: lost });
    for (let round = 0, atMs = 11_000; round < 4; round++, atMs += 100_000) {
      expect(health.isCooling(1, 0, 'a', atMs)).toBe(false);
      health.chosen(seat(1), 'a', atMs);
      health.failed(seat(1), 'a', { error: lost, startedMs: atMs, nowMs: atMs });
    }
    const atMs = 311_000;
    for (let at = 0; at < 400; at++) expect(health.isCooling(1, 0, 'a', atMs + 1)).toBe(true);
    expect(health.isCooling(1, 0, 'a', atMs + 10_000)).toBe(false);
    health.chosen(seat(1), 'a', atMs + 10_000);
    health.succeeded(seat(1), 'a', atMs + 10_500);
    for (const model of ['a', 'b', 'c']) expect(health.isCooling(1, 0, model, atMs + 10_501)).toBe(false);
  });

  test('of a whole channel does not open a model that failed only sometimes: that has to be tried itself', () => {
    const health = new ChannelHealth(() => 0);
    for (let at = 0; at < 60; at++) {
      if (at % 3 === 0) health.failed(seat(1), 'a', { error: timeout, startedMs: at - 1, nowMs: at });
      else health.succeeded(seat(1), 'a', at, at);
    }
    const of = { ...seat(1), models: ['b', 'c'] };
    for (const model of ['b', 'c']) failing(health, { of, model, error: lost });
    const isCooling = (model: string, atMs: number) => health.wouldCool(1, 0, model, atMs);
    expect([isCooling('a', 1001), isCooling('d', 1001)]).toEqual([true, true]);
    health.chosen(seat(1), 'b', 20_000);
    health.succeeded(seat(1), 'b', 20_001);
    health.chosen(seat(1), 'a', 20_002);
    expect(['a', 'b', 'c', 'd'].map((model) => isCooling(model, 20_003))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('the memory of what failed', () => {
  test('is bounded, and the newest is in it', () => {
    const health = new ChannelHealth(() => 0);
    for (let id = 1; id <= 300; id++)
      for (let at = 0; at < 200; at++)
        health.failed(seat(id, id), `m${String(at)}`, { error: status(429, 60), startedMs: 0, nowMs: 1000 });
    expect([...health.cooling(1001)].length).toBeLessThanOrEqual(20_000);
    expect(health.isCooling(300, 300, 'm199', 1001)).toBe(true);
  });

  test('does not last for ever: five minutes and a trial after the last failure all are open again', () => {
    const step = fc.record({
      what: fc.constantFrom('chosen', 'failed', 'succeeded', 'left'),
      id: fc.integer({ min: 1, max: 2 }),
      keyId: fc.integer({ min: 0, max: 2 }),
      model: fc.constantFrom('a', 'b', 'c'),
      error: fc.constantFrom(
        status(500),
        status(401),
        status(429),
        status(429, 1e9),
        timeout,
        lost,
        status(400),
      ),
      afterMs: fc.integer({ min: 0, max: 20_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const health = new ChannelHealth(() => 0);
        let nowMs = 1000;
        for (const { what, id, keyId, model, error, afterMs } of steps) {
          nowMs += afterMs;
          if (what === 'failed')
            health.failed(seat(id, keyId), model, { error, startedMs: nowMs - 500, nowMs });
          else health[what](seat(id, keyId), model, nowMs);
        }
        for (const id of [1, 2])
          for (const keyId of [0, 1, 2])
            for (const model of ['a', 'b', 'c'])
              expect(health.isCooling(id, keyId, model, nowMs + 300_001)).toBe(false);
        // And once each has answered, nothing is left.
        for (const id of [1, 2])
          for (const keyId of [0, 1, 2])
            for (const model of ['a', 'b', 'c']) health.succeeded(seat(id, keyId), model, nowMs + 400_000);
        expect([...health.cooling(nowMs + 400_000)]).toEqual([]);
      }),
    );
  });
});
