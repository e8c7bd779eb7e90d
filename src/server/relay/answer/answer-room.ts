import { addressKey } from '#core/address-key.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { NO_ROOM_FOR_ANSWER } from '#core/channel/health/retry.ts';
import { answerTooLong, AppError } from '#core/error.ts';
import { RoomShare, SharedRoom } from '#core/limits/shared-room.ts';
import type { OutboundBody } from '#core/outbound/outbound.ts';

/** The limit of one whole answer. */
const WHOLE_BODY_MAX_BYTES = 64 * 1024 * 1024;
/**
 * The limit of all whole answers together. An answer counts from its first bytes until it has been given to its caller.
 */
const ALL_ANSWERS_MAX_BYTES = 512 * 1024 * 1024;
/**
 * However many relays share the limit, each has room for two answers of maximum size, because one user may fill half
 * of it.
 */
const LEAST_MAX_BYTES = 2 * WHOLE_BODY_MAX_BYTES;
/** Shorter answers are not counted: the connection of a stream buffers more. */
const UNCOUNTED_BYTES = 64 * 1024;
/** How long an answer waits for room, all its waits together. Its upstream is not read meanwhile. */
const WAIT_MS = 10_000;
const BUSY_SECONDS = 2;

/** The user and the address an answer counts for. */
export interface AnswerOwner {
  readonly userId: number;
  readonly ip: string;
}

/**
 * The memory of whole answers, shared by all calls. An answer that finds no room waits until others end, but only for
 * a while: two answers that are half read could otherwise wait for each other forever.
 */
export class AnswerRoom {
  readonly #room: SharedRoom;
  readonly #waiting = new Set<() => void>();
  /** What all shares have in common. */
  readonly #common: Common;

  constructor(maxBytes = ALL_ANSWERS_MAX_BYTES, waitMs = WAIT_MS) {
    this.#room = new SharedRoom(maxBytes);
    this.#common = {
      waitMs,
      open: ({ userId, ip }) => new RoomShare(this.#room, userId, addressKey(ip)),
      wait: (tries, mostMs) => this.#wait(tries, mostMs),
      wake: () => [...this.#waiting].forEach((look) => look()),
    };
  }

  /** Creates one relay's share when several relays share the limit. */
  static shareOf(relays: number): AnswerRoom {
    return new AnswerRoom(Math.max(LEAST_MAX_BYTES, Math.floor(ALL_ANSWERS_MAX_BYTES / relays)));
  }

  get heldBytes(): number {
    return this.#room.heldBytes;
  }

  /** The number of answers that wait for room. */
  get waiting(): number {
    return this.#waiting.size;
  }

  open(owner: AnswerOwner): AnswerShare {
    return new AnswerShare(owner, this.#common);
  }

  /** Retries `tries` whenever room is given back, until it succeeds or the time is over. Returns the time left. */
  #wait(tries: () => boolean, mostMs: number): Promise<number> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(look);
        timer.stop();
        resolve(timer.leftMs);
      };
      const look = (): void => {
        if (tries()) end();
      };
      const timer = new AwakeTimer(mostMs, end);
      this.#waiting.add(look);
    });
  }
}

interface Common {
  readonly waitMs: number;
  open(owner: AnswerOwner): RoomShare;
  wait(tries: () => boolean, mostMs: number): Promise<number>;
  wake(): void;
}

type WholeBody = AsyncIterable<Buffer> & Pick<OutboundBody, 'arrived'>;

/** The room that one call's answer has taken. */
export class AnswerShare {
  readonly #owner: AnswerOwner;
  readonly #common: Common;
  /**
   * The time left to wait, for all waits of this answer together. Otherwise answers that get a little room at a time
   * could wait forever.
   */
  #waitLeftMs: number;
  #share: RoomShare | undefined;
  #isOver = false;

  constructor(owner: AnswerOwner, common: Common) {
    this.#owner = owner;
    this.#common = common;
    this.#waitLeftMs = common.waitMs;
  }

  /**
   * Reads a whole body as the pieces that arrive; at once if all of a short one are here. They count until `release`.
   * Throws `upstream_failed` if it is too long, `unavailable` if there was no room in time.
   */
  read(body: WholeBody): Buffer[] | Promise<Buffer[]> {
    return body.arrived?.(UNCOUNTED_BYTES) ?? this.#readAll(body);
  }

  async #readAll(body: WholeBody): Promise<Buffer[]> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      length += piece.length;
      if (length > WHOLE_BODY_MAX_BYTES) throw answerTooLong('the reply is too long');
      if (length > UNCOUNTED_BYTES && !this.#holds(length)) await this.#waitFor(length);
      pieces.push(piece);
    }
    return pieces;
  }

  /** Gives the room back: the call is over, or tries another channel. */
  release(): void {
    this.#isOver = true;
    if (this.#share === undefined) return;
    this.#share.release();
    this.#common.wake();
  }

  async #waitFor(bytes: number): Promise<void> {
    const isReady = (): boolean => this.#isOver || this.#holds(bytes);
    if (!isReady() && this.#waitLeftMs > 0)
      this.#waitLeftMs = await this.#common.wait(isReady, this.#waitLeftMs);
    if (this.#holds(bytes)) return;
    throw new AppError('unavailable', 'too many large answers at once, try again', {
      reason: NO_ROOM_FOR_ANSWER,
      retryAfterSeconds: BUSY_SECONDS,
    });
  }

  /** Takes the room for so many bytes. Returns whether they are taken, now or before. */
  #holds(bytes: number): boolean {
    if (this.#isOver) return false;
    this.#share ??= this.#common.open(this.#owner);
    try {
      this.#share.take(Math.max(0, bytes - this.#share.heldBytes));
      return true;
    } catch {
      return false;
    }
  }
}
