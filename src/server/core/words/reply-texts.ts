import type { Fields } from '../json/fields.ts';

/** Where the formats put a model's text, whole and in events: chats, completions, pictures, transcripts. */
const SAID: ReadonlySet<string> = new Set([
  'choices',
  'candidates',
  'output',
  'message',
  'delta',
  'content',
  'content_block',
  'parts',
  'text',
  'thinking',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'transcript',
  'revised_prompt',
  'refusal',
  'tool_calls',
  'function_call',
  'functionCall',
  'function',
  'arguments',
  'partial_json',
  'executableCode',
  'codeExecutionResult',
  'code',
]);
/** Arguments of calls: all of their JSON is text. */
const OWN_JSON: ReadonlySet<string> = new Set(['args', 'input']);

/** Objects and lists with text in them. A text of such a name is sound, a picture, sealed, or a setting. */
const HOLDING: ReadonlySet<string> = new Set(['audio', 'data', 'summary']);

/** Deeper than any format goes. */
const MAX_DEPTH = 24;

export interface ReplyText {
  readonly text: string;
  /** The same for all chunks of one text in a stream. */
  readonly of: string;
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

const numberIn = (value: unknown): string => (typeof value === 'number' ? String(value) : '');

/** Identifies one of several interleaved texts. */
const placeOf = ({ index, output_index, content_index }: Fields): string =>
  numberIn(index) +
  (output_index === undefined ? '' : `.${numberIn(output_index)}.${numberIn(content_index)}`);

/** All texts of a response, or of one of its events, in order. */
export const replyTexts = (body: unknown): ReplyText[] => {
  const texts: ReplyText[] = [];
  const collect = (value: unknown, of = '', isOwn = false, depth = 0): void => {
    if (typeof value === 'string') {
      if (value !== '') texts.push({ text: value, of });
    } else if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) {
      return;
    } else if (isList(value)) {
      for (const item of value) collect(item, of, isOwn, depth + 1);
    } else {
      const fields = value as Fields;
      const place = `${of}/${placeOf(fields)}`;
      for (const name in fields) {
        const isAll = isOwn || OWN_JSON.has(name);
        const isSaid = SAID.has(name) || (HOLDING.has(name) && typeof fields[name] === 'object');
        if (isAll || isSaid) collect(fields[name], `${place}/${name}`, isAll, depth + 1);
      }
    }
  };
  if (typeof body === 'object') collect(body);
  return texts;
};
