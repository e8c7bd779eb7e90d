import type { DialectName } from '#core/chat/request.ts';
import { type AppError, reworded } from '#core/error.ts';

// An error names a field in the format that could not express it: ours, or the upstream's. Callers are told the name of
// the field they sent.

/** The names of one field in each format: first the one to tell its callers, then other spellings. */
type Names = Partial<Readonly<Record<DialectName | 'ours', readonly string[]>>>;

const THINGS: readonly Names[] = [
  {
    'openai-chat': ['max_tokens', 'max_completion_tokens'],
    'openai-responses': ['max_output_tokens'],
    'anthropic-messages': ['max_tokens'],
    gemini: ['generationConfig.maxOutputTokens', 'maxOutputTokens', 'generation_config.max_output_tokens'],
  },
  {
    'openai-chat': ['n'],
    gemini: ['generationConfig.candidateCount', 'candidateCount', 'generation_config.candidate_count'],
  },
  {
    'openai-chat': ['stop'],
    'anthropic-messages': ['stop_sequences'],
    gemini: ['generationConfig.stopSequences', 'stopSequences', 'generation_config.stop_sequences'],
  },
  {
    'openai-chat': ['messages'],
    'openai-responses': ['input'],
    'anthropic-messages': ['messages'],
    gemini: ['contents'],
  },
  {
    'openai-chat': ['messages'],
    'openai-responses': ['instructions'],
    'anthropic-messages': ['system'],
    gemini: ['systemInstruction', 'system_instruction'],
  },
  {
    'openai-chat': ['response_format'],
    'openai-responses': ['text.format'],
    'anthropic-messages': ['output_config.format', 'output_format'],
    gemini: [
      'generationConfig.responseSchema',
      'generationConfig.responseJsonSchema',
      'generationConfig.responseMimeType',
      'responseSchema',
      'responseJsonSchema',
      'responseMimeType',
    ],
  },
  {
    'openai-chat': ['tool_choice'],
    'openai-responses': ['tool_choice'],
    'anthropic-messages': ['tool_choice'],
    gemini: ['toolConfig', 'tool_config'],
  },
  {
    'openai-chat': ['parallel_tool_calls'],
    'openai-responses': ['parallel_tool_calls'],
    'anthropic-messages': ['tool_choice.disable_parallel_tool_use'],
  },
  {
    'openai-chat': ['top_p'],
    'openai-responses': ['top_p'],
    'anthropic-messages': ['top_p'],
    gemini: ['generationConfig.topP', 'topP', 'generation_config.top_p'],
  },
  {
    'openai-chat': ['temperature'],
    'openai-responses': ['temperature'],
    'anthropic-messages': ['temperature'],
    gemini: ['generationConfig.temperature', 'generation_config.temperature'],
  },
  // Parts of messages, by our own words.
  {
    ours: ['file', 'file_id'],
    'openai-chat': ['file', 'file_id'],
    'openai-responses': ['input'],
    'anthropic-messages': ['messages'],
    gemini: ['fileData'],
  },
  {
    ours: ['input_audio'],
    'openai-chat': ['input_audio'],
    'openai-responses': ['input'],
    'anthropic-messages': ['messages'],
    gemini: ['contents'],
  },
];

const ITEM = /^(messages|input|contents)\.\d.*$/;
const FORMATS: ReadonlySet<string> = new Set<DialectName>([
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
]);
export const isDialect = (name: string): name is DialectName => FORMATS.has(name);

/** The name of a field for a caller of this format; unchanged if it is already theirs, or unknown. */
export const wordFor = (param: string, caller: string): string => {
  if (!isDialect(caller)) return param;
  // One of another format's list: its number says nothing here.
  const name = ITEM.exec(param)?.[1] ?? param;
  const things = THINGS.filter((names) => Object.values(names).some((words) => words.includes(name)));
  if (things.length === 0 || things.some((names) => names[caller]?.includes(name) === true)) return param;
  return things.find((names) => names[caller] !== undefined)?.[caller]?.[0] ?? param;
};

/** The same error naming the field that the caller sent, in `param` and wherever the message names it. */
export const inCallersWords = (error: AppError, caller: string): AppError => {
  const { param } = error;
  if (param === undefined) return error;
  const word = wordFor(param, caller);
  if (word === param) return error;
  const named = error.message.replaceAll(`'${param}'`, `'${word}'`);
  const message = named.startsWith(`${param}:`) ? `${word}${named.slice(param.length)}` : named;
  return reworded(error, message, word);
};
