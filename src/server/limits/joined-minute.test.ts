import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { News } from '#core/news.ts';
import { CountedSeatRoom } from './counted-seat-room.ts';

/** What a node that starts knows of the last minute. */

const none = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
const STARTED_MS = 1_000_000;
const STEP_MS = 100;

let nowMs = STARTED_MS;
let listeners: { heard: (body: string) => void }[] = [];
let rooms: CountedSeatRoom[] = [];
const bodies: string[] = [];

/** Messages between nodes arrive at once; each node has its own clock. */
const open = (clockAheadMs = 0): CountedSeatRoom => {
  const own = { heard: (_body: string): void => undefined };
  const news: News = {
    tell: (_topic, body) => {
      bodies.push(body);
      for (const other of listeners) if (other !== own) other.heard(body);
    },
    hear: (_topic, heard) => {
      own.heard = heard;
      listeners.push(own);
      return () => undefined;
    },
  };
  const room = new CountedSeatRoom(news, () => nowMs + clockAheadMs);
  rooms.push(room);
  return room;
};

const pass = (ms: number): void => {
  for (let gone = 0; gone < ms; gone += STEP_MS) {
    nowMs += STEP_MS;
    vi.advanceTimersByTime(STEP_MS);
  }
};

/** How many of so many calls find room at a channel with these limits. */
const taken = (room: CountedSeatRoom, count: number, limits: Partial<typeof none>, channelId = 1): number => {
  const wish = { channelId, keyId: 0, ofChannel: { ...none, ...limits }, ofKey: undefined, tokens: 10 };
  return Array.from({ length: count }, () => room.take(wish)).filter((lease) => lease !== undefined).length;
};

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = STARTED_MS;
  listeners = [];
  rooms = [];
  bodies.length = 0;
});
afterEach(async () => {
  for (const room of rooms) await room.close();
  vi.useRealTimers();
});

test('a node that joins goes on with the calls and tokens of the minute, however many nodes tell it', () => {
  const [here, there] = [open(), open(2500)];
  expect([taken(here, 4, { callsPerMinute: 10 }), taken(here, 3, { tokensPerMinute: 100 }, 2)]).toEqual([
    4, 3,
  ]);
  pass(20_000);
  expect([taken(there, 2, { callsPerMinute: 10 }), taken(there, 4, { tokensPerMinute: 100 }, 2)]).toEqual([
    2, 4,
  ]);
  // The last of these is not told to anybody yet.
  const joined = open(123_456);
  joined.join();
  pass(1000);
  expect([taken(joined, 9, { callsPerMinute: 10 }), taken(joined, 9, { tokensPerMinute: 100 }, 2)]).toEqual([
    4, 3,
  ]);
});

test('used calls expire when they do at the other nodes, to within one slice of the minute', () => {
  const here = open();
  taken(here, 10, { callsPerMinute: 10 });
  pass(40_000);
  const joined = open(2500);
  joined.join();
  pass(15_000);
  expect(taken(joined, 9, { callsPerMinute: 10 })).toBe(0);
  pass(16_000);
  expect(taken(joined, 9, { callsPerMinute: 10 })).toBe(9);
});

test('a node alone asks four times and no more; one that was answered does not ask again', () => {
  open().join();
  pass(60_000);
  expect(bodies).toHaveLength(4);
  open().join();
  pass(60_000);
  expect(bodies.filter((body) => body.includes('joins'))).toHaveLength(5);
});

test('the minute of very many seats is told in messages that are not too long', () => {
  const here = open();
  for (let channel = 1; channel <= 500; channel += 1) taken(here, 1, { callsPerMinute: 2 }, channel);
  const joined = open();
  joined.join();
  expect(Math.max(...bodies.map((body) => body.length))).toBeLessThan(4000);
  for (let channel = 1; channel <= 500; channel += 1)
    expect(taken(joined, 2, { callsPerMinute: 2 }, channel)).toBe(1);
});

test.each([
  '["n","minute",[[1,[[[99,1]],[]]]]]',
  '["n","minute",[[1,[[[0,-5]],[]]]]]',
  '["n","minute"]',
  '["n","join"]',
])('a message that does not read is ignored: %s', (body) => {
  const here = open();
  for (const { heard } of listeners) heard(body);
  expect(taken(here, 3, { callsPerMinute: 2 }, 0)).toBe(2);
});
