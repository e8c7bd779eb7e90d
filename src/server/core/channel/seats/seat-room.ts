import type { KeyLimits } from '../keys/pool.ts';

/** A call for a seat, and the limits of its channel and key; undefined means no limit. */
export interface RoomWish {
  readonly channelId: number;
  readonly keyId: number;
  readonly ofChannel: KeyLimits | undefined;
  readonly ofKey: KeyLimits | undefined;
  /** The estimated tokens of prompt and answer. */
  readonly tokens: number;
}

/** The tokens that a call really used; or that it was not sent: then it counts as no call. */
export type RoomUsed = number | 'nothing sent';

/** The room that a call holds at a seat. */
export interface SeatLease {
  /** Ends the call. `used` is undefined if unknown. Calling it again has no effect. */
  end(used?: RoomUsed): void;
  /** Adds another call of this many tokens to the lease, for a conversation that stays open. Never refused. */
  more(tokens: number): void;
}

/** Counts the use of seats: exactly over all relays of a process, approximately over all nodes. */
export interface SeatRoom {
  /** In how many milliseconds the call may fit, as far as is known here; 0 if it fits now. */
  freeInMs(wish: RoomWish): number;
  /** Takes room for the call; undefined if there is none. */
  take(wish: RoomWish): SeatLease | undefined | Promise<SeatLease | undefined>;
}

/** A seat room without limits: there is always room. */
export const openSeatRoom: SeatRoom = {
  freeInMs: () => 0,
  take: () => ({ end: () => undefined, more: () => undefined }),
};

/** Whether anything is limited. */
export const isLimited = ({ ofChannel, ofKey }: Pick<RoomWish, 'ofChannel' | 'ofKey'>): boolean =>
  ofChannel !== undefined || (ofKey !== undefined && hasLimit(ofKey));

const hasLimit = ({ callsPerMinute, tokensPerMinute, concurrent, callsPerDay }: KeyLimits): boolean =>
  callsPerMinute > 0 || tokensPerMinute > 0 || concurrent > 0 || callsPerDay > 0;
