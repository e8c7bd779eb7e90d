import type { Frame, Outline } from './frame.ts';
import { EventOutline } from './event-outline.ts';

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const NOTHING = Buffer.alloc(0);
const NEWLINE = Buffer.from('\n');

/** An event larger than this passes in pieces and is not read: no model's event comes near it. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;
/** The same where events have to be read to be told in another format: the largest picture a model draws. */
export const MAX_CONVERTED_BYTES = 40 * 1024 * 1024;

/**
 * Cuts a byte stream into server-sent events without decoding it (html.spec.whatwg.org, server-sent events): lines end
 * in LF, CR or CRLF, a blank line ends an event. Where chunks are cut changes nothing, and the `raw` of all frames
 * joined is exactly what was fed. Comments and stray blank lines come out as frames without data.
 */
export class SseParser {
  /** The beginning of the event that is not complete yet, in a buffer that may be longer. */
  #held: Buffer = NOTHING;
  #heldBytes = 0;
  /** False while it is a slice of a chunk, which must not be written to. */
  #heldIsOwn = false;
  #lineIsEmpty = true;
  /** The last byte was a CR whose LF may be still to come. */
  #afterCr = false;
  #crEndsEvent = false;
  #oversized = false;
  /** Of the event that passes in pieces. */
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
    // Only an event that lies whole in this chunk takes the short way; any other is read line by line.
    let lines = start === 0 && this.#heldBytes > 0 ? 2 : 0;
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
      this.#emit(frames, chunk, start, line, lines === 1 ? firstLineEnd - start : -1);
      start = line;
      lines = 0;
    }
    if (line < chunk.length) this.#lineIsEmpty = false;
    if (start < chunk.length) this.#keep(frames, start === 0 ? chunk : chunk.subarray(start));
    return frames;
  }

  /** All that was fed was whole events, at least one: what comes next begins another. */
  get isBetweenEvents(): boolean {
    return this.#heldBytes === 0 && !this.#afterCr && !this.#oversized && !this.#atStart;
  }

  /** What is left when the stream ends. An event without its blank line is flagged, so that it can still be read. */
  end(): Frame[] {
    if (this.#heldBytes === 0) return [];
    const complete = this.#afterCr && this.#crEndsEvent;
    const raw = this.#takeHeld();
    if (this.#oversized) return [this.#oversizedFrame(raw)];
    const frame = readFields(raw, this.#atStart);
    return [complete ? frame : { ...frame, unterminated: true }];
  }

  #emit(frames: Frame[], chunk: Buffer, start: number, end: number, onlyLineLength: number): void {
    let raw = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
    if (this.#heldBytes > 0) {
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
    if (!this.#oversized && this.#heldBytes <= this.#maxEventBytes) return;
    // Passed on at once: holding it would let an upstream fill the memory.
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
    const bytes = this.#heldBytes + piece.length;
    if (this.#heldBytes === 0) {
      this.#held = piece;
    } else {
      if (!this.#heldIsOwn || bytes > this.#held.length) {
        const grown = Buffer.allocUnsafeSlow(bytes * 2);
        this.#held.copy(grown, 0, 0, this.#heldBytes);
        this.#held = grown;
        this.#heldIsOwn = true;
      }
      piece.copy(this.#held, this.#heldBytes);
    }
    this.#heldBytes = bytes;
  }

  #takeHeld(): Buffer {
    const held = this.#held.length === this.#heldBytes ? this.#held : this.#held.subarray(0, this.#heldBytes);
    this.#held = NOTHING;
    this.#heldBytes = 0;
    this.#heldIsOwn = false;
    return held;
  }
}

/** The events of a byte stream, as they complete. */
export async function* readFrames(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const parser = new SseParser();
  for await (const chunk of bytes) yield* parser.feed(chunk);
  yield* parser.end();
}

/** One event as it is sent: `data` must not hold a line end, which no JSON text does. */
export const writeFrame = (data: string, event = ''): Frame => {
  const head = event === '' ? 'data: ' : `event: ${event}\ndata: `;
  const raw = Buffer.from(`${head}${data}\n\n`);
  return { raw, event, data: raw.subarray(Buffer.byteLength(head), raw.length - 2) };
};

const startsWithData = (raw: Buffer): boolean =>
  raw[0] === 0x64 && raw[1] === 0x61 && raw[2] === 0x74 && raw[3] === 0x61 && raw[4] === COLON;

/** Reads the fields of one event line by line, as the standard says; `id` and `retry` mean nothing here. */
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

/** The name read last, where it is plain ASCII: in a stream it is nearly always the next one, too. */
let lastName = '';
const REMEMBERED_MAX_BYTES = 64;

const eventName = (raw: Buffer, start: number, end: number): string => {
  const length = end - start;
  if (length === lastName.length && holds(raw, start, lastName)) return lastName;
  const name = raw.toString('utf8', start, end);
  if (name.length === length && length <= REMEMBERED_MAX_BYTES) lastName = name;
  return name;
};

const lineEnd = (raw: Buffer, from: number): number => {
  let at = from;
  while (at < raw.length && raw[at] !== LF && raw[at] !== CR) at += 1;
  return at;
};
