import { describe, expect, test } from 'vitest';
import { AppError } from '#core/error.ts';
import type { News } from '#core/news.ts';
import { ChannelHealth } from './channel-health.ts';
import type { SeatId } from './health-node.ts';

const status = (code: number, retryAfterSeconds?: number): AppError =>
  new AppError('upstream_failed', 'x', {
    upstream: { status: code, message: 'x' },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });

const seat = (id: number, keyId = 0): SeatId => ({ id, keyId });
const failing = (health: ChannelHealth, of: SeatId, model: string, error: AppError): void => {
  for (let at = 0; at < 5; at++) health.failed(of, model, { error, startedMs: 990, nowMs: 1000 });
};

/** As two relays hear each other. */
const joined = (count: number): ChannelHealth[] => {
  const listeners: ((body: string) => void)[] = [];
  return Array.from({ length: count }, (_, own) => {
    const news: News = {
      tell: (_topic, body) => listeners.forEach((listener, at) => at !== own && listener(body)),
      hear: (_topic, listener) => {
        listeners[own] = listener;
        return () => undefined;
      },
    };
    return new ChannelHealth(() => 1000, news);
  });
};

describe('what one relay finds', () => {
  test('the others learn: that a seat cools, is being tried, and works again', () => {
    const [one, other] = joined(2);
    if (one === undefined || other === undefined) throw new Error('no relays');
    failing(one, seat(1, 7), 'a', status(429, 30));
    expect([other.isCooling(1, 7, 'a', 1001), other.isCooling(1, 7, 'b', 1001)]).toEqual([true, false]);
    expect(other.isCooling(1, 7, 'a', 31_001)).toBe(false);
    one.chosen(seat(1, 7), 'a', 31_001);
    // The clock of these stands still: the trial of another is waited for from when it was heard of.
    expect(other.isCooling(1, 7, 'a', 1001)).toBe(true);
    one.succeeded(seat(1, 7), 'a', 32_000);
    expect(other.isCooling(1, 7, 'a', 1001)).toBe(false);
  });

  test('does not override an answer this relay has just had, unless the upstream named the time', () => {
    const [one, other] = joined(2);
    if (one === undefined || other === undefined) throw new Error('no relays');
    other.succeeded(seat(1), 'a', 900);
    failing(one, seat(1), 'a', status(500));
    expect([one.isCooling(1, 0, 'a', 1001), other.isCooling(1, 0, 'a', 1001)]).toEqual([true, false]);
    one.failed(seat(1), 'b', { error: status(429, 60), startedMs: 0, nowMs: 1000 });
    other.succeeded(seat(1), 'b', 950);
    one.failed(seat(1), 'b', { error: status(429, 60), startedMs: 0, nowMs: 1000 });
    expect(other.isCooling(1, 0, 'b', 1001)).toBe(true);
  });

  test('about many failing calls is believed by a relay that was just answered only if its own calls fail too', () => {
    for (const failsHereToo of [false, true]) {
      const [one, other] = joined(2);
      if (one === undefined || other === undefined) throw new Error('no relays');
      if (failsHereToo) other.failed(seat(1), 'a', { error: status(500), startedMs: 500, nowMs: 600 });
      other.succeeded(seat(1), 'a', 900);
      for (let at = 0; at < 20; at++) {
        if (at % 2 === 0) one.failed(seat(1), 'a', { error: status(500), startedMs: at, nowMs: at });
        else one.succeeded(seat(1), 'a', at);
      }
      expect([one.isCooling(1, 0, 'a', 100), other.isCooling(1, 0, 'a', 1001)]).toEqual([true, failsHereToo]);
    }
  });

  test('about one user, whose calls may not be doable, cools for that user, and for all once the calls of a second fail', () => {
    const [one, other] = joined(2);
    if (one === undefined || other === undefined) throw new Error('no relays');
    const fail = (userId: number): void =>
      one.failed(seat(1), 'a', { error: status(500), startedMs: 990, nowMs: 1000, userId });
    const isCoolingFor = (userId: number): boolean => other.isCooling(1, 0, 'a', 1001, userId);
    for (let at = 0; at < 5; at++) fail(8);
    expect([isCoolingFor(8), isCoolingFor(9)]).toEqual([true, false]);
    fail(9);
    expect([isCoolingFor(8), isCoolingFor(9), isCoolingFor(10)]).toEqual([true, true, true]);
  });

  test('is ignored if it does not read', () => {
    let say: (body: string) => void = () => undefined;
    const health = new ChannelHealth(() => 0, {
      tell: () => undefined,
      hear: (_, listener) => ((say = listener), () => undefined),
    });
    for (const body of [
      '',
      '{}',
      '{"found":"cool","channelId":1,"keyId":0,"model":"a","coolMs":1e15,"rounds":1,"because":"row"}',
    ])
      say(body);
    expect(health.isCooling(1, 0, 'a', 1)).toBe(false);
  });
});
