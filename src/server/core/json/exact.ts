/**
 * A whole number too large for a JavaScript number, as written in the text; `JSON.stringify` writes it back unchanged.
 */
interface RawNumber {
  readonly rawJSON: string;
}

/** Features of the engine that TypeScript's types do not have yet (tc39.es/proposal-json-parse-with-source). */
declare global {
  interface JSON {
    parse(
      text: string,
      revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): RawNumber;
    isRawJSON(value: unknown): value is RawNumber;
  }
}

/** A number this long may exceed a double's precision: ids of chats and orders often do. */
const LONG_NUMBER = /(?<![\d.])\d{16}/;
/** Longer texts are not searched for such numbers: they are mostly pictures, and the search would cost too much. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const WHOLE = /^-?\d+$/;

const exact = (value: unknown, source: string | undefined): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
    ? JSON.rawJSON(source)
    : value;

/** Whether an object is such a number. */
export const isExactNumber = (value: object): boolean => JSON.isRawJSON(value);

/** Parses JSON and keeps whole numbers of any length exact. Throws a SyntaxError. */
export const parseExact = (text: string): unknown =>
  LONG_NUMBER.test(text)
    ? JSON.parse(text, (_, value, { source }) => exact(value, source))
    : (JSON.parse(text) as unknown);

/** Parses a text as an object with exact whole numbers; undefined if it is not an object. */
export const parseExactObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseExact(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
};

/**
 * Whether the field holds words of a model or tool: a call's input (Messages), its arguments or its result (Gemini).
 */
const isSpoken = (parent: Readonly<Record<string, unknown>>, key: string): boolean => {
  if (key === 'input') return typeof parent['type'] === 'string' && parent['type'].endsWith('tool_use');
  return (key === 'args' || key === 'response') && typeof parent['name'] === 'string';
};

/** Whether calls in a text that was not surveyed may contain long numbers. */
const mayHoldLongNumbers = (text: string): boolean => maySpeak(text) && LONG_NUMBER.test(text);

/**
 * Parses the JSON of a request or response: long numbers stay exact inside calls and their results, and are plain
 * numbers everywhere else. Throws a SyntaxError. `hasLongNumber` is known of a text that was surveyed.
 */
export const parseChatJson = (text: string, hasLongNumber?: boolean): unknown =>
  text.length <= MOST_CHARACTERS && (hasLongNumber ?? mayHoldLongNumbers(text))
    ? settled(parseExact(text))
    : (JSON.parse(text) as unknown);

/**
 * Without `tool_use`, `"args"`, `"response"` or a name with escapes there is no call, so no search for long numbers.
 * Looks for parts of them that begin with a rare sign and have less than seven letters: the engine finds those several
 * times faster.
 */
const maySpeak = (text: string): boolean =>
  text.includes('_use') || text.includes('"args"') || text.includes('"resp') || text.includes('\\u');

const settled = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (JSON.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(settled);
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]): [string, unknown] => [
      key,
      isSpoken(fields, key) ? field : settled(field),
    ]),
  );
};
