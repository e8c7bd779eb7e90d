import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SeatCalls, SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import { DAY_PIECE_MS } from '#core/channel/seats/seat-use.ts';
import { openSeatRoom, type RoomWish, type SeatLease } from '#core/channel/seats/seat-room.ts';
import { type News, silentNews } from '#core/news.ts';
import { createAskedSeatRoom, leasesOf, type RoomCounter } from './asked-seat-room.ts';
import { CountedSeatRoom } from './counted-seat-room.ts';

const none = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };
const wish = (more: Partial<RoomWish> = {}): RoomWish => ({
  channelId: 1,
  keyId: 0,
  ofChannel: { ...none, concurrent: 3 },
  ofKey: undefined,
  tokens: 10,
  ...more,
});

/** Delivers messages between nodes; a node that is silent no longer counts. */
const newsFor = (count: number) => {
  const listeners: ((body: string) => void)[] = [];
  const silent = new Set<number>();
  const all = Array.from({ length: count }, (_, own): News => ({
    tell: (_topic, body) => {
      if (!silent.has(own)) listeners.forEach((listener, at) => at !== own && listener(body));
    },
    hear: (_topic, listener) => {
      listeners[own] = listener;
      return () => undefined;
    },
  }));
  return { all, silent };
};

const takeAll = (room: CountedSeatRoom, of: RoomWish, count: number): SeatLease[] =>
  Array.from({ length: count }, () => room.take(of)).filter((lease) => lease !== undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the room at seats', () => {
  it('lets through no more tokens in any minute than the limit, however late the use is known', () => {
    const step = fc.record({
      pauseMs: fc.nat({ max: 20_000 }),
      tokens: fc.integer({ min: 1, max: 50 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.nat({ max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let nowMs = 1_000_000;
        const room = new CountedSeatRoom(silentNews, () => nowMs);
        const of = wish({ ofChannel: { ...none, tokensPerMinute: 100 } });
        const calls: { atMs: number; tokens: number; lease: SeatLease | undefined }[] = [];
        for (const { pauseMs, tokens, share, ends } of steps) {
          nowMs += pauseMs;
          const lease = room.take({ ...of, tokens });
          if (lease !== undefined) calls.push({ atMs: nowMs, tokens, lease });
          const lately = calls.filter(({ atMs }) => atMs > nowMs - 60_000);
          expect(lately.reduce((sum, call) => sum + call.tokens, 0)).toBeLessThanOrEqual(100);
          const over = calls[calls.length - 1 - ends];
          if (over?.lease === undefined) continue;
          over.tokens = Math.floor(over.tokens * share);
          over.lease.end(over.tokens);
          over.lease = undefined;
        }
        void room.close();
      }),
      { numRuns: 500 },
    );
  });

  it('gives back what a call did not use, also where it took a while', () => {
    let nowMs = 1_000_000;
    const room = new CountedSeatRoom(silentNews, () => nowMs);
    const of = wish({ ofChannel: { ...none, tokensPerMinute: 100 }, tokens: 100 });
    const lease = room.take(of);
    nowMs += 20_000;
    expect(room.freeInMs({ ...of, tokens: 90 })).toBeGreaterThan(0);
    lease?.end(10);
    expect(room.freeInMs({ ...of, tokens: 90 })).toBe(0);
    expect(room.freeInMs({ ...of, tokens: 91 })).toBeGreaterThan(0);
    void room.close();
  });

  it('is never more than the limit, whatever order calls come and go in', () => {
    const step = fc.record({ ends: fc.nat({ max: 9 }), tokens: fc.nat({ max: 50 }), takes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const room = new CountedSeatRoom(silentNews, () => 1000);
        const of = wish({ ofKey: { ...none, concurrent: 2, tokensPerMinute: 400 }, keyId: 5 });
        const running: SeatLease[] = [];
        for (const { ends, tokens, takes } of steps) {
          const [over] = takes ? [] : running.splice(ends % Math.max(1, running.length), 1);
          over?.end(tokens);
          over?.end(tokens);
          const lease = takes ? room.take(of) : undefined;
          if (lease !== undefined) running.push(lease);
          expect(running.length).toBeLessThanOrEqual(2);
        }
        for (const lease of running) lease.end(0);
        void room.close();
      }),
    );
  });

  it('of a key and of its channel are both kept, and other keys have their own', () => {
    const room = new CountedSeatRoom(silentNews, () => 1000);
    const key = (keyId: number) =>
      wish({ keyId, ofKey: { ...none, callsPerMinute: 1 }, ofChannel: { ...none, callsPerMinute: 3 } });
    expect(takeAll(room, key(1), 3)).toHaveLength(1);
    expect(takeAll(room, key(2), 3)).toHaveLength(1);
    expect(takeAll(room, key(3), 3)).toHaveLength(1);
    expect(takeAll(room, key(4), 3)).toHaveLength(0);
    expect(room.freeInMs(key(4))).toBeGreaterThan(0);
    void room.close();
  });

  it('used by other nodes is known within a fraction of a second, and free again when they end', () => {
    const { all } = newsFor(2);
    const [one, other] = all.map((news) => new CountedSeatRoom(news, () => Date.now()));
    if (one === undefined || other === undefined) throw new Error('no nodes');
    const leases = takeAll(one, wish(), 5);
    expect(leases).toHaveLength(3);
    vi.advanceTimersByTime(300);
    expect(other.take(wish())).toBeUndefined();
    vi.advanceTimersByTime(20_000);
    expect(other.take(wish())).toBeUndefined();
    leases.forEach((lease) => lease.end());
    vi.advanceTimersByTime(300);
    expect(takeAll(other, wish(), 5)).toHaveLength(3);
    const minute = wish({ channelId: 2, ofChannel: { ...none, callsPerMinute: 4 } });
    takeAll(one, minute, 3);
    vi.advanceTimersByTime(300);
    expect(takeAll(other, minute, 9)).toHaveLength(1);
    void one.close();
    void other.close();
  });

  it('wakes nobody while none of it is used', () => {
    const { all } = newsFor(2);
    const [one, other] = all.map((news) => new CountedSeatRoom(news, () => Date.now()));
    expect(vi.getTimerCount()).toBe(0);
    const [lease] = takeAll(one!, wish(), 1);
    vi.advanceTimersByTime(20_000);
    expect(vi.getTimerCount()).toBe(1);
    lease?.end();
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
    // Whom it was told to knows that it is free.
    expect(takeAll(other!, wish(), 5)).toHaveLength(3);
    void one!.close();
    void other!.close();
  });

  it('held by a node that was killed is free within seconds, since nobody reports it any more', () => {
    const { all, silent } = newsFor(2);
    const [one, other] = all.map((news) => new CountedSeatRoom(news, () => Date.now()));
    takeAll(one!, wish(), 3);
    vi.advanceTimersByTime(300);
    silent.add(0);
    expect(other!.take(wish())).toBeUndefined();
    vi.advanceTimersByTime(6000);
    expect(takeAll(other!, wish(), 9)).toHaveLength(3);
    void one!.close();
    void other!.close();
  });

  it('is not changed by a message that does not read', () => {
    const { all } = newsFor(2);
    const room = new CountedSeatRoom(all[0]!, () => 1000);
    for (const body of ['', '{}', '[1,2]', '["n",[[2,1e99,"x",1]]]', '["n",[[2,0,0,-5]]]'])
      all[1]!.tell('room', body);
    expect(takeAll(room, wish(), 9)).toHaveLength(3);
    void room.close();
  });
});

describe('the room that a relay asks another one for', () => {
  it('is that of all relays, and is asked for again only after a while', async () => {
    const room = new CountedSeatRoom(silentNews, () => Date.now());
    const leases = leasesOf(room);
    let asked = 0;
    const counter: RoomCounter = { ...leases, take: (...of) => (asked++, leases.take(...of)) };
    const further = createAskedSeatRoom(counter, room, () => Date.now());
    const taken = [await further.take(wish()), await further.take(wish()), room.take(wish())];
    expect(taken.every((lease) => lease !== undefined)).toBe(true);
    expect(await further.take(wish())).toBeUndefined();
    expect([further.freeInMs(wish()) > 0, asked]).toEqual([true, 3]);
    taken[0]?.end(5);
    vi.advanceTimersByTime(2000);
    expect(further.freeInMs(wish())).toBe(0);
    expect(await further.take(wish())).toBeDefined();
    void room.close();
  });

  it('of a relay that has ended is free', async () => {
    const room = new CountedSeatRoom(silentNews, () => Date.now());
    const leases = leasesOf(room);
    for (let at = 0; at < 3; at++) await leases.take(at, wish());
    expect(room.take(wish())).toBeUndefined();
    leases.closeAll();
    expect(takeAll(room, wish(), 9)).toHaveLength(3);
    void room.close();
  });

  it('is free again where it was given too late for the relay that asked', async () => {
    const room = new CountedSeatRoom(silentNews, () => Date.now());
    const leases = leasesOf(room);
    const take: RoomCounter['take'] = async (...of) => {
      await leases.take(...of);
      throw new Error('the answer came too late');
    };
    const further = createAskedSeatRoom({ ...leases, take }, openSeatRoom, () => Date.now());
    for (let at = 0; at < 5; at++) expect(await further.take(wish())).toBeDefined();
    expect(takeAll(room, wish(), 9)).toHaveLength(3);
    void room.close();
  });

  it('is counted locally while nobody answers: calls go on', async () => {
    const alone = new CountedSeatRoom(silentNews, () => Date.now());
    const counter: RoomCounter = {
      take: () => Promise.reject(new Error('gone')),
      end: () => undefined,
      more: () => undefined,
    };
    const further = createAskedSeatRoom(counter, alone, () => Date.now());
    const taken = [];
    for (let at = 0; at < 5; at++) taken.push(await further.take(wish()));
    expect(taken.filter((lease) => lease !== undefined)).toHaveLength(3);
    void alone.close();
  });

  it('counts every call of the day once when a node joins, although it reads and hears of them', async () => {
    const rows: SeatCalls[] = [];
    const kept = {
      store: {
        add: async (calls: readonly SeatCalls[]) => void rows.push(...calls),
        since: async () => rows,
        deleteBefore: async () => undefined,
      },
      nowMs: () => DAY_PIECE_MS,
      log: { error: () => undefined },
    };
    const news = newsFor(2).all;
    const open = (at: number) => new CountedSeatRoom(news[at] ?? silentNews, () => 1_000_000, kept);
    const of = wish({ ofChannel: { ...none, callsPerDay: 10 } });
    const here = open(0);
    await here.start();
    expect(takeAll(here, of, 6)).toHaveLength(6);
    await here.share();
    const there = open(1);
    await there.start();
    vi.advanceTimersByTime(1000);
    expect(takeAll(there, of, 9)).toHaveLength(4);
    await here.close();
    await there.close();
  });

  it('knows what others used today although no news of it came, and writes what it could not write at first', async () => {
    const rows: SeatCalls[] = [{ seat: 2, piece: 1, calls: 2 }];
    let isDown = false;
    const store: SeatDayStore = {
      add: async (calls) => {
        if (isDown) throw new Error('the database is not there');
        rows.push(...calls);
      },
      since: async (piece) => rows.filter((row) => row.piece >= piece),
      deleteBefore: async () => undefined,
    };
    let wallMs = DAY_PIECE_MS + 1;
    const room = new CountedSeatRoom(silentNews, () => 1_000_000, {
      store,
      nowMs: () => wallMs,
      log: { error: () => undefined },
    });
    await room.start();
    const of = wish({ ofChannel: { ...none, callsPerDay: 5 } });
    expect(takeAll(room, of, 1)).toHaveLength(1);
    isDown = true;
    await room.share();
    expect(rows).toHaveLength(1);
    isDown = false;
    // Another node has made one more.
    rows.push({ seat: 2, piece: 2, calls: 1 });
    wallMs = 2 * DAY_PIECE_MS + 40_000;
    await room.share();
    expect(rows).toContainEqual({ seat: 2, piece: 1, calls: 1 });
    expect(takeAll(room, of, 9)).toHaveLength(1);
    // A day and a piece later nothing of it counts.
    wallMs += 13 * DAY_PIECE_MS;
    expect(takeAll(room, of, 9)).toHaveLength(5);
    await room.close();
  });
});
