import { type Fields, fieldsOf, isFields, listOf } from '#core/json/fields.ts';

// What is left of an event of a stream if only a part of its words is paid, format by format.

type Cut = (words: string) => string;

const CHAT_WORDS = ['content', 'reasoning_content', 'reasoning', 'refusal'] as const;

/** The fields that have words, cut; undefined if none has any. */
const cutFields = (from: Fields, names: readonly string[], cut: Cut): Fields | undefined => {
  let words: Record<string, string> | undefined;
  for (const name of names) {
    const said = from[name];
    if (typeof said === 'string' && said !== '') (words ??= {})[name] = cut(said);
  }
  return words;
};

/** An event `{"choices":[{"delta":{"content":"…"}}]}` of OpenAI's chats. */
export const cutChat = (event: Fields, cut: Cut): Fields | undefined => {
  const { usage: _, ...rest } = event;
  const choices = listOf(event['choices']).flatMap((choice) => {
    const { index = 0, delta } = fieldsOf(choice);
    const words = cutFields(fieldsOf(delta), CHAT_WORDS, cut);
    return words === undefined ? [] : [{ index, delta: words, finish_reason: null }];
  });
  return choices.length === 0 ? undefined : { ...rest, choices };
};

/** An event `{"choices":[{"text":"…"}]}` of the format before chats. */
export const cutCompletions = (event: Fields, cut: Cut): Fields | undefined => {
  const { usage: _, ...rest } = event;
  const choices = listOf(event['choices']).flatMap((choice) => {
    const { index = 0, ...said } = fieldsOf(choice);
    const words = cutFields(said, ['text'], cut);
    return words === undefined ? [] : [{ index, ...words, logprobs: null, finish_reason: null }];
  });
  return choices.length === 0 ? undefined : { ...rest, choices };
};

/** An event `{"type":"content_block_delta"}` of Anthropic's, or the beginning of a block that has words already. */
export const cutMessages = (event: Fields, cut: Cut): Fields | undefined => {
  const place = event['type'] === 'content_block_start' ? 'content_block' : 'delta';
  const said = fieldsOf(event[place]);
  const words = cutFields(said, ['text', 'thinking'], cut);
  return words && { ...event, [place]: { type: said['type'], ...words } };
};

const RESPONSES_WORDS: ReadonlySet<unknown> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);

/** An event `{"type":"response.output_text.delta"}` of OpenAI's responses. */
export const cutResponses = (event: Fields, cut: Cut): Fields | undefined => {
  if (!RESPONSES_WORDS.has(event['type'])) return undefined;
  const words = cutFields(event, ['delta'], cut);
  return words && { ...event, ...words, ...(event['logprobs'] !== undefined && { logprobs: [] }) };
};

/** An event `{"candidates":[{"content":{"parts":[…]}}]}` of Google's. */
export const cutGemini = (event: Fields, cut: Cut): Fields | undefined => {
  const { usageMetadata: _, usage_metadata: __, ...rest } = event;
  const candidates = listOf(event['candidates']).flatMap((candidate) => {
    const { index, content } = fieldsOf(candidate);
    const { role = 'model', parts } = fieldsOf(content);
    const words = listOf(parts)
      .filter(isFields)
      .flatMap((part) => {
        const text = cutFields(part, ['text'], cut);
        return text === undefined ? [] : [{ ...text, ...(part['thought'] === true && { thought: true }) }];
      });
    if (words.length === 0) return [];
    return [{ ...(index !== undefined && { index }), content: { role, parts: words } }];
  });
  return candidates.length === 0 ? undefined : { ...rest, candidates };
};

/** The fields with words in formats that one provider has alone. */
const WORDS: ReadonlySet<string> = new Set([
  'answer',
  'content',
  'reasoning',
  'reasoning_content',
  'result',
  'text',
  'thinking',
  'thought',
]);
const MAX_DEPTH = 16;

/** An event of another format, all of whose words, so many bytes, are one text. */
export const cutOther = (event: Fields, bytes: number, cut: Cut, depth = 0): Fields | undefined => {
  if (depth > MAX_DEPTH) return undefined;
  for (const [name, value] of Object.entries(event)) {
    if (typeof value === 'string') {
      if (WORDS.has(name.toLowerCase()) && Buffer.byteLength(value) === bytes)
        return { ...event, [name]: cut(value) };
      continue;
    }
    const [only, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
    const inner = isFields(only) && others.length === 0 ? cutOther(only, bytes, cut, depth + 1) : undefined;
    if (inner !== undefined) return { ...event, [name]: Array.isArray(value) ? [inner] : inner };
  }
  return undefined;
};
