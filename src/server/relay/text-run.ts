import { isUtf8 } from 'node:buffer';
import { parsed } from '#contract/text.ts';
import type { Secrets } from '#core/secrets.ts';
import type { Frame } from '../dialects/frame.ts';
import { isPartOf } from './mask.ts';

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
/** What may stand behind a backslash where JSON has only one way to write it: `"`, `\`, b, f, n, r, t. */
const PLAIN_ESCAPES = new Set(Buffer.from('"\\bfnrt'));
/** Fields that some upstreams fill with letters nobody reads, so that lengths tell nothing. */
const PADDING = /[,{]\s*"(?:obfuscation|p)"\s*:\s*"/;
/** Frames to learn from that were followed by one like them never, before it is given up. */
const MOST_LESSONS = 5;

/** What stands around the text in frames that are alike. */
interface Around {
  /** Up to the first letter of the text. */
  readonly before: Uint8Array;
  /** From the quote that ends the text. */
  readonly after: Uint8Array;
}

/** The same for frames that are read, where some of what is behind the text may be another each time. */
interface Pattern extends Around {
  /** Where in `after` letters stand that mean nothing; −1 for nowhere. */
  readonly paddingAt: number;
  /** Behind the text are only brackets, which may have spaces between them. */
  readonly hasSpaces: boolean;
}

/**
 * A run of frames that say a piece of text each and nothing else, as nearly all of a stream do. What one of them says was
 * read and written in full; where the next one is the same but for the text, its text is put into what was written, the
 * way it stands in JSON. Only what would be written with the very same bytes is taken for such a frame.
 */
export class TextRun {
  readonly #secrets: Secrets;
  #read: Pattern | undefined;
  #written: Around | undefined;
  #lessons = 0;
  /** Where the text of the frame found last begins and ends. */
  #start = 0;
  #end = 0;
  /** UTF-8 bytes of that text. */
  outputBytes = 0;
  /** Its length as a string. */
  characters = 0;

  /** @param secrets what no text may hold: a frame that does is left to be read in full. */
  constructor(secrets: Secrets) {
    this.#secrets = secrets;
    // It could begin before a text, or end behind it.
    if (secrets.hasQuote) this.#lessons = MOST_LESSONS;
  }

  /** The frame before the next one was none of a run. */
  forget(): void {
    this.#read = undefined;
  }

  /** Nothing is learnt any more: of this stream no two frames are alike. */
  get isTired(): boolean {
    return this.#lessons >= MOST_LESSONS;
  }

  /** Learns from a frame that said `text` and nothing else, and from what was written for it, if anything. */
  learn(read: Frame, text: string, written?: Frame): void {
    this.#read = undefined;
    if (this.isTired) return;
    this.#lessons += 1;
    const literal = Buffer.from(JSON.stringify(text));
    const around = aroundText(read, literal);
    if (around === undefined || read.raw[read.raw.length - 1] !== LF) return;
    this.#written = written === undefined ? NOTHING : aroundText(written, literal);
    if (this.#written !== undefined) this.#read = patternOf(around);
  }

  /** Where the frame that begins at `from` ends, if it is one of the run and all there; else −1. */
  find(bytes: Buffer, from: number): number {
    const pattern = this.#read;
    if (pattern === undefined || from >= bytes.length) return -1;
    const { before } = pattern;
    const start = from + before.length;
    for (let at = from, index = 0; at < start; at += 1, index += 1)
      if (bytes[at] !== before[index]) return -1;
    if (!this.#measure(bytes, start)) return -1;
    const end = endOf(bytes, this.#end, pattern);
    if (end !== -1) this.#lessons = 0;
    return end;
  }

  /** What is written for the frame found last. */
  write(bytes: Buffer): Buffer {
    const { before, after } = this.#written ?? NOTHING;
    const length = this.#end - this.#start;
    const written = Buffer.allocUnsafe(before.length + length + after.length);
    written.set(before, 0);
    bytes.copy(written, before.length, this.#start, this.#end);
    written.set(after, before.length + length);
    return written;
  }

  /** Measures the text from `start` to its closing quote; false where it would be written with other bytes. */
  #measure(bytes: Buffer, start: number): boolean {
    let isAscii = true;
    let escapes = 0;
    let continued = 0;
    let pairs = 0;
    let at = start;
    for (; bytes[at] !== QUOTE; at += 1) {
      const code = bytes[at] ?? 0;
      if (code < SPACE) return false;
      if (code === BACKSLASH) {
        escapes += 1;
        at += 1;
        if (!PLAIN_ESCAPES.has(bytes[at] ?? 0)) return false;
      } else if (code >= 0x80) {
        isAscii = false;
        if (code >= 0xf0) pairs += 1;
        else if (code < 0xc0) continued += 1;
      }
    }
    const length = at - start;
    if (length === 0) return false;
    if (!isAscii && !isUtf8(bytes.subarray(start, at))) return false;
    if (length >= this.#secrets.shortest && this.#secrets.holds(bytes.subarray(start, at))) return false;
    this.#start = start;
    this.#end = at;
    this.outputBytes = length - escapes;
    this.characters = length - escapes - continued + pairs;
    return true;
  }
}

const NOTHING: Around = { before: new Uint8Array(), after: new Uint8Array() };

/** What stands around the one place where a frame's JSON has this text; undefined where that cannot be told. */
const aroundText = ({ raw, data }: Frame, literal: Buffer): Around | undefined => {
  if (!isPartOf(data, raw)) return undefined;
  const at = data.indexOf(literal);
  if (at === -1 || data.includes(literal, at + 1)) return undefined;
  const end = at + literal.length;
  // Another text in its place must be JSON as well, and not as a key: then it is a value, and nothing else changes.
  const another = `${data.toString('utf8', 0, at)}"?"${data.toString('utf8', end)}`;
  if (parsed(another) === undefined) return undefined;
  if (/^\s*:/.test(data.toString('latin1', end, end + 64))) return undefined;
  const dataAt = data.byteOffset - raw.byteOffset;
  return {
    before: kept(raw.subarray(0, dataAt + at + 1)),
    after: kept(raw.subarray(dataAt + end - 1)),
  };
};

/** A copy in memory of its own: what is kept as long as a stream must not keep what lies beside it. */
const kept = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);

const patternOf = ({ before, after }: Around): Pattern => {
  const text = Buffer.from(after.buffer).toString('latin1');
  if (/^"[\s\]}]*$/.test(text))
    return {
      before,
      after: kept(Buffer.from(text.replaceAll(' ', ''), 'latin1')),
      paddingAt: -1,
      hasSpaces: true,
    };
  const padding = PADDING.exec(text);
  if (padding === null) return { before, after, paddingAt: -1, hasSpaces: false };
  const paddingAt = padding.index + padding[0].length;
  const rest = /^[^"\\]*(".*)$/s.exec(text.slice(paddingAt))?.[1] ?? '';
  return {
    before,
    after: kept(Buffer.from(text.slice(0, paddingAt) + rest, 'latin1')),
    paddingAt,
    hasSpaces: false,
  };
};

/** Where a frame ends whose text ends at `from`; −1 where it goes on in another way. */
const endOf = (bytes: Buffer, from: number, { after, paddingAt, hasSpaces }: Pattern): number => {
  let at = from;
  for (let index = 0; index < after.length; index += 1) {
    const code = after[index];
    if (hasSpaces && (code === CLOSE_OBJECT || code === CLOSE_LIST)) while (bytes[at] === SPACE) at += 1;
    if (index === paddingAt) while (isPadding(bytes[at])) at += 1;
    if (bytes[at] !== code) return -1;
    at += 1;
  }
  return at;
};

const isPadding = (code: number | undefined): boolean =>
  code !== undefined && code >= SPACE && code < 0x7f && code !== QUOTE && code !== BACKSLASH;
