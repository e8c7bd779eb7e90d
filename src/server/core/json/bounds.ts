import { AppError } from '../error.ts';

/** Reading or writing more than this in one step would block other calls: another thread does it, or pieces are read. */
export const AT_ONCE_MAX_BYTES = 512 * 1024;
/** Deeper than any real schema or conversation, and safe for every recursive reader. */
const MAX_DEPTH = 256;
/** Several times the values of the longest conversations and token lists. */
const MAX_VALUES = 500_000;
/** A whole number of this many digits may exceed a double's precision: ids of chats and orders often do. */
const LONG_DIGITS = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** More escaped quotes may follow: the next characters are checked one by one, which is faster if quotes are dense. */
const WALKED_CHARACTERS = 16;

/**
 * The index of the quote that ends a string; −1 if there is none. Skips long strings (pictures) quickly. `json` holds
 * one character for each byte of the text (`latin1`), which the engine searches several times faster than a buffer.
 */
export const endOfString = (json: string, opening: number): number => {
  let at = opening + 1;
  for (;;) {
    const quote = json.indexOf('"', at);
    if (quote === -1) return -1;
    let start = quote;
    while (json.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    if ((quote - start) % 2 === 0) return quote;
    at = quote + 1;
    for (const until = at + WALKED_CHARACTERS; at < until; at += 1) {
      const code = json.charCodeAt(at);
      if (code === QUOTE) return at;
      if (code === BACKSLASH) at += 1;
    }
  }
};

const tooMuch = (what: string): AppError => new AppError('invalid_request', `the body ${what}`);

/** What the survey finds about a JSON text before it is parsed. */
export interface JsonSurvey {
  /** An upper bound of the number of values. */
  readonly values: number;
  /** The members of all objects, duplicates included. */
  readonly members: number;
  /** Whether a whole number outside strings may exceed a double's precision. */
  readonly hasLongNumber: boolean;
}

/** Adjacent parts of a text that have already been surveyed. */
export interface KnownRun {
  readonly end: number;
  readonly values: number;
  readonly members: number;
}

/**
 * Receives the parts of a text during the survey: objects in a list that is a direct member of the body, such as the
 * messages and tools of a chat.
 */
export interface PartReader {
  /** Returns the known parts that follow each other here. */
  skip(start: number): KnownRun | undefined;
  /** Called for a part that was not known. */
  met(start: number, end: number, values: number, members: number): void;
}

const NO_PARTS: PartReader = { skip: () => undefined, met: () => undefined };

/**
 * The bytes searched at once. A string of this length is a young object of the engine; a longer one would cost fresh
 * memory pages each time.
 */
const SLICE_BYTES = 16 * 1024;
/** How far from its end a slice may be cut. */
const CUT_BYTES = 64;

/**
 * Refuses JSON that would keep the server busy, before it is parsed: too deep, or more values than any request has.
 * Linear; stops at the first excess. Invalid JSON is left to the parser. One pass, because long prompts come often:
 * what the later steps want to know of the text is counted on the way.
 * @param mostValues the most there may be
 */
export const surveyJson = (bytes: Buffer, mostValues = MAX_VALUES, parts = NO_PARTS): JsonSurvey => {
  let depth = 0;
  let values = 0;
  let members = 0;
  let hasLongNumber = false;
  let isInString = false;
  let isInList = false;
  const part = { start: -1, values: 0, members: 0 };
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = endOfSlice(bytes, start);
    const json = bytes.toString('latin1', start, end);
    let at = 0;
    if (isInString) {
      at = endOfString(json, -1) + 1;
      isInString = at === 0;
      if (isInString) continue;
    }
    for (; at < json.length; at += 1) {
      const code = json.charCodeAt(at);
      if (code === QUOTE) {
        at = endOfString(json, at);
        isInString = at === -1;
        if (isInString) break;
      } else if (code === COLON) members += 1;
      else if (code === COMMA) values += 1;
      else if (code === OPEN_OBJECT || code === OPEN_LIST) {
        const run = isInList && depth === 2 && code === OPEN_OBJECT ? parts.skip(start + at) : undefined;
        if (run === undefined) {
          if (isInList && depth === 2)
            Object.assign(part, { start: code === OPEN_OBJECT ? start + at : -1, values, members });
          values += 1;
          depth += 1;
          if (depth === 2) isInList = code === OPEN_LIST;
          if (depth > MAX_DEPTH) throw tooMuch(`nests deeper than ${MAX_DEPTH} levels`);
        } else {
          values += run.values;
          members += run.members;
          at = run.end - start - 1;
          end = Math.max(end, run.end);
        }
      } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
        depth -= 1;
        if (depth === 2 && isInList && part.start !== -1)
          parts.met(part.start, start + at + 1, values - part.values, members - part.members);
      } else if (isDigit(code)) {
        const from = at;
        while (isDigit(json.charCodeAt(at + 1))) at += 1;
        if (at - from >= LONG_DIGITS - 1 && json.charCodeAt(from - 1) !== DOT) hasLongNumber = true;
      }
      if (values > mostValues) throw tooMuch(`holds too many values, ${mostValues} are the most`);
    }
  }
  return { values, members, hasLongNumber };
};

/** Where a slice may end: not within a number or an escape. The rest of the text, if there is no such place nearby. */
const endOfSlice = (bytes: Buffer, start: number): number => {
  const most = start + SLICE_BYTES;
  if (most >= bytes.length) return bytes.length;
  for (let end = most; end > most - CUT_BYTES; end -= 1) {
    const code = bytes[end - 1] ?? DOT;
    if (code !== BACKSLASH && code !== DOT && !isDigit(code)) return end;
  }
  return bytes.length;
};

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** An upper bound of the values of JSON; Infinity if there are more than `most`, or if it nests too deep. */
export const valuesIn = (bytes: Buffer, most: number): number => {
  try {
    return surveyJson(bytes, most).values;
  } catch {
    return Infinity;
  }
};

/** The most bytes parsed in the main thread, which serves all calls. */
const READ_AT_ONCE_BYTES = 12 * 1024 * 1024;
const READ_AT_ONCE_VALUES = 10_000;

/** Throws `payload_too_large` or `invalid_request` for JSON that would keep other calls waiting while it is parsed. */
export const assertReadAtOnce = (bytes: Buffer, mostValues = READ_AT_ONCE_VALUES): void => {
  if (bytes.length > READ_AT_ONCE_BYTES)
    throw new AppError(
      'payload_too_large',
      'the body is larger than 12 MiB, the most for calls of this kind',
    );
  surveyJson(bytes, mostValues);
};
