import { expect, test } from 'vitest';
import { channelOf } from '#core/channel/testing/channel.ts';
import { routingOf } from '#core/channel/testing/selecting.ts';
import type { LeftOutReason } from '#core/channel/selection/select.ts';
import type { News } from '#core/news.ts';
import { SeatRooms, type Seating } from './seat-rooms.ts';

const LIMITS = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 1, callsPerDay: 0 };
const channel = channelOf(1, {
  id: 1,
  setting: { limits: {}, capacity: { limits: LIMITS, queueCalls: 5, queueWaitMs: 60_000 } },
});
const routing = { ...routingOf(), channels: new Map([[channel.id, channel]]) };

/** Two relays whose news arrive at once, before one channel with one place; the clock goes as it is told. */
const twoRelays = () => {
  const clock = { ms: 0, monotonic: () => clock.ms };
  const place = { isTaken: true };
  const listeners: ((body: string) => void)[] = [];
  /** When each relay last told since when its first waits. */
  const toldAtMs: number[] = [];
  const newsOf = (own: number): News => ({
    tell: (_, body) => {
      toldAtMs[own] = clock.ms;
      listeners.forEach((listener, at) => at !== own && listener(body));
    },
    hear: (_, listener) => {
      listeners[own] = listener;
      return () => undefined;
    },
  });
  const room = {
    freeInMs: () => (place.isTaken ? 100 : 0),
    take: () => {
      if (place.isTaken) return undefined;
      place.isTaken = true;
      return { end: () => void (place.isTaken = false), more: () => undefined };
    },
  };
  const relayOf = (own: number) => new SeatRooms(room, clock, () => routing, newsOf(own));
  return { one: relayOf(0), other: relayOf(1), clock, place, toldAtMs };
};

/** A call at a relay: its channel's id once it is there. @param closed why it cannot go there, but for room */
const call = (rooms: SeatRooms, closed: { reason?: LeftOutReason } = {}) => {
  const call: { went: number | undefined; isOver: boolean } = { went: undefined, isOver: false };
  const seating: Seating = {
    routing,
    tokens: 1,
    ifFull: 'wait',
    live: { stopped: undefined, queued: undefined },
    choose: (hasRoom) => {
      const isOpen = closed.reason === undefined && hasRoom(channel, undefined);
      const leftOut = isOpen ? [] : [{ channelId: channel.id, reason: closed.reason ?? 'no_room' }];
      return { channel: isOpen ? channel : undefined, group: 'default', coolingTaken: false, leftOut };
    },
  };
  void Promise.resolve(rooms.seat(seating)).then((decision) => {
    call.went = decision.channel?.id;
    call.isOver = true;
  });
  return call;
};

test('the call that waited longest, at another relay, gets the place first, and the later one the next', async () => {
  const { one, other, clock, place, toldAtMs } = twoRelays();
  const early = call(one);
  clock.ms = 5000;
  const late = call(other);
  await expect.poll(() => toldAtMs[0]).toBe(clock.ms);
  place.isTaken = false;
  await expect.poll(() => early.went).toBe(channel.id);
  expect(late.isOver).toBe(false);
  place.isTaken = false;
  await expect.poll(() => late.went).toBe(channel.id);
});

test('no place is reserved for a call whose relay may not use the channel', async () => {
  const { one, other, clock, place, toldAtMs } = twoRelays();
  const closed: { reason?: LeftOutReason } = {};
  const early = call(one, closed);
  clock.ms = 5000;
  await expect.poll(() => toldAtMs[0]).toBe(clock.ms);
  closed.reason = 'cooling';
  place.isTaken = false;
  const late = call(other);
  await expect.poll(() => late.went).toBe(channel.id);
  expect(early.isOver).toBe(false);
});
