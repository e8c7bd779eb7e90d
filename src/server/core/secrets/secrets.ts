import { afterOthers } from '../time/after-others.ts';
import { unescaped } from './unescaped.ts';

const STAR = 0x2a;
const BACKSLASH = 0x5c;
/** Escapes may be nested, as in JSON inside JSON inside a URL. */
const MOST_LEVELS = 4;
/** The most bytes an escaped character may take: `\\u0041`. */
const MOST_OF_A_CHARACTER = 8;
/** Characters of escapes, which may be escaped themselves. */
const ESCAPING = ['\\', '%', '&', '#', ';', 'u', 'x'];
/** How many bytes are searched at once. */
const BLOCK_BYTES = 64 * 1024;
/** How many bytes of a long message are masked in one turn of the event loop: a few milliseconds where all are escaped. */
const TURN_BYTES = 4 * BLOCK_BYTES;

/** The base64 forms of a text at each of the three alignments, without the digits that its neighbours change. */
const inBase64 = (text: Buffer): string[] =>
  [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), text]);
    const from = Math.ceil((before * 8) / 6);
    const until = Math.floor((whole.length * 8) / 6);
    return [whole.toString('base64').slice(from, until), whole.toString('base64url').slice(from, until)];
  });

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');

/** A line of a private key: base64 already, so its base64 and hexadecimal forms are not searched for. */
const KEY_LINE = /^(?=.*[g-zG-Z+/])[A-Za-z0-9+/]{64}$/;

const spellings = (text: string): string[] => {
  if (KEY_LINE.test(text)) return [text];
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  return [text, ...inOtherCase(text), ...inBase64(bytes), hex, hex.toUpperCase()];
};

/**
 * The text in the other case, if it has only one: hexadecimal still means the same then. A text that mixes cases loses
 * too much by it.
 */
const inOtherCase = (text: string): string[] => {
  const [small, capital] = [text.toLowerCase(), text.toUpperCase()];
  if (text !== small && text !== capital) return [];
  return [text === small ? capital : small];
};

/**
 * Leaves out texts that contain another one: wherever they stand, the shorter one is found, too, in any spelling. Lines
 * of keys are searched in plain form only.
 */
const enough = (texts: readonly string[]): string[] =>
  texts.filter(
    (text) => !texts.some((other) => other !== text && !KEY_LINE.test(other) && text.includes(other)),
  );

const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Invisible characters, which may stand between the letters of a secret; `unescaped` leaves them out. */
const INVISIBLE = [
  String.raw`\xc2\xad|\xe2(?:\x80[\x8b-\x8f\xaa-\xae]|\x81[\xa0-\xaf])|\xef\xbb\xbf`,
  String.raw`\\u(?:00[aA][dD]|20(?:0[b-fB-F]|2[a-eA-E]|6[0-9a-fA-F])|[fF][eE][fF][fF])`,
  '%(?:[cC]2%[aA][dD]|[eE]2%8[01]|[eE][fF]%[bB][bB])',
].join('|');

/** A pattern that matches the texts in plain form (first group), and any escapes of their letters. */
const patternFor = (texts: readonly string[], escapable: string, more: string): RegExp => {
  const letters = new Set(escapable);
  const codes = [...letters].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'));
  const hex = [...new Set(codes.flatMap((code) => [code, code.toUpperCase()]))].join('|');
  const slash = letters.has('/') ? '|\\/' : '';
  return new RegExp(
    `(${texts.map(asPattern).join('|')})|\\\\(?:u00(?:${hex})|x(?:${hex})${slash})|%(?:${hex})|&#|${INVISIBLE}${more}`,
    'g',
  );
};

/**
 * A pattern for a JSON string that may end with the beginning of a secret; it captures the first letter of that (second
 * group).
 */
const beginningPattern = (texts: readonly string[]): string =>
  `|(${texts.map((text) => `${asPattern(text.charAt(0))}(?="(?!:)|${asPattern(text.charAt(1))})`).join('|')})`;

const NOWHERE: readonly number[] = [];
/** Larger events are not searched for pieces of keys: streams carry pieces in small events only. */
export const EVENT_MAX_BYTES = 64 * 1024;

/** The result of one search. */
interface Sight {
  readonly isPlain: boolean;
  /** Where a string may end with the beginning of a secret, if the pattern reports it. */
  readonly beginnings: readonly number[];
  /** Ranges around escapes, wide enough for any secret. */
  readonly escaped: readonly { readonly start: number; readonly end: number }[];
}

const NOTHING_SEEN: Sight = { isPlain: false, beginnings: NOWHERE, escaped: [] };

/**
 * Replaces texts that nobody may see with stars. Searches each in plain form, base64 and hexadecimal, with any
 * character escaped as in JSON, URLs or HTML, and with invisible characters between them. Masking overwrites bytes in
 * place, so lengths and offsets stay the same.
 */
export class Secrets {
  /** The texts to find, each once. */
  readonly texts: readonly string[];
  readonly #needles: readonly Buffer[];
  readonly #pattern: RegExp;
  /** Compiled when the first stream comes. */
  #eventPattern: RegExp | undefined;
  /** Shorter texts cannot contain a secret. */
  readonly shortest: number;
  /** The length in bytes of the longest one, unescaped. */
  readonly longest: number;
  /** Some secret contains a quote, so it may begin before a JSON string or end after it. */
  readonly hasQuote: boolean;

  /** The operator's hosts; errors do not show them. */
  readonly hosts: readonly string[];

  constructor(texts: Iterable<string>, hosts: readonly string[] = []) {
    this.hosts = hosts;
    const all = [...new Set(texts)];
    this.texts = all;
    // Longest first: otherwise a shorter match would leave the rest of a longer one.
    this.#needles = [...new Set(all.flatMap(spellings))]
      .map((text) => Buffer.from(text))
      .toSorted((left, right) => right.length - left.length);
    this.#pattern = this.#patternWith('');
    this.shortest = this.#needles.at(-1)?.length ?? Infinity;
    this.longest = this.#needles[0]?.length ?? 0;
    this.hasQuote = all.some((text) => text.includes('"'));
  }

  /** Overwrites every secret with stars, in place. */
  mask(bytes: Buffer): Buffer {
    if (bytes.length >= this.shortest) this.#overwrite(bytes, this.#look(bytes, this.#pattern));
    return bytes;
  }

  /** Like `mask`, for many megabytes: other work runs between the pieces. They overlap, so that each secret is complete in one of them. */
  async maskInTurns(bytes: Buffer): Promise<void> {
    const overlap = this.longest * MOST_OF_A_CHARACTER;
    for (let from = 0; from < bytes.length; from += TURN_BYTES) {
      this.mask(bytes.subarray(from, from + TURN_BYTES + overlap));
      await afterOthers();
    }
  }

  /**
   * Like `mask`, for an event of a stream.
   * @returns the positions where a JSON string may end with the beginning of a secret; none for a long event
   */
  maskEvent(bytes: Buffer): readonly number[] {
    // An empty pattern would match everywhere.
    if (this.texts.length === 0) return NOWHERE;
    if (bytes.length > EVENT_MAX_BYTES) {
      this.mask(bytes);
      return NOWHERE;
    }
    this.#eventPattern ??= this.#patternWith(beginningPattern(this.texts.map(latin1)));
    const sight = this.#look(bytes, this.#eventPattern);
    this.#overwrite(bytes, sight);
    return sight.beginnings;
  }

  #overwrite(bytes: Buffer, { isPlain, escaped }: Sight): void {
    if (isPlain) this.maskPlain(bytes);
    for (const { start, end } of escaped) this.#maskEscaped(bytes.subarray(start, end));
  }

  #patternWith(more: string): RegExp {
    const searched = new Set(enough(this.texts).flatMap(spellings).map(latin1));
    const letters = [...this.#needles.map((needle) => needle.toString('latin1')), ...ESCAPING].join('');
    return patternFor([...searched], letters, more);
  }

  /** Like `mask`, for data without escapes: sounds and pictures. */
  maskPlain(bytes: Buffer): Buffer {
    if (bytes.length < this.shortest) return bytes;
    for (const needle of this.#needles)
      for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + needle.length))
        bytes.fill(STAR, isEscaped(bytes, at) ? at - 1 : at, at + needle.length);
    return bytes;
  }

  maskText(text: string): string {
    if (text.length < this.shortest) return text;
    const bytes = Buffer.from(text);
    return this.holds(bytes) ? this.mask(bytes).toString() : text;
  }

  /** Whether there is anything to mask. */
  holds(bytes: Buffer): boolean {
    if (bytes.length < this.shortest) return false;
    const { isPlain, escaped } = this.#look(bytes, this.#pattern);
    return (
      isPlain || escaped.some(({ start, end }) => this.#maskEscaped(Buffer.from(bytes.subarray(start, end))))
    );
  }

  /** How many of the last bytes may be the beginning of a secret, and have to be kept back. */
  openEnd(bytes: Buffer): number {
    let longest = 0;
    for (const needle of this.#needles) {
      for (let length = Math.min(needle.length - 1, bytes.length); length > longest; length -= 1) {
        if (bytes[bytes.length - length] !== needle[0]) continue;
        if (bytes.compare(needle, 0, length, bytes.length - length) === 0) longest = length;
      }
    }
    return longest;
  }

  #look(bytes: Buffer, pattern: RegExp): Sight {
    pattern.lastIndex = 0;
    if (bytes.length <= BLOCK_BYTES && !pattern.test(bytes.toString('latin1'))) return NOTHING_SEEN;
    const escaped: { start: number; end: number }[] = [];
    const around = this.longest * MOST_OF_A_CHARACTER;
    let isPlain = false;
    let beginnings = NOWHERE;
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const text = bytes.toString('latin1', from, Math.min(bytes.length, from + BLOCK_BYTES + this.longest));
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
        isPlain ||= match[1] !== undefined;
        if (match[2] !== undefined) beginnings = [...beginnings, from + match.index];
        if (match[1] !== undefined || match[2] !== undefined) continue;
        const at = from + match.index;
        const last = escaped.at(-1);
        const end = Math.min(bytes.length, at + around);
        if (last !== undefined && at - around <= last.end) last.end = Math.max(last.end, end);
        else escaped.push({ start: Math.max(0, at - around), end });
      }
    }
    return { isPlain, beginnings, escaped };
  }

  /** Undoes escapes level by level and masks the bytes behind each match. Returns true if something was masked. */
  #maskEscaped(bytes: Buffer): boolean {
    let hasMasked = false;
    let level = unescaped({ bytes, starts: undefined });
    for (let depth = 0; level !== undefined && depth < MOST_LEVELS; depth += 1) {
      const { bytes: plain, starts } = level;
      for (const needle of this.#needles) {
        for (let at = plain.indexOf(needle); at !== -1; at = plain.indexOf(needle, at + needle.length)) {
          hasMasked = true;
          bytes.fill(STAR, starts[at] ?? 0, starts[at + needle.length] ?? bytes.length);
          plain.fill(STAR, at, at + needle.length);
        }
      }
      level = unescaped(level);
    }
    return hasMasked;
  }
}

/** Whether a backslash escapes the byte: then the backslash is masked, too, because it would escape a star. */
const isEscaped = (bytes: Buffer, at: number): boolean => {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
};
