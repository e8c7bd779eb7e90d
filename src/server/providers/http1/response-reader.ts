import { HttpBroken } from './http-broken.ts';
import { readResponseHead, type ResponseHead } from './response-head.ts';

/** Who is told what an answer says. */
export interface ResponseSink {
  head(head: ResponseHead): void;
  /** What the bytes that were fed hold of the body, in one piece; it shares nothing with them. */
  data(piece: Buffer): void;
  end(): void;
}

const MAX_HEAD_BYTES = 32 * 1024;
const MAX_CHUNK_LINE_BYTES = 1024;
const LF = 0x0a;
const CR = 0x0d;
const NOTHING = Buffer.alloc(0);
/** What a byte is worth as a digit of a chunk's size; −1 for any that is none. */
const HEX = new Int8Array(256).fill(-1);
for (const digit of '0123456789abcdefABCDEF') HEX[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

type State = 'head' | 'length' | 'chunk-line' | 'chunk' | 'chunk-end' | 'trailers' | 'until-close' | 'done';

/**
 * Reads one answer of HTTP/1.1 from bytes cut anywhere. Interim answers (1xx) are passed over. Throws `HttpBroken` for
 * what is not HTTP; after that, and after the end, nothing more may be fed.
 */
export class ResponseReader {
  readonly #sink: ResponseSink;
  #state: State = 'head';
  /** Where in the bytes being fed the body lies. */
  #bodyFrom = 0;
  #bodyTo = 0;
  /** Bytes of a line that is not whole yet. */
  #pending: Buffer = NOTHING;
  /** Of the body, or of the chunk. */
  #left = 0;
  /** What the digits read last say. */
  #size = 0;
  #keepAlive = false;
  keepAliveSeconds: number | undefined;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  /** The body is whole, its end is not. */
  get isInTrailers(): boolean {
    return this.#state === 'trailers';
  }

  /** Takes the answer for ended, whatever may follow its body. */
  endBody(): void {
    this.#state = 'done';
    this.#sink.end();
  }

  /** Nothing of the answer has come. */
  get isUntouched(): boolean {
    return this.#state === 'head' && this.#pending.length === 0;
  }

  /** The answer ended where it said it would, and the next one may follow. */
  get isReusable(): boolean {
    return this.isDone && this.#keepAlive;
  }

  /** Reads on. What stands between two chunks of a body is overwritten by the second. */
  feed(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.isDone) throw new HttpBroken('bytes came after the end of the answer');
    if (this.#state === 'chunk-line' && this.#readWholeChunk(bytes)) return;
    this.#bodyFrom = this.#bodyTo = 0;
    let at = 0;
    try {
      while (at < bytes.length && !this.isDone) at = this.#step(bytes, at);
    } finally {
      if (this.#bodyTo > this.#bodyFrom) this.#sink.data(copyOf(bytes, this.#bodyFrom, this.#bodyTo));
      if (this.isDone) this.#sink.end();
    }
    if (at < bytes.length) throw new HttpBroken('bytes came after the end of the answer');
  }

  /** The connection ended: the end of an answer that ends with it. Throws for any other that is not done. */
  close(): void {
    if (this.#state === 'done') return;
    if (this.#state !== 'until-close') throw new HttpBroken('the connection ended before the answer did');
    this.#state = 'done';
    this.#sink.end();
  }

  /** Reads on from `at`; @returns where it stopped. */
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
    this.#begin(readResponseHead(all.toString('latin1', 0, end.text).replaceAll('\r\n', '\n')));
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

  /** Puts these bytes of the body behind those before them. */
  #gather(bytes: Buffer, from: number, to: number): void {
    if (this.#bodyTo === 0) this.#bodyFrom = this.#bodyTo = from;
    if (this.#bodyTo !== from) bytes.copyWithin(this.#bodyTo, from, to);
    this.#bodyTo += to - from;
  }

  /** Nearly every chunk line is a few digits and a line break in one piece, and read without making a text of it. */
  #readChunkLine(bytes: Buffer, at: number): number {
    const end = this.#pending.length > 0 ? at : this.#readDigits(bytes, at);
    if (end === at || !isLineBreak(bytes, end)) return this.#readLine(bytes, at);
    this.#beginChunk(this.#size);
    return end + 2;
  }

  /** What comes of a stream is mostly one chunk, all of it and nothing else. False where it is not. */
  #readWholeChunk(bytes: Buffer): boolean {
    const end = this.#pending.length > 0 ? 0 : this.#readDigits(bytes, 0);
    const from = end + 2;
    const to = from + this.#size;
    if (end === 0 || to === from || bytes.length !== to + 2) return false;
    if (!isLineBreak(bytes, end) || !isLineBreak(bytes, to)) return false;
    this.#sink.data(copyOf(bytes, from, to));
    return true;
  }

  /** Reads the size of a chunk, as far as it is one of up to seven digits; @returns where they end. */
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

  /** A line of the chunked coding, whole or continued. */
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

const copyOf = (bytes: Buffer, from: number, to: number): Buffer => {
  const copy = Buffer.allocUnsafe(to - from);
  bytes.copy(copy, 0, from, to);
  return copy;
};

/** Where the text of a head ends and what follows it begins; undefined while its empty line has not come. */
const endOfHead = (bytes: Buffer): { readonly text: number; readonly next: number } | undefined => {
  const crlf = bytes.indexOf('\r\n\r\n', 0, 'latin1');
  const lf = (crlf === -1 ? bytes : bytes.subarray(0, crlf)).indexOf('\n\n', 0, 'latin1');
  if (lf !== -1) return { text: lf, next: lf + 2 };
  return crlf === -1 ? undefined : { text: crlf, next: crlf + 4 };
};
