import type { Duplex } from 'node:stream';
import { xorWithMask } from '#core/outbound/websocket-mask.ts';

/** Shorter frames are left to the library, which joins their few pieces itself. */
const LONG_BYTES = 1024 * 1024;
/** The size of the first buffer, so that a frame that was only announced takes no more. */
const FIRST_BYTES = 64 * 1024;
const MASK_BYTES = 4;
/** Bits of the first byte of a frame. */
const LAST = 0x80;
const CONTROL = 0x08;
const NOTHING = Buffer.alloc(0);

/** The part of a long frame's payload that has arrived. */
interface LongFrame {
  readonly mask: Buffer;
  bytes: Buffer;
  filled: number;
}

/**
 * Collects each long frame of a caller's WebSocket in one buffer and unmasks it as its bytes arrive; everything else
 * passes unchanged. The library would do all of that when the last byte arrives, and block other calls. A frame that
 * arrives whole with a mask of zeros is not copied.
 */
export class WholeFrames {
  readonly #maxBytes: number;
  /** The beginning of a frame's head that is not complete yet. */
  #head = NOTHING;
  /** How many bytes of the frame's payload are to come. */
  #left = 0;
  #long: LongFrame | undefined;
  /** How many messages have begun, and control frames between them. */
  #begun = 0;
  /** A message has begun, and its last frame has not arrived. */
  #isAmid = false;
  /** The current frame is the last of its message. */
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

  /** Takes the bytes that have arrived; returns the bytes for the library. */
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

  /** Appends to the buffer, which grows with the bytes received. */
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
  /** It is the last frame of its message. */
  readonly isLast: boolean;
}

/** Reads the head of a frame; undefined if it is not complete. */
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

/** Returns the mask that ends at `end`, and sets it to zero. */
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
  // Like `once`, so that the library can remove its own listener, the only one it knows.
  socket.on('data', Object.assign(ours, { listener: theirs }));
  return frames;
};
