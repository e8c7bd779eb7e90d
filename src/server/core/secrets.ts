import { unescaped } from './unescaped.ts';

const STAR = 0x2a;
const BACKSLASH = 0x5c;
/** Escapes of escapes, in JSON inside JSON inside an address. */
const MOST_LEVELS = 4;
/** The most bytes one character is taken to be escaped with: `\\u0041`. */
const MOST_OF_A_CHARACTER = 8;
/** Marks of escapes that may be escaped themselves. */
const ESCAPING = ['\\', '%', '&', '#', ';', 'u', 'x'];
/** So much is looked at as one text. */
const BLOCK_BYTES = 64 * 1024;

/** A text in base64 wherever in other bytes it stands, as far as its neighbours do not change it. */
const inBase64 = (text: Buffer): string[] =>
  [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), text]);
    const from = Math.ceil((before * 8) / 6);
    const until = Math.floor((whole.length * 8) / 6);
    return [whole.toString('base64').slice(from, until), whole.toString('base64url').slice(from, until)];
  });

/** A line of a private key, base64 already: whoever writes that again has more than a key to hide. */
const KEY_LINE = /^(?=.*[g-zG-Z+/])[A-Za-z0-9+/]{64}$/;

const spellings = (text: string): string[] => {
  if (KEY_LINE.test(text)) return [text];
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  return [text, ...inBase64(bytes), hex, hex.toUpperCase()];
};

const asPattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Finds texts as they are (its first group), and escapes of characters that are in them. */
const patternFor = (needles: readonly Buffer[]): RegExp => {
  const texts = needles.map((needle) => needle.toString('latin1'));
  const letters = new Set([...texts, ...ESCAPING].flatMap((text) => text.split('')));
  const codes = [...letters].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'));
  const hex = [...new Set(codes.flatMap((code) => [code, code.toUpperCase()]))].join('|');
  const slash = letters.has('/') ? '|\\/' : '';
  return new RegExp(
    `(${texts.map(asPattern).join('|')})|\\\\(?:u00(?:${hex})|x(?:${hex})${slash})|%(?:${hex})|&#`,
    'g',
  );
};

/** What is found in bytes at one look. */
interface Sight {
  readonly isPlain: boolean;
  /** Where something is escaped, with as much around it as a secret could take. */
  readonly escaped: readonly { readonly start: number; readonly end: number }[];
}

/**
 * Texts that nobody may be shown, and their stars. What is looked for is each text as it is, in base64 and in hexadecimal,
 * with any of its characters escaped as JSON, addresses and HTML do. Masking changes bytes in place and never their
 * number, so that what surrounds them stays what it was.
 */
export class Secrets {
  readonly #needles: readonly Buffer[];
  readonly #pattern: RegExp;
  /** Nothing shorter holds a secret. */
  readonly shortest: number;
  /** The most bytes one takes as it is. */
  readonly longest: number;
  /** A secret may begin before a JSON text or end behind it. */
  readonly hasQuote: boolean;

  /** Hosts of the operator's, which no error shows. */
  readonly hosts: readonly string[];

  constructor(texts: Iterable<string>, hosts: readonly string[] = []) {
    this.hosts = hosts;
    const all = [...new Set(texts)];
    // The longest first: a part of it would leave the rest.
    this.#needles = [...new Set(all.flatMap(spellings))]
      .map((text) => Buffer.from(text))
      .toSorted((left, right) => right.length - left.length);
    this.#pattern = patternFor(this.#needles);
    this.shortest = this.#needles.at(-1)?.length ?? Infinity;
    this.longest = this.#needles[0]?.length ?? 0;
    this.hasQuote = all.some((text) => text.includes('"'));
  }

  /** Stars in place of every secret, in the bytes themselves. */
  mask(bytes: Buffer): Buffer {
    if (bytes.length < this.shortest) return bytes;
    const { isPlain, escaped } = this.#look(bytes);
    if (isPlain) this.maskPlain(bytes);
    for (const { start, end } of escaped) this.#maskEscaped(bytes.subarray(start, end));
    return bytes;
  }

  /** The same where nothing is escaped: in sounds and pictures. */
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
    const { isPlain, escaped } = this.#look(bytes);
    return (
      isPlain || escaped.some(({ start, end }) => this.#maskEscaped(Buffer.from(bytes.subarray(start, end))))
    );
  }

  /** How many of the last bytes may be the beginning of a secret: what follows has to be known before they are shown. */
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

  #look(bytes: Buffer): Sight {
    const escaped: { start: number; end: number }[] = [];
    const around = this.longest * MOST_OF_A_CHARACTER;
    let isPlain = false;
    for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
      const text = bytes.toString('latin1', from, Math.min(bytes.length, from + BLOCK_BYTES + this.longest));
      this.#pattern.lastIndex = 0;
      for (let match = this.#pattern.exec(text); match !== null; match = this.#pattern.exec(text)) {
        isPlain ||= match[1] !== undefined;
        if (match[1] !== undefined) continue;
        const at = from + match.index;
        const last = escaped.at(-1);
        const end = Math.min(bytes.length, at + around);
        if (last !== undefined && at - around <= last.end) last.end = Math.max(last.end, end);
        else escaped.push({ start: Math.max(0, at - around), end });
      }
    }
    return { isPlain, escaped };
  }

  /** Undoes escapes level by level, and masks what stood for what is found. True where something was. */
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

/** Whether the byte belongs to an escape, which would be none any more without it. */
const isEscaped = (bytes: Buffer, at: number): boolean => {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
};
