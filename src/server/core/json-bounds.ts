import { AppError } from './error.ts';

/** Deeper than any schema or conversation, and shallow enough for everything that walks through it. */
const MAX_DEPTH = 256;
/** Some times what the longest conversations and lists of token numbers hold. */
const MAX_VALUES = 500_000;
/** A smaller body takes no time, whatever it holds. */
const UNCHECKED_BYTES = 16 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The quote that ends a string; −1 where none does. Long strings (pictures) are leapt over. */
export const endOfString = (bytes: Buffer, opening: number): number => {
  let end = bytes.indexOf(QUOTE, opening + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = bytes.indexOf(QUOTE, end + 1);
  }
  return -1;
};

const tooMuch = (what: string): AppError => new AppError('invalid_request', `the body ${what}`);

/**
 * Refuses JSON that would only keep the server busy, before it is parsed: brackets in brackets, or more values than any
 * request has. Linear and stops at the first thing too much; what is not JSON at all is for the parser to say.
 */
export const assertJsonBounds = (bytes: Buffer): void => {
  if (bytes.length <= UNCHECKED_BYTES) return;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at === -1) return;
    } else if (byte === COMMA) {
      values += 1;
    } else if (OPENING.has(byte)) {
      values += 1;
      depth += 1;
    } else if (CLOSING.has(byte)) depth -= 1;
    if (depth > MAX_DEPTH) throw tooMuch(`nests deeper than ${MAX_DEPTH} levels`);
    if (values > MAX_VALUES) throw tooMuch('holds too many values');
  }
};
