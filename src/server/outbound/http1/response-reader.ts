import { HttpBroken } from './http-broken.ts';
import { readResponseHead, type ResponseHead } from './response-head.ts';

/** Receives the parts of a response. */
export interface ResponseSink {
  head(head: ResponseHead): void;
  /** The body bytes of one `feed`, copied into one piece. */
  data(piece: Buffer): void;
  end(): void;
}

const MAX_HEAD_BYTES = 32 * 1024;
const MAX_CHUNK_LINE_BYTES = 1024;
const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
/** The value of a byte as a hexadecimal digit; −1 for other bytes. */
const HEX = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

type State = 'head' | 'length' | 'chunk-line' | 'chunk' | 'chunk-end' | 'trailers' | 'until-close' | 'done';

/**
 * Large pieces of a long body share blocks of this size, which malloc gives back to the system once they are free. Pieces with
 * memory of their own left holes in its heap: twenty slow readers of 50 MB streams made the process 90 MB larger for good.
 */
const BLOCK_BYTES = 256 * 1024;
const SMALL_MAX_BYTES = 8 * 1024;

/** Copies the pieces of one body. */
class Copies {
  #bytes = 0;
  #block = NOTHING;
  #used = 0;

  of(bytes: Buffer, from: number, to: number): Buffer {
    const length = to - from;
    this.#bytes += length;
    const copy =
      length <= SMALL_MAX_BYTES || this.#bytes <= BLOCK_BYTES
        ? Buffer.allocUnsafe(length)
        : this.#taken(length);
    bytes.copy(copy, 0, from, to);
    return copy;
  }

  #taken(length: number): Buffer {
    if (this.#used + length > this.#block.length) {
      this.#block = Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, length));
      this.#used = 0;
    }
    this.#used += length;
    return this.#block.subarray(this.#used - length, this.#used);
  }
}

/**
 * Parses one HTTP/1.1 response from bytes cut anywhere. Interim responses (1xx) are skipped. Throws `HttpBroken` for
 * invalid HTTP; nothing may be fed after that, or after the end.
 */
export class ResponseReader {
  readonly #sink: ResponseSink;
  #state: State = 'head';
  /** The range of body bytes within the bytes being fed. */
  #bodyFrom = 0;
  #bodyTo = 0;
  /** The bytes of an incomplete line. */
  #pending: Buffer = NOTHING;
  /** Bytes left of the body, or of the chunk. */
  #left = 0;
  /** The chunk size read last. */
  #size = 0;
  #keepAlive = false;
  keepAliveSeconds: number | undefined;
  readonly #copies = new Copies();

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** Whether the body is complete but its end has not come. */
  get isInTrailers(): boolean {
    return this.#state === 'trailers';
  }

  /** Ends the response without its trailers. */
  endBody(): void {
    this.#state = 'done';
    this.#sink.end();
  }

  /** Whether the response ended properly, so that the connection can be reused. */
  get isReusable(): boolean {
    return this.isDone && this.#keepAlive;
  }

  /** Parses more bytes. The framing between two chunks of a body is overwritten by the second chunk. */
  feed(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.isDone) throw new HttpBroken('bytes came after the end of the answer');
    if (this.#state === 'chunk-line' && this.#readWholeChunk(bytes)) return;
    this.#bodyFrom = this.#bodyTo = 0;
    let at = 0;
    try {
      while (at < bytes.length && !this.isDone) at = this.#step(bytes, at);
    } finally {
      if (this.#bodyTo > this.#bodyFrom)
        this.#sink.data(this.#copies.of(bytes, this.#bodyFrom, this.#bodyTo));
      if (this.isDone) this.#sink.end();
    }
    if (at < bytes.length) throw new HttpBroken('bytes came after the end of the answer');
  }

  /** The connection was closed, which ends a response framed that way. Throws for any other incomplete response. */
  close(): void {
    if (this.#state === 'done') return;
    if (this.#state !== 'until-close') throw new HttpBroken('the connection ended before the answer did');
    this.#state = 'done';
    this.#sink.end();
  }

  /** Parses from `at`; @returns where it stopped. */
  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(bytes, at);
      case 'length':
      case 'chunk':
        return this.#readPart(bytes, at);
      case 'chunk-line':
        return this.#readChunkLine(bytes, at);
      case 'chunk-end':
        if (this.#pending.length > 0 || !isLineBreak(bytes, at)) return this.#readLine(bytes, at);
        this.#state = 'chunk-line';
        return at + 2;
      case 'trailers':
        return this.#readLine(bytes, at);
      case 'until-close':
        this.#gather(bytes, at, bytes.length);
        return bytes.length;
      case 'done':
        return bytes.length;
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const before = this.#pending.length;
    const all =
      before === 0
        ? at === 0
          ? bytes
          : bytes.subarray(at)
        : Buffer.concat([this.#pending, bytes.subarray(at)]);
    const end = endOfHead(all);
    if (end === undefined) {
      if (all.length > MAX_HEAD_BYTES) throw new HttpBroken('the head of the answer is too long');
      this.#pending = before === 0 ? Buffer.from(all) : all;
      return bytes.length;
    }
    if (end.text > MAX_HEAD_BYTES) throw new HttpBroken('the head of the answer is too long');
    this.#pending = NOTHING;
    this.#begin(readResponseHead(all.toString('latin1', 0, end.text)));
    return at + end.next - before;
  }

  #begin(head: ResponseHead): void {
    if (head.status < 200) {
      if (head.status === 101) throw new HttpBroken('the upstream changed the protocol');
      return;
    }
    this.#keepAlive = head.keepAlive;
    this.keepAliveSeconds = head.keepAliveSeconds;
    const { framing } = head;
    if (typeof framing === 'number') {
      this.#left = framing;
      this.#state = 'length';
    } else this.#state = framing === 'chunked' ? 'chunk-line' : 'until-close';
    this.#sink.head(head);
    if (framing === 0) this.#state = 'done';
  }

  #readPart(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#gather(bytes, at, end);
    if (this.#left === 0) this.#state = this.#state === 'chunk' ? 'chunk-end' : 'done';
    return end;
  }

  /** Appends these body bytes to those before them. */
  #gather(bytes: Buffer, from: number, to: number): void {
    if (this.#bodyTo === 0) this.#bodyFrom = this.#bodyTo = from;
    if (this.#bodyTo !== from) bytes.copyWithin(this.#bodyTo, from, to);
    this.#bodyTo += to - from;
  }

  /** Fast path: a chunk line that is complete is read without creating a string. */
  #readChunkLine(bytes: Buffer, at: number): number {
    const end = this.#pending.length > 0 ? at : this.#readDigits(bytes, at);
    if (end === at || !isLineBreak(bytes, end)) return this.#readLine(bytes, at);
    this.#beginChunk(this.#size);
    return end + 2;
  }

  /** Fast path: the bytes are exactly one chunk, as in most streams. False if they are not. */
  #readWholeChunk(bytes: Buffer): boolean {
    const end = this.#pending.length > 0 ? 0 : this.#readDigits(bytes, 0);
    const from = end + 2;
    const to = from + this.#size;
    if (end === 0 || to === from || bytes.length !== to + 2) return false;
    if (!isLineBreak(bytes, end) || !isLineBreak(bytes, to)) return false;
    this.#sink.data(this.#copies.of(bytes, from, to));
    return true;
  }

  /** Reads a chunk size of up to seven digits; @returns where the digits end. */
  #readDigits(bytes: Buffer, at: number): number {
    this.#size = 0;
    let end = at;
    for (; end - at < 7; end += 1) {
      const digit = HEX[bytes[end] ?? 0] ?? -1;
      if (digit < 0) break;
      this.#size = this.#size * 16 + digit;
    }
    return end;
  }

  #beginChunk(size: number): void {
    this.#left = size;
    this.#state = size === 0 ? 'trailers' : 'chunk';
  }

  /** Reads a line of the chunked encoding, complete or continued. */
  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(LF, at);
    if (this.#pending.length + (end === -1 ? bytes.length : end) - at > MAX_CHUNK_LINE_BYTES)
      throw new HttpBroken('a line of the answer is too long');
    if (end === -1) {
      this.#pending = Buffer.concat([this.#pending, bytes.subarray(at)]);
      return bytes.length;
    }
    let line = bytes.toString('latin1', at, end);
    if (this.#pending.length > 0) {
      line = this.#pending.toString('latin1') + line;
      this.#pending = NOTHING;
    }
    this.#useLine(line.charCodeAt(line.length - 1) === CR ? line.slice(0, -1) : line);
    return end + 1;
  }

  #useLine(line: string): void {
    if (this.#state === 'trailers') {
      if (line === '') this.#state = 'done';
    } else if (this.#state === 'chunk-end') {
      if (line !== '') throw new HttpBroken('a chunk is longer than it said');
      this.#state = 'chunk-line';
    } else {
      const size = /^([0-9a-f]{1,13})[ \t]*(?:;.*)?$/i.exec(line)?.[1];
      if (size === undefined) throw new HttpBroken('the size of a chunk is not a number');
      this.#beginChunk(Number.parseInt(size, 16));
    }
  }
}

const isLineBreak = (bytes: Buffer, at: number): boolean => bytes[at] === CR && bytes[at + 1] === LF;

/** Where the head ends and the rest begins; undefined until its empty line has arrived. */
const endOfHead = (bytes: Buffer): { readonly text: number; readonly next: number } | undefined => {
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) {
    if (bytes[at] !== LF) continue;
    if (bytes[at + 1] === LF) return { text: at, next: at + 2 };
    if (bytes[at + 1] === CR && bytes[at + 2] === LF && bytes[at - 1] === CR)
      return { text: at - 1, next: at + 3 };
  }
  return undefined;
};
