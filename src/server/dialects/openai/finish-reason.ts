import type { FinishReason } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { redact } from '../redact.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';

const WORDS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_use: 'tool-calls',
  content_filter: 'content-filter',
  sensitive: 'content-filter',
  refusal: 'refusal',
};

/** Why an answer ended, in our words; look-alikes have some of their own. */
export const readFinishReason = (value: unknown): FinishReason | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  return WORDS[value] ?? 'other';
};

/** Ends by which look-alikes say that they failed under way: OpenRouter and Mistral, Zhipu, DeepSeek, routers to Gemini. */
const FAILED: ReadonlySet<unknown> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
]);

/** The failure that the end of a choice is; undefined where it is none. To callers of this format it is told as it came. */
export const readFailure = (choice: Fields): AppError | undefined => {
  const word = choice['finish_reason'];
  if (!FAILED.has(word)) return undefined;
  const told = textOf(fieldsOf(choice['error'])['message']);
  const message = `the model ended without an answer (${String(word)})${told === undefined ? '' : `: ${redact(told)}`}`;
  return new AppError('upstream_failed', message, {
    reason: 'malformed_answer',
    upstream: { status: 0, type: String(word), message },
  });
};

/** The same in the words of the OpenAI format, which has none for a refusal, a pause or anything else. */
export const writeFinishReason = (reason: FinishReason): string => {
  switch (reason) {
    case 'tool-calls':
      return 'tool_calls';
    case 'content-filter':
      return 'content_filter';
    case 'length':
      return 'length';
    case 'refusal':
    case 'pause':
    case 'other':
    case 'stop':
      return 'stop';
  }
};
