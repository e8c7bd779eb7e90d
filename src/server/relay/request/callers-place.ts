import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { placeNamed } from '#core/chat/places.ts';
import { type AppError, reworded } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Dialect } from '../../dialects/dialect.ts';

// Finds the place in the caller's body that a refusal is about. Formats differ in what counts as a message:
// instructions may be a field of their own, several items may be one turn, and one tool may hold several functions. The
// search uses the reader of the caller's own format.

interface Words {
  /** The names of the field with the list of messages. */
  readonly list: readonly string[];
  /** The names of the field with instructions, which come before the list. */
  readonly instructions: readonly string[];
  readonly at: (list: string, place: number) => string;
}

const byDot = (list: string, place: number): string => `${list}.${place}`;

const WORDS: Readonly<Record<DialectName, Words>> = {
  'openai-chat': { list: ['messages'], instructions: [], at: byDot },
  'openai-responses': { list: ['input'], instructions: ['instructions'], at: byDot },
  'anthropic-messages': { list: ['messages'], instructions: ['system'], at: byDot },
  gemini: {
    list: ['contents'],
    instructions: ['systemInstruction', 'system_instruction'],
    at: (list, place) => `${list}[${place}]`,
  },
};

/** Other fields that become tools, after those of the list. Only the first two can be refused. */
const BESIDE_TOOLS = ['web_search_options', 'plugins', 'functions'] as const;

type Reader = Pick<Dialect, 'name' | 'readRequest'>;

/**
 * Returns the same refusal with the place in the caller's own body, or with only the list's name if there is no such
 * place.
 */
export const withCallersPlace = (refusal: AppError, dialect: Reader, fields: Fields): AppError => {
  const { param } = refusal;
  const named = placeNamed(param);
  if (param === undefined || named === undefined) return refusal;
  const word =
    named.list === 'tools' ? toolIn(dialect, fields, named.place) : messageIn(dialect, fields, named.place);
  const message = refusal.message.replaceAll(`'${param}'`, `'${word}'`);
  return reworded(
    refusal,
    message.startsWith(`${param}:`) ? word + message.slice(param.length) : message,
    word,
  );
};

const messageIn = (dialect: Reader, fields: Fields, place: number): string => {
  const { list, instructions, at } = WORDS[dialect.name];
  const field = givenOf(list, fields) ?? list[0] ?? '';
  const before = givenOf(instructions, fields);
  const count = (asked: Fields): number => countOf(() => dialect.readRequest(asked).messages);
  const items = fields[field];
  const first = Array.isArray(items) ? { ...fields, [field]: items.slice(0, 1) } : fields;
  const bare = Object.fromEntries(Object.entries(first).filter(([key]) => !instructions.includes(key)));
  if (before !== undefined && place < count(first) - count(bare)) return before;
  const found = Array.isArray(items)
    ? firstOf(items.length, (most) => count({ ...fields, [field]: items.slice(0, most) }) > place)
    : undefined;
  return found === undefined ? field : at(field, found);
};

const toolIn = (dialect: Reader, fields: Fields, place: number): string => {
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([key]) => !BESIDE_TOOLS.some((name) => name === key)),
  );
  const { tools } = fields;
  const found = Array.isArray(tools)
    ? firstOf(
        tools.length,
        (most) => countOf(() => dialect.readRequest({ ...rest, tools: tools.slice(0, most) }).tools) > place,
      )
    : undefined;
  if (found !== undefined) return WORDS[dialect.name].at('tools', found);
  return givenOf(BESIDE_TOOLS, fields) ?? 'tools';
};

const givenOf = (names: readonly string[], fields: Fields): string | undefined =>
  names.find((name) => fields[name] !== undefined && fields[name] !== null);

const countOf = (read: () => ChatRequest['messages' | 'tools']): number => {
  try {
    return read()?.length ?? 0;
  } catch {
    // The list of messages is empty.
    return 0;
  }
};

/**
 * Returns the index of the last item of the shortest prefix that is enough; undefined if the whole list is not. Binary
 * search.
 */
const firstOf = (length: number, isEnough: (most: number) => boolean): number | undefined => {
  if (!isEnough(length)) return undefined;
  let [low, high] = [0, length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high - 1;
};
