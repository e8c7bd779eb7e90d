import { AppError } from './error.ts';

/** Deeper than any schema or conversation, and shallow enough for everything that walks through it. */
const MAX_DEPTH = 256;
/** Some times what the longest conversations and lists of token numbers hold. */
const MAX_VALUES = 500_000;
/** A smaller body takes no time, whatever it holds. */
const UNCHECKED_BYTES = 16 * 1024;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Where a quote is escaped others often are: so far it is looked at byte by byte, which is faster there. */
const WALKED_BYTES = 1024;

/** The quote that ends a string; −1 where none does. Long strings (pictures) are leapt over. */
export const endOfString = (bytes: Buffer, opening: number): number => {
  let at = opening + 1;
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote === -1) return -1;
    let start = quote;
    while (bytes[start - 1] === BACKSLASH) start -= 1;
    if ((quote - start) % 2 === 0) return quote;
    at = quote + 1;
    for (const until = at + WALKED_BYTES; at < until; at += 1) {
      const code = bytes[at];
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
  }
};

const tooMuch = (what: string): AppError => new AppError('invalid_request', `the body ${what}`);

/**
 * Refuses JSON that would only keep the server busy, before it is parsed: brackets in brackets, or more values than any
 * request has. Linear and stops at the first thing too much; what is not JSON at all is for the parser to say.
 * Answers how many values there are at most, 0 for a body too small to matter.
 */
export const assertJsonBounds = (bytes: Buffer): number => {
  const { length } = bytes;
  if (length <= UNCHECKED_BYTES) return 0;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte <= SPACE) continue;
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      if (at === -1) return values;
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      values += 1;
      depth += 1;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    if (depth > MAX_DEPTH) throw tooMuch(`nests deeper than ${MAX_DEPTH} levels`);
    if (values > MAX_VALUES) throw tooMuch('holds too many values');
  }
  return values;
};
