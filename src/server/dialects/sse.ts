import type { Frame, Outline } from './frame.ts';
import { EventOutline } from './event-outline.ts';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NOTHING = Buffer.alloc(0);
/** Copying a larger incomplete event again and again would take long, so its buffer is allocated at once. */
const GROWS_UNTIL_BYTES = 4 * 1024 * 1024;
const NEWLINE = Buffer.from('\n');

/** Larger events are forwarded in pieces and not parsed; no model's event is nearly as large. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** An event with more lines is not parsed either: no model spreads its JSON over that many. */
const MOST_LINES = 10_000;
/** The limit when events must be converted: the largest picture a model draws. */
export const MAX_CONVERTED_BYTES = 40 * 1024 * 1024;

/**
 * Splits a byte stream into server-sent events without decoding it (html.spec.whatwg.org, server-sent events): lines
 * end in LF, CR or CRLF, a blank line ends an event. Chunk borders do not matter, and the `raw` of all frames joined is
 * exactly the input. Comments and extra blank lines become frames without data.
 */
export class SseParser {
  /** The start of an incomplete event, in a buffer that may be longer. */
  #pending: Buffer = NOTHING;
  #pendingBytes = 0;
  #pendingLines = 0;
  /** False while it is a slice of a chunk, which must not be overwritten. */
  #pendingIsOwn = false;
  #lineIsEmpty = true;
  /** The last byte was a CR; its LF may come next. */
  #afterCr = false;
  #crEndsEvent = false;
  #oversized = false;
  /** The outline of the event that is being forwarded in pieces. */
  #outline: EventOutline | undefined;
  #atStart = true;
  readonly #maxEventBytes: number;

  constructor(maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** The events that `chunk` completes. They share its memory. */
  feed(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (chunk.length === 0) return frames;
    let start = 0;
    let line = 0;
    if (this.#afterCr) {
      this.#afterCr = false;
      if (chunk[0] === LF) line = 1;
      if (this.#crEndsEvent) {
        this.#emit(frames, chunk, 0, line, -1);
        start = line;
      }
    }
    let lf = chunk.indexOf(LF, line);
    let cr = chunk.indexOf(CR, line);
    // The fast path is for an event that is complete in this chunk; any other is read line by line.
    const linesBefore = start === 0 && this.#pendingBytes > 0 ? 2 : 0;
    let lines = linesBefore;
    let firstLineEnd = -1;
    while (lf !== -1 || cr !== -1) {
      const byLf = cr === -1 || (lf !== -1 && lf < cr);
      const end = byLf ? lf : cr;
      const blank = end === line && this.#lineIsEmpty;
      if (!byLf && end + 1 === chunk.length) {
        this.#afterCr = true;
        this.#crEndsEvent = blank;
        this.#lineIsEmpty = true;
        line = chunk.length;
        break;
      }
      line = !byLf && chunk[end + 1] === LF ? end + 2 : end + 1;
      if (byLf) lf = chunk.indexOf(LF, line);
      else {
        cr = chunk.indexOf(CR, line);
        if (lf !== -1 && lf < line) lf = chunk.indexOf(LF, line);
      }
      this.#lineIsEmpty = true;
      if (!blank) {
        lines += 1;
        if (lines === 1) firstLineEnd = end;
        continue;
      }
      if (lines === 0) {
        // A long run of blank lines is one frame.
        line = endOfBreaks(chunk, line);
        if (lf !== -1 && lf < line) lf = chunk.indexOf(LF, line);
        if (cr !== -1 && cr < line) cr = chunk.indexOf(CR, line);
      }
      this.#emit(frames, chunk, start, line, lines === 1 ? firstLineEnd - start : -1);
      start = line;
      lines = 0;
    }
    if (line < chunk.length) this.#lineIsEmpty = false;
    this.#pendingLines += start === 0 ? lines - linesBefore : lines;
    if (start < chunk.length) this.#keep(frames, start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** The bytes of the event that is not complete yet. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** True after at least one event, if no event is incomplete. */
  get isBetweenEvents(): boolean {
    return this.#pendingBytes === 0 && !this.#afterCr && !this.#oversized && !this.#atStart;
  }

  /** The remaining bytes at the end of the stream. An event without its blank line is flagged but can still be read. */
  end(): Frame[] {
    if (this.#pendingBytes === 0) return [];
    const complete = this.#afterCr && this.#crEndsEvent;
    const raw = this.#takeHeld();
    if (this.#oversized) return [this.#oversizedFrame(raw)];
    const frame = readFields(raw, this.#atStart);
    return [complete ? frame : { ...frame, unterminated: true }];
  }

  #emit(frames: Frame[], chunk: Buffer, start: number, end: number, onlyLineLength: number): void {
    let raw = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    if (this.#pendingBytes > 0) {
      this.#hold(raw);
      raw = this.#takeHeld();
    }
    if (this.#oversized || raw.length > this.#maxEventBytes) {
      if (raw.length > 0) frames.push({ ...this.#oversizedFrame(raw), outline: this.#endOutline() });
    } else if (onlyLineLength > 0 && !this.#atStart && startsWithData(raw)) {
      frames.push({ raw, event: '', data: raw.subarray(raw[5] === SPACE ? 6 : 5, onlyLineLength) });
    } else {
      frames.push(readFields(raw, this.#atStart));
    }
    this.#oversized = false;
    this.#atStart = false;
  }

  #keep(frames: Frame[], piece: Buffer): void {
    this.#hold(piece);
    if (!this.#oversized && this.#pendingBytes <= this.#maxEventBytes && this.#pendingLines <= MOST_LINES)
      return;
    // Forwarded at once: buffering it would let an upstream fill the memory.
    this.#oversized = true;
    frames.push(this.#oversizedFrame(this.#takeHeld()));
  }

  #oversizedFrame(raw: Buffer): Frame {
    (this.#outline ??= new EventOutline()).add(raw);
    return { raw, event: '', data: NOTHING, oversized: true };
  }

  #endOutline(): Outline {
    const outline = this.#outline?.end();
    this.#outline = undefined;
    return outline ?? { head: NOTHING, tail: NOTHING };
  }

  #hold(piece: Buffer): void {
    const bytes = this.#pendingBytes + piece.length;
    if (this.#pendingBytes === 0) {
      this.#pending = piece;
    } else {
      if (!this.#pendingIsOwn || bytes > this.#pending.length) {
        // Allocate for the largest event: the system only provides the memory that is written to.
        const most = bytes < GROWS_UNTIL_BYTES ? bytes * 2 : Math.max(bytes, this.#maxEventBytes) + bytes;
        const grown = Buffer.allocUnsafeSlow(most);
        this.#pending.copy(grown, 0, 0, this.#pendingBytes);
        this.#pending = grown;
        this.#pendingIsOwn = true;
      }
      piece.copy(this.#pending, this.#pendingBytes);
    }
    this.#pendingBytes = bytes;
  }

  #takeHeld(): Buffer {
    const pending =
      this.#pending.length === this.#pendingBytes
        ? this.#pending
        : this.#pending.subarray(0, this.#pendingBytes);
    this.#pending = NOTHING;
    this.#pendingBytes = 0;
    this.#pendingLines = 0;
    this.#pendingIsOwn = false;
    return pending;
  }
}

/** The events of a byte stream, as they complete. */
export async function* readFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const parser = new SseParser();
  for await (const chunk of bytes) yield* parser.feed(chunk);
  yield* parser.end();
}

/** One event to send: `data` must not contain a line break, as no JSON text does. */
export const writeFrame = (data: string, event = ''): Frame => {
  const head = event === '' ? 'data: ' : `event: ${event}\ndata: `;
  const raw = Buffer.from(`${head}${data}\n\n`);
  return { raw, event, data: raw.subarray(Buffer.byteLength(head), raw.length - 2) };
};

/** Shorter runs of blank lines become a frame each. */
const LONG_RUN = 64;

/** Where a long run of line breaks ends. A CR that ends the chunk is not part of it: its LF may come next. */
const endOfBreaks = (chunk: Buffer, from: number): number => {
  let at = from;
  while (chunk[at] === LF || (chunk[at] === CR && at + 1 < chunk.length)) at += 1;
  return at - from < LONG_RUN ? from : at;
};

const startsWithData = (raw: Buffer): boolean =>
  raw[0] === 0x64 && raw[1] === 0x61 && raw[2] === 0x74 && raw[3] === 0x61 && raw[4] === COLON;

/** Reads the fields of one event line by line, as the standard says; ignores `id` and `retry`. */
const readFields = (raw: Buffer, atStart: boolean): Frame => {
  let event = '';
  let data: Buffer | undefined;
  let more: Buffer[] | undefined;
  let at = atStart && raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  while (at < raw.length) {
    const end = lineEnd(raw, at);
    const nameLength = fieldNameLength(raw, at, end);
    if (nameLength > 0) {
      const afterColon = Math.min(at + nameLength + 1, end);
      const valueStart = afterColon < end && raw[afterColon] === SPACE ? afterColon + 1 : afterColon;
      if (nameLength === 5) event = eventName(raw, valueStart, end);
      else if (data === undefined) data = raw.subarray(valueStart, end);
      else (more ??= [data]).push(NEWLINE, raw.subarray(valueStart, end));
    }
    at = end + (raw[end] === CR && raw[end + 1] === LF ? 2 : 1);
  }
  return { raw, event, data: more === undefined ? (data ?? NOTHING) : Buffer.concat(more) };
};

/** 4 for `data`, 5 for `event`, else 0. A line without a colon is all name. */
const fieldNameLength = (raw: Buffer, start: number, end: number): 0 | 4 | 5 => {
  if (isField(raw, start, end, 'data')) return 4;
  return isField(raw, start, end, 'event') ? 5 : 0;
};

const isField = (raw: Buffer, start: number, end: number, name: string): boolean => {
  const nameEnd = start + name.length;
  return nameEnd <= end && holds(raw, start, name) && (nameEnd === end || raw[nameEnd] === COLON);
};

const holds = (raw: Buffer, start: number, ascii: string): boolean => {
  for (let at = 0; at < ascii.length; at += 1) if (raw[start + at] !== ascii.charCodeAt(at)) return false;
  return true;
};

/** The last event name, if plain ASCII: the next event of a stream nearly always has the same. */
let lastName = '';
const REMEMBERED_MAX_BYTES = 64;

const eventName = (raw: Buffer, start: number, end: number): string => {
  const length = end - start;
  if (length === lastName.length && holds(raw, start, lastName)) return lastName;
  const name = raw.toString('utf8', start, end);
  if (name.length === length && length <= REMEMBERED_MAX_BYTES) lastName = name;
  return name;
};

/** Most lines end within this; for a longer one, the end is searched for. */
const LOOKED_AT_BYTES = 1024;

const lineEnd = (raw: Buffer, from: number): number => {
  let at = from;
  const near = Math.min(raw.length, from + LOOKED_AT_BYTES);
  while (at < near && raw[at] !== LF && raw[at] !== CR) at += 1;
  if (at < near || at === raw.length) return at;
  const lf = raw.indexOf(LF, at);
  const line = lf === -1 ? raw : raw.subarray(0, lf);
  const cr = line.indexOf(CR, at);
  return cr === -1 ? line.length : cr;
};
