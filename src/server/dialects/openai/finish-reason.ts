import type { FinishReason } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { redact } from '../redact.ts';
import { fieldsOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';

/** OpenAI's finish reasons, and those of compatible upstreams; case is ignored. */
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

/** Reads a finish reason, including those of compatible upstreams. */
export const readFinishReason = (value: unknown): FinishReason | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  return WORDS.get(value) ?? WORDS.get(value.toLowerCase().replaceAll('-', '_')) ?? 'other';
};

/** Finish reasons that mean a failure: OpenRouter and Mistral, Zhipu, DeepSeek, routers to Gemini and Bedrock. */
const FAILED: ReadonlySet<unknown> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'malformed_function_call',
  'malformed_model_output',
  'malformed_tool_use',
]);

/** The error for such a finish reason; undefined if there is none. Callers of this format get the reason unchanged. */
export const readFailure = (choice: Fields): AppError | undefined => {
  const word = choice['finish_reason'];
  if (!FAILED.has(word)) return undefined;
  const cause = textOf(fieldsOf(choice['error'])['message']);
  const message = `the model ended without an answer (${wordOf(word)})${cause === undefined ? '' : `: ${redact(cause)}`}`;
  return new AppError('upstream_failed', message, {
    reason: 'malformed_answer',
    upstream: { status: 0, type: wordOf(word), message },
  });
};

/** Writes a finish reason; OpenAI's format has none for a refusal, a pause or anything else. */
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
