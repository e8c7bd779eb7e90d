import { expect, it } from 'vitest';
import type { SeatCalls } from '#core/channel/seats/seat-day-store.ts';
import { silentNews } from '#core/news.ts';
import { createAskedSeatRoom, leasesOf } from './asked-seat-room.ts';
import { CountedSeatRoom } from './counted-seat-room.ts';

const NOON_MS = Date.UTC(2026, 10, 30, 12);

const limits = { callsPerMinute: 1, tokensPerMinute: 100, concurrent: 1, callsPerDay: 1 };
const wish = { channelId: 1, keyId: 2, ofChannel: limits, ofKey: limits, tokens: 100 };

const stage = () => {
  const time = { ms: 0 };
  const rows: SeatCalls[] = [];
  const store = {
    add: async (calls: readonly SeatCalls[]) => void rows.push(...calls),
    since: async () => [],
    deleteBefore: async () => undefined,
  };
  const log = { error: () => undefined };
  const stored = { store, nowMs: () => NOON_MS + time.ms, log };
  const room = new CountedSeatRoom(silentNews, () => time.ms, stored);
  return { room, time, rows };
};

it('a call that was not sent is none of the minute, of the day, nor of those that run', async () => {
  const { room, time, rows } = stage();
  room.take(wish)?.end('nothing sent');
  time.ms += 6000;
  const unsent = room.take(wish);
  time.ms += 7_200_000;
  unsent?.end('nothing sent');
  expect(room.freeInMs(wish)).toBe(0);
  // One that was sent counts, whatever it used.
  room.take(wish)?.end(0);
  expect(room.freeInMs(wish)).toBeGreaterThan(22 * 3_600_000);
  await room.close();
  const perSeat = Map.groupBy(rows, ({ seat }) => seat);
  for (const ofSeat of perSeat.values()) expect(ofSeat.reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
  expect(perSeat.size).toBe(2);
});

it('nor is one that a relay in another thread has not sent', async () => {
  const { room, time } = stage();
  const asked = createAskedSeatRoom(leasesOf(room), room, () => time.ms);
  for (let call = 0; call < 3; call += 1) {
    const lease = await asked.take(wish);
    expect(lease).toBeDefined();
    lease?.end('nothing sent');
  }
  await room.close();
});
