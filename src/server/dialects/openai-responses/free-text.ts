import type { ChatRequest, Tool } from '#core/chat/request.ts';
import { fieldsOf, isFields, textOf, type Fields } from '../openai/fields.ts';
import { ownExtras } from './read-parts.ts';

/** The parameters of a tool that takes free text (`type: "custom"`), for formats that only know JSON. */
const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input, as free text' } },
  required: ['input'],
  additionalProperties: false,
};

export const NO_TOOLS: ReadonlySet<string> = new Set();

/** Such a tool as a function with one text. A grammar its input must follow is told in the description. */
export const readFreeTextTool = (name: string, tool: Fields): Tool => {
  const description = [textOf(tool['description']), grammarOf(fieldsOf(tool['format']))]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    name,
    ...(description !== '' && { description }),
    parameters: FREE_TEXT,
    ...ownExtras(tool),
  };
};

const grammarOf = (format: Fields): string | undefined => {
  const { type, syntax, definition } = format;
  if (type !== 'grammar' || typeof definition !== 'string') return undefined;
  return `The input must follow this ${textOf(syntax) ?? ''} grammar:\n${definition}`;
};

/** The tools of a request whose calls have free text as their input. */
export const freeTextTools = (asked: ChatRequest | undefined): ReadonlySet<string> => {
  const names = asked?.tools
    ?.filter(({ extras }) => extras?.['openai-responses']?.['type'] === 'custom')
    .map(({ name }) => name);
  return names === undefined || names.length === 0 ? NO_TOOLS : new Set(names);
};

/** The free text inside the JSON that other formats need around it; whatever else a model said as it came. */
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
