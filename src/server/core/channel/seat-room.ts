import type { KeyLimits } from './pool.ts';

/** A call that would be sent to a seat, and what its channel and its key may be used for; undefined is without limit. */
export interface RoomWish {
  readonly channelId: number;
  readonly keyId: number;
  readonly ofChannel: KeyLimits | undefined;
  readonly ofKey: KeyLimits | undefined;
  /** Prompt and answer, as far as they can be guessed. */
  readonly tokens: number;
}

/** A call's place at a seat. */
export interface SeatLease {
  /** The call is over. `tokens`: what it really used, if that is known. Once is enough; more is no harm. */
  end(tokens?: number): void;
  /** It is used for one more call, of so many tokens, as a conversation is that stays open. Never refused. */
  more(tokens: number): void;
}

/** Who counts what seats are used for: for all relays of a process, and as well as can be for all nodes. */
export interface SeatRoom {
  /** In how many milliseconds the call may fit, as far as is known here; 0 if it fits now. */
  freeInMs(wish: RoomWish): number;
  /** Takes a place; undefined if there is none. */
  take(wish: RoomWish): SeatLease | undefined | Promise<SeatLease | undefined>;
}

/** Where nobody counts: there is always room. */
export const openSeatRoom: SeatRoom = {
  freeInMs: () => 0,
  take: () => ({ end: () => undefined, more: () => undefined }),
};

/** Whether anything is limited at all. */
export const isLimited = ({ ofChannel, ofKey }: Pick<RoomWish, 'ofChannel' | 'ofKey'>): boolean =>
  ofChannel !== undefined || (ofKey !== undefined && hasLimit(ofKey));

const hasLimit = ({ callsPerMinute, tokensPerMinute, concurrent, callsPerDay }: KeyLimits): boolean =>
  callsPerMinute > 0 || tokensPerMinute > 0 || concurrent > 0 || callsPerDay > 0;
