import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { News } from '#core/news.ts';
import { QueueTurns } from './queue-turns.ts';

const CHANNEL = 7;

/** Two relays whose news arrive at once, while the line between them is whole. */
const twoRelays = () => {
  const line = { isCut: false };
  const listeners: ((body: string) => void)[] = [];
  const newsOf = (own: number): News => ({
    tell: (_, body) => {
      if (!line.isCut) listeners.forEach((listener, at) => at !== own && listener(body));
    },
    hear: (_, listener) => {
      listeners[own] = listener;
      return () => undefined;
    },
  });
  const [one, other] = [0, 1].map((own) => new QueueTurns(newsOf(own), () => Date.now()));
  if (one === undefined || other === undefined) throw new Error('there are two');
  return { one, other, line };
};

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('later calls give way to one that waits over 2 s longer at another relay; others do not', () => {
  const { one, other } = twoRelays();
  const sinceMs = Date.now();
  one.waits(CHANNEL, sinceMs);
  vi.advanceTimersByTime(5000);
  expect(other.yields(CHANNEL, Date.now())).toBe(true);
  expect(other.yields(CHANNEL, sinceMs + 2001)).toBe(true);
  expect(other.yields(CHANNEL, sinceMs + 1999)).toBe(false);
  expect(one.yields(CHANNEL, Date.now())).toBe(false);
  expect(other.yields(CHANNEL + 1, Date.now())).toBe(false);
});

test('of two relays that both wait, the later one gives way', () => {
  const { one, other } = twoRelays();
  one.waits(CHANNEL, Date.now());
  vi.advanceTimersByTime(3000);
  other.waits(CHANNEL, Date.now());
  vi.advanceTimersByTime(3000);
  expect([one.yields(CHANNEL, Date.now() - 6000), other.yields(CHANNEL, Date.now() - 3000)]).toEqual([
    false,
    true,
  ]);
});

test('nobody gives way to a call that was served or whose relay fell silent', () => {
  const { one, other, line } = twoRelays();
  one.waits(CHANNEL, Date.now());
  vi.advanceTimersByTime(5000);
  one.waits(CHANNEL, undefined);
  expect(other.yields(CHANNEL, Date.now())).toBe(false);
  one.waits(CHANNEL, Date.now() - 5000);
  one.waits(CHANNEL, Date.now() - 5000);
  expect(other.yields(CHANNEL, Date.now())).toBe(true);
  line.isCut = true;
  vi.advanceTimersByTime(1000);
  expect(other.yields(CHANNEL, Date.now())).toBe(false);
});

test('messages that do not read are ignored', () => {
  let hear: (body: string) => void = () => undefined;
  const turns = new QueueTurns(
    { tell: () => undefined, hear: (_, listener) => ((hear = listener), () => undefined) },
    () => Date.now(),
  );
  for (const body of ['', '{', 'null', '["a"]', '["a",[[7,"x"]]]', '["a",[[7,-2]]]', '["a",[[7,1e300]]]'])
    hear(body);
  expect(turns.yields(CHANNEL, Infinity)).toBe(false);
});
