import type { Duplex } from 'node:stream';
import { xorWithMask } from '#core/outbound/websocket-mask.ts';

/** Shorter frames are left to the library, which joins their few pieces itself. */
const LONG_BYTES = 1024 * 1024;
/** What is only announced takes no more. */
const FIRST_BYTES = 64 * 1024;
const MASK_BYTES = 4;
/** Bits of the first byte of a frame. */
const LAST = 0x80;
const CONTROL = 0x08;
const NOTHING = Buffer.alloc(0);

/** The payload of a long frame as far as it is there. */
interface LongFrame {
  readonly mask: Buffer;
  bytes: Buffer;
  filled: number;
}

/**
 * Collects and unmasks each long frame of a caller's WebSocket in one buffer as its bytes arrive, and leaves everything
 * else as it is. The library would do it all at once when the last byte is there, and keep other calls waiting; of a frame
 * that comes whole and whose mask is zero it copies nothing.
 */
export class WholeFrames {
  readonly #maxBytes: number;
  /** The beginning of a frame's head whose rest has not arrived. */
  #head = NOTHING;
  /** How many bytes of the frame's payload are to come. */
  #left = 0;
  #long: LongFrame | undefined;
  /** How many messages have begun, and control frames between them. */
  #begun = 0;
  /** A message has begun whose last frame is not there. */
  #isAmid = false;
  /** The frame that arrives is the last of its message. */
  #isLast = false;

  /** @param maxBytes the library refuses longer frames by their head */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The number of the message that is arriving; undefined while none is. */
  get arriving(): number | undefined {
    if (this.#isAmid || this.#left > 0) return this.#begun;
    return this.#head.length > 0 ? this.#begun + 1 : undefined;
  }

  /** Takes what has arrived; returns what the library is given. */
  take(arrived: Buffer): readonly Buffer[] {
    const bytes = this.#head.length === 0 ? arrived : Buffer.concat([this.#head, arrived]);
    this.#head = NOTHING;
    const given: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#left === 0) {
        const head = headAt(bytes, at);
        if (head === undefined) {
          this.#head = Buffer.from(bytes.subarray(at));
          break;
        }
        at = head.end;
        this.#left = head.payloadBytes;
        this.#follow(head);
        if (!this.#isLong(head)) continue;
        this.#long = { mask: takeMask(bytes, at), bytes: Buffer.allocUnsafeSlow(FIRST_BYTES), filled: 0 };
        given.push(bytes.subarray(from, at));
        from = at;
        continue;
      }
      const part = bytes.subarray(at, at + this.#left);
      at += part.length;
      this.#left -= part.length;
      if (this.#left === 0 && this.#isLast) this.#isAmid = false;
      if (this.#long === undefined) continue;
      from = at;
      this.#fill(this.#long, part);
      if (this.#left > 0) continue;
      given.push(this.#long.bytes);
      this.#long = undefined;
    }
    if (from < at) given.push(bytes.subarray(from, at));
    return given;
  }

  /** Control frames may come between the frames of a message. */
  #follow({ isControl, isLast, payloadBytes }: Head): void {
    if (!this.#isAmid) this.#begun += 1;
    if (isControl) return;
    this.#isLast = isLast;
    this.#isAmid = !isLast || payloadBytes > 0;
  }

  #isLong({ payloadBytes, isMasked }: Head): boolean {
    return isMasked && payloadBytes >= LONG_BYTES && payloadBytes <= this.#maxBytes;
  }

  /** The buffer grows with what is there. */
  #fill(long: LongFrame, part: Buffer): void {
    const filled = long.filled + part.length;
    if (filled > long.bytes.length) {
      const whole = filled + this.#left;
      const larger = Buffer.allocUnsafeSlow(Math.min(whole, Math.max(filled, 2 * long.bytes.length)));
      long.bytes.copy(larger, 0, 0, long.filled);
      long.bytes = larger;
    }
    long.bytes.set(part, long.filled);
    xorWithMask(long.bytes.subarray(long.filled, filled), long.mask, long.filled);
    long.filled = filled;
  }
}

/** The head of a frame (RFC 6455, section 5.2). */
interface Head {
  /** Where its payload begins. */
  readonly end: number;
  readonly payloadBytes: number;
  readonly isMasked: boolean;
  readonly isControl: boolean;
  /** Of its message. */
  readonly isLast: boolean;
}

/** Undefined if not all of the head is there. */
const headAt = (bytes: Buffer, at: number): Head | undefined => {
  if (bytes.length < at + 2) return undefined;
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  const isMasked = second >= 0x80;
  const length = second % 0x80;
  const lengthBytes = length === 127 ? 8 : length === 126 ? 2 : 0;
  const end = at + 2 + lengthBytes + (isMasked ? MASK_BYTES : 0);
  if (bytes.length < end) return undefined;
  const payloadBytes =
    lengthBytes === 8
      ? Number(bytes.readBigUInt64BE(at + 2))
      : lengthBytes === 2
        ? bytes.readUInt16BE(at + 2)
        : length;
  return { end, payloadBytes, isMasked, isControl: (first & CONTROL) !== 0, isLast: (first & LAST) !== 0 };
};

/** The mask before `end`, which becomes zero. */
const takeMask = (bytes: Buffer, end: number): Buffer => {
  const mask = Buffer.from(bytes.subarray(end - MASK_BYTES, end));
  bytes.fill(0, end - MASK_BYTES, end);
  return mask;
};

/** Gives the WebSocket library on this socket its long frames whole. */
export const withWholeFrames = (socket: Duplex, maxBytes: number): WholeFrames => {
  const frames = new WholeFrames(maxBytes);
  const [theirs] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (theirs === undefined) return frames;
  const ours = (arrived: Buffer): void => {
    for (const bytes of frames.take(arrived)) theirs.call(socket, bytes);
  };
  socket.off('data', theirs);
  // As `once` does it: so that the library, which knows its own listener only, can still take it away.
  socket.on('data', Object.assign(ours, { listener: theirs }));
  return frames;
};
