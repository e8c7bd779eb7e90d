import type { RoomWish, SeatLease, SeatRoom } from '#core/channel/seats/seat-room.ts';

/** The counter for all relays of this process. */
export interface RoomCounter {
  /** Returns the lease's number, or in how many milliseconds there may be room. */
  take(wish: RoomWish): Promise<{ readonly lease: number } | { readonly freeInMs: number }>;
  end(lease: number, tokens: number | undefined): void;
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
      try {
        const taken = await counter.take(wish);
        if ('lease' in taken) {
          const { lease } = taken;
          return {
            end: (tokens) => counter.end(lease, tokens),
            more: (tokens) => counter.more(lease, tokens),
          };
        }
        remember(wish, taken.freeInMs);
        return undefined;
      } catch {
        const lease = await alone.take(wish);
        if (lease === undefined) remember(wish, LEAST_MS);
        return lease;
      }
    },
  };
};

/** The leases of one relay: all of them end when the relay does. */
export const leasesOf = (room: SeatRoom): RoomCounter & { closeAll(): void } => {
  const leases = new Map<number, SeatLease>();
  let last = 0;
  return {
    async take(wish) {
      const lease = await room.take(wish);
      if (lease === undefined) return { freeInMs: room.freeInMs(wish) };
      leases.set(++last, lease);
      return { lease: last };
    },
    end(number, tokens) {
      leases.get(number)?.end(tokens);
      leases.delete(number);
    },
    more: (number, tokens) => leases.get(number)?.more(tokens),
    closeAll() {
      for (const lease of leases.values()) lease.end();
      leases.clear();
    },
  };
};
