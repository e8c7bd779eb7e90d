const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SMALL_U = 0x75;
const SMALL_X = 0x78;
const SEMICOLON = 0x3b;
/** Escapes by letter. Secrets contain no other control characters. */
const BY_LETTER: ReadonlyMap<number, number> = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);
const MOST_OF_AN_ENTITY = 9;

/** A text with one level of escapes undone, and the position of each byte in the original text. */
export interface Unescaped {
  readonly bytes: Buffer;
  /** Has one more entry than there are bytes; undefined if the text is the original. */
  readonly starts: Uint32Array | undefined;
}

const digit = (code: number | undefined): number => {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** The value of `count` hexadecimal digits; −1 if they are not all digits. */
const hexAt = (bytes: Buffer, at: number, count: number): number => {
  let value = 0;
  for (let index = at; index < at + count; index += 1) {
    const next = digit(bytes[index]);
    if (next === -1) return -1;
    value = value * 16 + next;
  }
  return value;
};

/**
 * The character an escape at `at` stands for, and the escape's length; length 0 if there is none or it is neither ASCII nor
 * invisible.
 */
const escapeAt = (bytes: Buffer, at: number): { readonly code: number; readonly length: number } => {
  const code = bytes[at];
  const next = bytes[at + 1] ?? 0;
  if (code === PERCENT) return invisibleInAddress(bytes, at) ?? found(hexAt(bytes, at + 1, 2), 3);
  if (code === AMPERSAND) return entityAt(bytes, at);
  if (next === SMALL_U) {
    const value = hexAt(bytes, at + 2, 4);
    return isInvisible(value) ? { code: NOTHING, length: 6 } : found(value, 6);
  }
  if (next === SMALL_X) return found(hexAt(bytes, at + 2, 2), 4);
  return found(BY_LETTER.get(next) ?? next, 2);
};

const NO_ESCAPE = { code: 0, length: 0 };

const found = (code: number, length: number) => (code > 0 && code < 0x80 ? { code, length } : NO_ESCAPE);

const entityAt = (bytes: Buffer, at: number) => {
  const end = bytes.subarray(at, at + MOST_OF_AN_ENTITY).indexOf(SEMICOLON);
  if (end === -1) return NO_ESCAPE;
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+))$/i.exec(bytes.toString('latin1', at, at + end)) ?? [];
  const value = hex === undefined ? Number(decimal ?? -1) : Number.parseInt(hex, 16);
  return isInvisible(value) ? { code: NOTHING, length: end + 1 } : found(value, end + 1);
};

/** An escape that stands for no character at all. */
const NOTHING = -1;

/** Invisible characters: the soft hyphen, zero-width characters, direction marks. */
const isInvisible = (code: number): boolean =>
  code === 0xad ||
  (code >= 0x200b && code <= 0x200f) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0xfeff;

/** How many bytes the invisible character at `at` takes; 0 if there is none. */
const invisibleAt = (bytes: Buffer, at: number): number => {
  const [first, second = 0, third = 0] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (first === 0xc2) return second === 0xad ? 2 : 0;
  if (first !== 0xe2 && first !== 0xef) return 0;
  const code = ((first & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
  return isInvisible(code) ? 3 : 0;
};

/** The same, percent-encoded: `%E2%80%8B`. */
const invisibleInAddress = (bytes: Buffer, at: number) => {
  const [first, second, third] = [1, 4, 7].map((after) => hexAt(bytes, at + after, 2));
  const length = 3 * invisibleAt(Buffer.from([first ?? 0, second ?? 0, third ?? 0]), 0);
  return length === 0 ? undefined : { code: NOTHING, length };
};

/** Undoes one level of JSON, URL and HTML escapes, and leaves out invisible characters; undefined if there are none. */
export const unescaped = ({
  bytes,
  starts: before,
}: Unescaped): (Unescaped & { readonly starts: Uint32Array }) | undefined => {
  const plain = Buffer.allocUnsafe(bytes.length);
  const starts = new Uint32Array(bytes.length + 1);
  let length = 0;
  let hasChanged = false;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    starts[length] = before?.[at] ?? at;
    const isMark = byte === BACKSLASH || byte === PERCENT || byte === AMPERSAND;
    const escape = isMark ? escapeAt(bytes, at) : NO_ESCAPE;
    const unseen = byte < 0xc2 ? 0 : invisibleAt(bytes, at);
    plain[length] = escape.length === 0 ? byte : escape.code;
    at += Math.max(1, escape.length, unseen);
    if (unseen === 0 && escape.code !== NOTHING) length += 1;
    hasChanged ||= escape.length > 0 || unseen > 0;
  }
  starts[length] = before?.[bytes.length] ?? bytes.length;
  return hasChanged ? { bytes: plain.subarray(0, length), starts } : undefined;
};
