import { setTimeout as pause } from 'node:timers/promises';
import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { keyById, type PoolKey } from '#core/channel/keys/pool.ts';
import type { Routing } from '#core/channel/routing.ts';
import { isLimited, type RoomUsed, type RoomWish, type SeatRoom } from '#core/channel/seats/seat-room.ts';
import type { Decision, LeftOut } from '#core/channel/selection/select.ts';
import type { Clock } from '#core/clock.ts';
import type { AppError } from '#core/error.ts';
import { silentNews } from '#core/news.ts';
import { QueueTurns } from './queue-turns.ts';

/** What a call does when all its channels are full. It waits in a queue only if nothing of it runs elsewhere. */
export type IfFull = 'wait' | 'give-up';

/** One call that looks for a place at a seat. */
export interface Seating {
  readonly routing: Routing;
  /** The tokens of prompt and answer, estimated. */
  readonly tokens: number;
  readonly ifFull: IfFull;
  /** It waited at another channel that has gone out of service. */
  readonly hasMoved?: boolean;
  readonly live: {
    /** Why the call ended while it waited. */
    readonly stopped: AppError | undefined;
    queued: Queued | undefined;
  };
  /** Selects a channel; a seat without room for the call is not selected. */
  choose(hasRoom: HasRoom): Decision | Promise<Decision>;
}

/** Whether the limits of a channel or of one of its keys let one more call in. */
export type HasRoom = (channel: Channel, key: PoolKey | undefined) => boolean;

/** How a call waited for its channel. */
export interface Queued {
  readonly channelId: number;
  /** Its position in the queue; 1 is the next. */
  readonly position: number;
  readonly waitMs: number;
}

interface Ticket {
  readonly sinceMs: number;
  /** Wakes the waiting call, because it may be its turn. */
  wake: () => void;
}

const DEFAULT_WAIT_MS = 10_000;
/** The queue of a channel without queue settings: a call waits only if there may be room within this short time. */
const SHORT_QUEUE = { queueCalls: 100, queueWaitMs: 2000 };
/**
 * How often the first in a queue looks for room again at the latest, and how often the others check that they still
 * wait.
 */
const [LOOK_EVERY_MS, STAY_EVERY_MS] = [50, 250];
/** Other calls may take the room between check and taking, so a call retries this often. */
const MOST_LOOKS = 8;

/** The room at seats for calls of this relay, and the queues, one for each channel that has one. */
export class SeatRooms {
  readonly #room: SeatRoom;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #queues = new Map<number, Ticket[]>();
  readonly #turns: QueueTurns;
  readonly #routing: (() => Pick<Routing, 'channels'>) | undefined;

  /**
   * @param routing the current configuration: a waiting call must not go to a channel that is out of service by now
   * @param news tells other relays who waits
   */
  constructor(
    room: SeatRoom,
    clock: Pick<Clock, 'monotonic'>,
    routing?: () => Pick<Routing, 'channels'>,
    news = silentNews,
  ) {
    this.#room = room;
    this.#clock = clock;
    this.#routing = routing;
    this.#turns = new QueueTurns(news, () => clock.monotonic());
  }

  /**
   * Returns a decision whose channel has room, with the room taken. If no channel has room, at once or after waiting,
   * the decision has no channel.
   */
  seat(seating: Seating): Decision | Promise<Decision> {
    const decision = seating.choose(this.hasRoom(seating.tokens));
    return decision instanceof Promise
      ? decision.then((decided) => this.#seated(seating, decided))
      : this.#seated(seating, decision);
  }

  /**
   * Says whether a call of so many tokens would fit, without counting it. A call without a ticket waits behind those in
   * the queue.
   */
  hasRoom(tokens: number, ticket?: Ticket): HasRoom {
    return (channel, key) => {
      const now = this.#now(channel);
      const keyNow = now === channel ? key : key && keyById(now?.pool ?? [], key.id);
      if (now === undefined || (key !== undefined && !isInUse(keyNow))) return false;
      const ofChannel = now.setting.capacity?.limits;
      const ofKey = keyNow?.limits;
      if (!isLimited({ ofChannel, ofKey })) return true;
      if (!this.#isNext(channel.id, ticket)) return false;
      const keyId = key?.id ?? 0;
      return this.#room.freeInMs({ channelId: channel.id, keyId, ofChannel, ofKey, tokens }) <= 0;
    };
  }

  /** The channel's current state; undefined if it is out of service. */
  #now(channel: Channel): Channel | undefined {
    const now = this.#routing === undefined ? channel : this.#routing().channels.get(channel.id);
    return now?.status === channelStatus.enabled ? now : undefined;
  }

  /** The room a call takes at a seat, by its current limits. */
  #wishOf({ tokens, routing }: Seating, channel: Channel): RoomWish {
    const { id: channelId, keyId } = channel;
    const now = this.#routing?.().channels.get(channelId) ?? routing.channels.get(channelId) ?? channel;
    const ofKey = keyId === 0 ? undefined : keyById(now.pool, keyId)?.limits;
    return { channelId, keyId, ofChannel: now.setting.capacity?.limits, ofKey, tokens };
  }

  /** The full channel if calls may wait for it, else undefined. */
  #awaited({ routing }: Seating, channelId: number): Channel | undefined {
    const channel = routing.channels.get(channelId);
    return channel && this.#now(channel);
  }

  #seated(seating: Seating, decision: Decision): Decision | Promise<Decision> {
    const { channel } = decision;
    if (channel === undefined) return isFull(decision) ? this.#waited(seating, decision) : decision;
    return isLimited(this.#wishOf(seating, channel)) ? this.#taken(seating, decision) : decision;
  }

  async #taken(seating: Seating, first: Decision, ticket?: Ticket): Promise<Decision> {
    let decision = first;
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const { channel } = decision;
      if (channel === undefined) break;
      const wish = this.#wishOf(seating, channel);
      // A channel that the caller named, or that keeps what the call continues from, is chosen even if it has no room.
      const isBehind = isLimited(wish) && !this.#isNext(channel.id, ticket);
      const lease = isBehind || !isLimited(wish) ? undefined : await this.#room.take(wish);
      if (!isLimited(wish) || lease !== undefined) return this.#withLease(decision, lease);
      const again = await seating.choose(this.hasRoom(seating.tokens, ticket));
      if (again.channel === channel && looks > 0) {
        decision = fullOf(again, channel);
        break;
      }
      decision = again;
    }
    if (decision.channel !== undefined) decision = fullOf(decision, decision.channel);
    return ticket === undefined && isFull(decision) ? this.#waited(seating, decision) : decision;
  }

  #withLease(decision: Decision, lease: Decision['lease']): Decision {
    const id = decision.channel?.id ?? 0;
    if (lease === undefined) return decision;
    const end = (used?: RoomUsed): void => {
      lease.end(used);
      this.#queues.get(id)?.[0]?.wake();
    };
    return { ...decision, lease: { end, more: (tokens) => lease.more(tokens) } };
  }

  #isNext(channelId: number, ticket: Ticket | undefined): boolean {
    const queue = this.#queues.get(channelId);
    if (queue !== undefined && queue[0] !== ticket) return false;
    return !this.#turns.yields(channelId, ticket?.sinceMs ?? this.#clock.monotonic());
  }

  /** Tells other relays if the first in the queue is another call now. */
  #noteFirst(channelId: number): void {
    this.#turns.waits(channelId, this.#queues.get(channelId)?.[0]?.sinceMs);
  }

  /** Waits in the queue of the first full channel that has one with room in it. */
  async #waited(seating: Seating, decision: Decision): Promise<Decision> {
    if (seating.ifFull === 'give-up') return this.#withWait(seating, decision);
    for (const { channelId, reason } of decision.leftOut) {
      if (reason !== 'no_room') continue;
      const { queueCalls, queueWaitMs } = this.#queueOf(seating, this.#awaited(seating, channelId));
      const queue = this.#queues.get(channelId) ?? [];
      if (queue.length >= queueCalls) continue;
      return this.#queued(seating, decision, { channelId, queue, queueWaitMs });
    }
    return this.#withWait(seating, decision);
  }

  /** The queue settings of the channel; without any, a short queue if there may be room before it ends. */
  #queueOf(seating: Seating, channel: Channel | undefined) {
    if (channel === undefined) return { queueCalls: 0, queueWaitMs: 0 };
    const { queueCalls, queueWaitMs } = channel.setting.capacity ?? {};
    if (queueCalls !== undefined) return { queueCalls, queueWaitMs: queueWaitMs ?? DEFAULT_WAIT_MS };
    const short = { ...SHORT_QUEUE, ...(queueWaitMs !== undefined && { queueWaitMs }) };
    return this.#freeInMs(seating, channel) <= short.queueWaitMs ? short : { ...short, queueCalls: 0 };
  }

  /** When the channel may have room, with whichever of its keys is used. */
  #freeInMs(seating: Seating, channel: Channel): number {
    const wish = this.#wishOf(seating, channel);
    const ofChannelMs = this.#room.freeInMs(wish);
    let ofKeysMs = Infinity;
    for (const { id: keyId, limits: ofKey, state } of channel.pool) {
      if (state.status !== 'enabled') continue;
      const limits = { ofChannel: undefined, ofKey };
      ofKeysMs = Math.min(
        ofKeysMs,
        isLimited(limits) ? this.#room.freeInMs({ ...wish, keyId, ...limits }) : 0,
      );
      if (ofKeysMs <= ofChannelMs) return ofChannelMs;
    }
    return ofKeysMs === Infinity ? ofChannelMs : ofKeysMs;
  }

  async #queued(
    seating: Seating,
    first: Decision,
    {
      channelId,
      queue,
      queueWaitMs,
    }: { readonly channelId: number; readonly queue: Ticket[]; readonly queueWaitMs: number },
  ): Promise<Decision> {
    const sinceMs = this.#clock.monotonic();
    const ticket: Ticket = { sinceMs, wake: () => undefined };
    queue.push(ticket);
    this.#queues.set(channelId, queue);
    if (queue.length === 1) this.#noteFirst(channelId);
    const position = queue.length;
    let decision = first;
    try {
      for (;;) {
        const { stopped } = seating.live;
        if (stopped !== undefined) throw stopped;
        if (this.#awaited(seating, channelId) === undefined) break;
        const leftMs = sinceMs + queueWaitMs - this.#clock.monotonic();
        if (queue[0] === ticket) {
          const found = await seating.choose(this.hasRoom(seating.tokens, ticket));
          decision = found.channel === undefined ? found : await this.#taken(seating, found, ticket);
          if (decision.channel !== undefined) return decision;
          // If the channel is closed for another reason than its limits, other relays need not leave it room.
          const { reason = 'no_room' } = decision.leftOut.find((one) => one.channelId === channelId) ?? {};
          this.#turns.waits(channelId, reason === 'no_room' ? sinceMs : undefined);
        }
        if (leftMs <= 0) return this.#withWait(seating, decision);
        await woken(ticket, Math.min(leftMs, queue[0] === ticket ? LOOK_EVERY_MS : STAY_EVERY_MS));
      }
    } finally {
      seating.live.queued = { channelId, position, waitMs: this.#clock.monotonic() - sinceMs };
      const place = queue.indexOf(ticket);
      queue.splice(place, 1);
      if (queue.length === 0) this.#queues.delete(channelId);
      else queue[0]?.wake();
      if (place === 0) this.#noteFirst(channelId);
    }
    // The channel went out of service, so no room comes free here: try the others, and at most one other queue.
    return this.seat({ ...seating, ifFull: seating.hasMoved === true ? 'give-up' : 'wait', hasMoved: true });
  }

  /** Adds when the first of the full channels may have room. */
  #withWait(seating: Seating, decision: Decision): Decision {
    let roomInMs: number | undefined;
    const leftOut = decision.leftOut.map((one): LeftOut => {
      if (one.reason !== 'no_room') return one;
      const channel = this.#awaited(seating, one.channelId);
      if (channel === undefined) return { ...one, reason: 'disabled' };
      roomInMs = Math.min(roomInMs ?? Infinity, this.#freeInMs(seating, channel));
      return one;
    });
    return { ...decision, leftOut, ...(roomInMs !== undefined && { roomInMs }) };
  }
}

const isInUse = (key: PoolKey | undefined): boolean =>
  key !== undefined && key.state.status !== 'off' && key.state.status !== 'revoked';

const isFull = ({ leftOut }: Decision): boolean => leftOut.some(({ reason }) => reason === 'no_room');

const fullOf = (decision: Decision, { id }: Channel): Decision => ({
  ...decision,
  channel: undefined,
  leftOut: [
    ...decision.leftOut.filter(({ channelId }) => channelId !== id),
    { channelId: id, reason: 'no_room' },
  ],
});

/** Waits for this long, or until the ticket is woken. */
const woken = async (ticket: Ticket, waitMs: number): Promise<void> => {
  const timer = new AbortController();
  const called = new Promise<void>((resolve) => (ticket.wake = resolve));
  await Promise.race([called, pause(waitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
  timer.abort();
};
