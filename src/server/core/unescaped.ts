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
  /** Has one more entry than there are bytes; undefined for the original text. */
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
 * The character an escape at `at` stands for, and the escape's length; length 0 if there is none or it is not ASCII.
 */
const escapeAt = (bytes: Buffer, at: number): { readonly code: number; readonly length: number } => {
  const code = bytes[at];
  const next = bytes[at + 1] ?? 0;
  if (code === PERCENT) return found(hexAt(bytes, at + 1, 2), 3);
  if (code === AMPERSAND) return entityAt(bytes, at);
  if (next === SMALL_U) return found(hexAt(bytes, at + 2, 4), 6);
  if (next === SMALL_X) return found(hexAt(bytes, at + 2, 2), 4);
  return found(BY_LETTER.get(next) ?? next, 2);
};

const NO_ESCAPE = { code: 0, length: 0 };

const found = (code: number, length: number) => (code > 0 && code < 0x80 ? { code, length } : NO_ESCAPE);

const entityAt = (bytes: Buffer, at: number) => {
  const end = bytes.subarray(at, at + MOST_OF_AN_ENTITY).indexOf(SEMICOLON);
  if (end === -1) return NO_ESCAPE;
  const [, hex, decimal] = /^&#(?:x([\da-f]+)|(\d+))$/i.exec(bytes.toString('latin1', at, at + end)) ?? [];
  return found(hex === undefined ? Number(decimal ?? -1) : Number.parseInt(hex, 16), end + 1);
};

/** Undoes one level of JSON, URL and HTML escapes; undefined if there are none. */
export const unescaped = ({
  bytes,
  starts: before,
}: Unescaped): (Unescaped & { readonly starts: Uint32Array }) | undefined => {
  const plain = Buffer.allocUnsafe(bytes.length);
  const starts = new Uint32Array(bytes.length + 1);
  let length = 0;
  let hasChanged = false;
  for (let at = 0; at < bytes.length; length += 1) {
    const byte = bytes[at] ?? 0;
    starts[length] = before?.[at] ?? at;
    const isMark = byte === BACKSLASH || byte === PERCENT || byte === AMPERSAND;
    const escape = isMark ? escapeAt(bytes, at) : NO_ESCAPE;
    plain[length] = escape.length === 0 ? byte : escape.code;
    at += Math.max(1, escape.length);
    hasChanged ||= escape.length > 0;
  }
  starts[length] = before?.[bytes.length] ?? bytes.length;
  return hasChanged ? { bytes: plain.subarray(0, length), starts } : undefined;
};
