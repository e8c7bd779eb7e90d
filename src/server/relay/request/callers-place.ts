import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { placeNamed } from '#core/chat/places.ts';
import { type AppError, reworded } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Dialect } from '../../dialects/dialect.ts';

/*
 * Where a caller said what a refusal names. Formats differ in what is a message: instructions may be a field of their own,
 * several items one turn, one tool several functions. The place is looked for with the reader of the caller's own format.
 */

interface Words {
  /** The list of messages, in each of its spellings. */
  readonly list: readonly string[];
  /** What is read before the list, in each of its spellings. */
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

/** Fields that become tools, after those of the list; the first two may be refused. */
const BESIDE_TOOLS = ['web_search_options', 'plugins', 'functions'] as const;

type Reader = Pick<Dialect, 'name' | 'readRequest'>;

/** The same refusal with the place in the caller's own body; with the list alone where there is no such place. */
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
    // An empty list of messages.
    return 0;
  }
};

/** The last item of the shortest beginning of a list that is enough; undefined if all of it is not. */
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
