import type { FinishReason } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { redact } from '../redact.ts';
import { fieldsOf, textOf, type Fields } from './fields.ts';

/** What OpenAI says, and what others of this format do, in any letters. */
const SAYING: Readonly<Record<Exclude<FinishReason, 'pause' | 'other'>, readonly string[]>> = {
  stop: [
    'stop',
    'eos',
    'eos_token',
    'end_turn',
    'stop_sequence',
    'stop_token',
    'end',
    'complete',
    'completed',
    'done',
    'finished',
  ],
  length: [
    'length',
    'max_tokens',
    'max_length',
    'max_output_tokens',
    'max_completion_tokens',
    'model_length',
    'model_context_window_exceeded',
  ],
  'tool-calls': ['tool_calls', 'tool_call', 'function_call', 'function_calls', 'tool_use'],
  'content-filter': ['content_filter', 'content_filtered', 'sensitive', 'safety', 'recitation'],
  refusal: ['refusal'],
};

const WORDS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(SAYING).flatMap(([reason, words]) =>
    words.map((word): [string, FinishReason] => [word, reason as FinishReason]),
  ),
);

/** Why an answer ended, in our words; look-alikes have some of their own. */
export const readFinishReason = (value: unknown): FinishReason | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  return WORDS.get(value) ?? WORDS.get(value.toLowerCase().replaceAll('-', '_')) ?? 'other';
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
