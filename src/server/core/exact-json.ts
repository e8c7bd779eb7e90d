/** A whole number that JavaScript cannot hold, as it stood in the text; `JSON.stringify` writes it back the same. */
interface RawNumber {
  readonly rawJSON: string;
}

/** What a reader of JSON may ask of the engine (tc39.es/proposal-json-parse-with-source); not yet in the types. */
const engine = JSON as unknown as {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
};

/** A number this long may be more than a double holds: ids of chats and orders often are. */
const LONG_NUMBER = /(?<![\d.])\d{16}/;
/** Looking for such numbers in more text than this, pictures mostly, would cost more than it is worth. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const WHOLE = /^-?\d+$/;

const exact = (value: unknown, source: string | undefined): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && WHOLE.test(source)
    ? engine.rawJSON(source)
    : value;

/** Whether this is such a number, and no object of the text. */
export const isExactNumber = (value: object): boolean => engine.isRawJSON(value);

/** JSON whose whole numbers come out again as they went in, however long. Throws a SyntaxError. */
export const parseExact = (text: string): unknown =>
  LONG_NUMBER.test(text)
    ? engine.parse(text, (_, value, { source }) => exact(value, source))
    : (JSON.parse(text) as unknown);

/** The object a text holds, its whole numbers exact; undefined where it holds none. */
export const parseExactObject = (text: string): Readonly<Record<string, unknown>> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return parseExact(text) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
};

/** Whether what a model or a tool said stands there: the input of a call (Messages), its arguments or its result (Gemini). */
const isSpoken = (parent: Readonly<Record<string, unknown>>, key: string): boolean => {
  if (key === 'input') return typeof parent['type'] === 'string' && parent['type'].endsWith('tool_use');
  return (key === 'args' || key === 'response') && typeof parent['name'] === 'string';
};

/**
 * JSON of a request or a reply, whose long numbers are exact where a call or its result holds them, and plain numbers
 * everywhere else. Throws a SyntaxError.
 */
export const parseChatJson = (text: string): unknown =>
  text.length <= MOST_CHARACTERS && maySpeak(text) && LONG_NUMBER.test(text)
    ? settled(parseExact(text))
    : (JSON.parse(text) as unknown);

/** A name may be spelled with escapes. Without any of these there is no number to be exact about, and no search for one. */
const maySpeak = (text: string): boolean =>
  ['tool_use', '"args"', '"response"', '\\u'].some((mark) => text.includes(mark));

const settled = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (engine.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(settled);
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]): [string, unknown] => [
      key,
      isSpoken(fields, key) ? field : settled(field),
    ]),
  );
};
