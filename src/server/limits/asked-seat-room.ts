import type { RoomUsed, RoomWish, SeatLease, SeatRoom } from '#core/channel/seats/seat-room.ts';
import type { CountedSeatRoom } from './counted-seat-room.ts';

/** The counter for all relays of this process. */
export interface RoomCounter {
  /** Takes a lease under this number of the relay's, or returns in how many milliseconds there may be room. */
  take(lease: number, wish: RoomWish): Promise<'taken' | { readonly freeInMs: number }>;
  end(lease: number, used: RoomUsed | undefined): void;
  more(lease: number, tokens: number): void;
}

/** The least and the most time before a full seat is asked about again; its limits may be raised meanwhile. */
const [LEAST_MS, MOST_MS] = [20, 2000];
const REMEMBERED_MAX = 10_000;

/**
 * The room at seats, counted in another thread for all relays. While that thread does not answer, this relay counts
 * with `alone`, so that calls go on.
 */
export const createAskedSeatRoom = (counter: RoomCounter, alone: SeatRoom, nowMs: () => number): SeatRoom => {
  /** Until when a seat counts as full, and when it may have room according to the last answer. */
  const full = new Map<string, { readonly againAtMs: number; readonly freeAtMs: number }>();
  const nameOf = ({ channelId, keyId }: RoomWish): string => `${String(channelId)} ${String(keyId)}`;
  const remember = (wish: RoomWish, freeInMs: number): void => {
    if (full.size >= REMEMBERED_MAX) full.clear();
    const atMs = nowMs();
    const againAtMs = atMs + Math.min(MOST_MS, Math.max(LEAST_MS, freeInMs));
    full.set(nameOf(wish), { againAtMs, freeAtMs: Math.max(againAtMs, atMs + freeInMs) });
  };
  let lastLease = 0;
  return {
    freeInMs(wish) {
      if (full.size === 0) return 0;
      const name = nameOf(wish);
      const known = full.get(name);
      if (known === undefined) return 0;
      const atMs = nowMs();
      if (known.againAtMs > atMs) return known.freeAtMs - atMs;
      full.delete(name);
      return 0;
    },
    async take(wish): Promise<SeatLease | undefined> {
      const number = ++lastLease;
      try {
        const taken = await counter.take(number, wish);
        if (taken === 'taken')
          return {
            end: (used) => counter.end(number, used),
            more: (tokens) => counter.more(number, tokens),
          };
        remember(wish, taken.freeInMs);
        return undefined;
      } catch {
        // The question may have been answered too late: such a room would stay taken for ever.
        counter.end(number, 'nothing sent');
        const lease = await alone.take(wish);
        if (lease === undefined) remember(wish, LEAST_MS);
        return lease;
      }
    },
  };
};

/** The leases of one relay: all of them end when the relay does. */
export const leasesOf = (
  room: Pick<CountedSeatRoom, 'take' | 'freeInMs'>,
): RoomCounter & { closeAll(): void } => {
  const leases = new Map<number, SeatLease>();
  return {
    async take(number, wish) {
      const lease = room.take(wish);
      if (lease === undefined) return { freeInMs: room.freeInMs(wish) };
      leases.set(number, lease);
      return 'taken';
    },
    end(number, used) {
      leases.get(number)?.end(used);
      leases.delete(number);
    },
    more: (number, tokens) => leases.get(number)?.more(tokens),
    closeAll() {
      for (const lease of leases.values()) lease.end();
      leases.clear();
    },
  };
};
