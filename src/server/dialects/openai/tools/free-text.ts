import type { ChatRequest, Extras, Tool } from '#core/chat/request.ts';
import { isFields, textOf, type Fields } from '#core/json/fields.ts';

/** The parameters of a tool that takes free text (`type: "custom"`), for formats that only know JSON. */
const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input, as free text' } },
  required: ['input'],
  additionalProperties: false,
};

/** An empty set of tool names. */
export const NO_TOOLS: ReadonlySet<string> = new Set();

/** A free-text tool as a function with one text parameter. The description explains a grammar for its input. */
export const freeTextTool = (name: string, description: unknown, grammar: Fields, extras: Extras): Tool => {
  const [own, syntax, definition] = [description, grammar['syntax'], grammar['definition']].map(textOf);
  const rule =
    definition === undefined
      ? undefined
      : `The input must follow this ${syntax ?? ''} grammar:\n${definition}`;
  const explained = [own, rule].filter((text) => text !== undefined).join('\n\n');
  return {
    name,
    ...(explained !== '' && { description: explained }),
    parameters: FREE_TEXT,
    freeText: {
      ...(own !== undefined && { description: own }),
      ...(syntax !== undefined && { syntax }),
      ...(definition !== undefined && { definition }),
    },
    extras,
  };
};

/** The names of a request's free-text tools. */
export const freeTextTools = (asked: ChatRequest | undefined): ReadonlySet<string> => {
  const names = asked?.tools?.filter(({ freeText }) => freeText !== undefined).map(({ name }) => name);
  return names === undefined || names.length === 0 ? NO_TOOLS : new Set(names);
};

/** Writes a chunk of free text as JSON; `FREE_TEXT_BEGINS` and `FREE_TEXT_ENDS` go around it. */
export const writeFreeText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The JSON before and after a free text that is sent as a function's arguments. */
export const FREE_TEXT_BEGINS = '{"input":"';
export const FREE_TEXT_ENDS = '"}';

/** Extracts the free text from the JSON that other formats need; anything else a model wrote stays as it is. */
export const readFreeText = (argumentsText: string): string => {
  try {
    const value: unknown = JSON.parse(argumentsText);
    if (typeof value === 'string') return value;
    if (!isFields(value)) return argumentsText;
    const [only, another] = Object.values(value);
    return textOf(value['input']) ?? (another === undefined ? textOf(only) : undefined) ?? argumentsText;
  } catch {
    return argumentsText;
  }
};
