import { isUtf8 } from 'node:buffer';
import { parsed } from '#contract/json-text.ts';
import type { SecretTrail } from '#core/secrets/secret-trail.ts';
import type { Secrets } from '#core/secrets/secrets.ts';
import type { Frame } from '../../dialects/frame.ts';
import { isPartOf, type Masking } from './mask.ts';

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
/** Characters after a backslash that JSON can only write this way: `"`, `\`, b, f, n, r, t. */
const PLAIN_ESCAPES = new Set(Buffer.from('"\\bfnrt'));
/** Random filler that some upstreams add to hide the length of the text. */
const PADDING = /[,{]\s*"(?:obfuscation|p)"\s*:\s*"/;
/** Longer frames are too rare to be worth comparing. */
const LEARNT_MAX_BYTES = 64 * 1024;
/** Stop learning after this many frames in a row that were not followed by a similar one. */
const MOST_LESSONS = 5;

/** The bytes around the text in similar frames. */
interface Around {
  /** Everything before the first character of the text. */
  readonly before: Uint8Array;
  /** Everything from the closing quote of the text on. */
  readonly after: Uint8Array;
}

/** The same for frames we read, where padding after the text may differ each time. */
interface Pattern extends Around {
  /** Where in `after` the random padding is; −1 if there is none. */
  readonly paddingAt: number;
  /** Only brackets follow the text, possibly with spaces between them. */
  readonly hasSpaces: boolean;
}

/** Whether a frame is short enough to be one of a run. */
export const isLearnt = ({ raw }: Frame): boolean => raw.length <= LEARNT_MAX_BYTES;

/**
 * A run of frames that each carry one piece of text and nothing else, as most frames of a stream do. The first is
 * parsed and converted in full. If the next differs only in its text, its escaped text is copied into the converted
 * frame. A frame is only taken if a full conversion would give the very same bytes.
 */
export class TextRun {
  readonly #secrets: Secrets;
  readonly #trail: SecretTrail;
  #read: Pattern | undefined;
  #written: Around | undefined;
  #lessons = 0;
  /** Where the text of the frame found last begins and ends. */
  #start = 0;
  #end = 0;
  /** UTF-8 bytes of that text. */
  outputBytes = 0;
  /** The length of that text as a string. */
  characters = 0;

  /** @param masking what no text may contain; a frame that does is left for full parsing */
  constructor({ secrets, trail }: Masking) {
    this.#secrets = secrets;
    this.#trail = trail;
    // A secret with a quote could start before the text, or end after it.
    if (secrets.hasQuote) this.#lessons = MOST_LESSONS;
  }

  /** Ends the run: the last frame was not part of it. */
  forget(): void {
    this.#read = undefined;
  }

  /** Whether learning has stopped because too few frames of this stream are alike. */
  get isTired(): boolean {
    return this.#lessons >= MOST_LESSONS;
  }

  /** Learns from a frame that carried only `text`, and from the frame written for it, if any. */
  learn(read: Frame, text: string, written?: Frame): void {
    this.#read = undefined;
    if (this.isTired || !isLearnt(read)) return;
    this.#lessons += 1;
    const literal = Buffer.from(JSON.stringify(text));
    const around = aroundText(read, literal);
    if (around === undefined || read.raw[read.raw.length - 1] !== LF) return;
    this.#written = written === undefined ? NOTHING : aroundText(written, literal);
    if (this.#written !== undefined) this.#read = patternOf(around);
  }

  /** Returns where the frame at `from` ends, if it is part of the run, complete, and its text shorter than that; else −1. */
  find(bytes: Buffer, from: number, belowBytes = Infinity): number {
    const pattern = this.#read;
    if (pattern === undefined || from >= bytes.length) return -1;
    const { before } = pattern;
    const start = from + before.length;
    for (let at = from, index = 0; at < start; at += 1, index += 1)
      if (bytes[at] !== before[index]) return -1;
    if (!this.#measure(bytes, start) || this.outputBytes >= belowBytes) return -1;
    const end = endOf(bytes, this.#end, pattern);
    if (end === -1 || !this.#trail.passes(bytes, this.#start, this.#end)) return -1;
    this.#lessons = 0;
    return end;
  }

  /** Converts the frame found last. */
  write(bytes: Buffer): Buffer {
    const { before, after } = this.#written ?? NOTHING;
    const length = this.#end - this.#start;
    const written = Buffer.allocUnsafe(before.length + length + after.length);
    written.set(before, 0);
    bytes.copy(written, before.length, this.#start, this.#end);
    written.set(after, before.length + length);
    return written;
  }

  /** Measures the text from `start` to its closing quote; false if a full conversion would give other bytes. */
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

/** The bytes around the only place where this text is in the frame's JSON; undefined if that is not clear. */
const aroundText = ({ raw, data }: Frame, literal: Buffer): Around | undefined => {
  if (!isPartOf(data, raw)) return undefined;
  const at = data.indexOf(literal);
  if (at === -1 || data.includes(literal, at + 1)) return undefined;
  const end = at + literal.length;
  // Replacing it must give valid JSON and it must not be a key: then it is a value, and nothing else changes.
  const another = `${data.toString('utf8', 0, at)}"?"${data.toString('utf8', end)}`;
  if (parsed(another) === undefined) return undefined;
  if (/^\s*:/.test(data.toString('latin1', end, end + 64))) return undefined;
  const dataAt = data.byteOffset - raw.byteOffset;
  return {
    before: copyOf(raw.subarray(0, dataAt + at + 1)),
    after: copyOf(raw.subarray(dataAt + end - 1)),
  };
};

/** Copies the bytes, so that a long stream does not keep the whole chunk in memory. */
const copyOf = (bytes: Buffer): Uint8Array => new Uint8Array(bytes);

const patternOf = ({ before, after }: Around): Pattern => {
  const text = Buffer.from(after.buffer).toString('latin1');
  if (/^"[\s\]}]*$/.test(text))
    return {
      before,
      after: copyOf(Buffer.from(text.replaceAll(' ', ''), 'latin1')),
      paddingAt: -1,
      hasSpaces: true,
    };
  const padding = PADDING.exec(text);
  if (padding === null) return { before, after, paddingAt: -1, hasSpaces: false };
  const paddingAt = padding.index + padding[0].length;
  const rest = /^[^"\\]*(".*)$/s.exec(text.slice(paddingAt))?.[1] ?? '';
  return {
    before,
    after: copyOf(Buffer.from(text.slice(0, paddingAt) + rest, 'latin1')),
    paddingAt,
    hasSpaces: false,
  };
};

/** Returns where the frame ends if its text ends at `from`; −1 if the frame continues differently. */
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
