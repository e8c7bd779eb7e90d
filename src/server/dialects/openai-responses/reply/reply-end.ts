import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { AppError } from '#core/error.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '#core/json/fields.ts';
import { CALLER_MISTAKES } from '../../upstream-status.ts';

/**
 * The items of a whole response. Some upstreams send only `output_text`, which OpenAI's own clients add up from the items.
 */
export const outputOf = (response: Fields): readonly unknown[] => {
  const items = listOf(response['output']);
  const text = textOf(response['output_text']);
  if (items.length > 0 || text === undefined) return items;
  return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];
};

/** The finish reason, from the response's status and items; undefined while it is unfinished, or when it failed. */
export const readReplyEnd = (response: Fields): FinishReason | undefined => {
  switch (response['status']) {
    case 'completed':
      return readCompletedEnd(listOf(response['output']).filter(isFields));
    case 'incomplete':
      return readIncompleteEnd(fieldsOf(response['incomplete_details'])['reason']);
    case 'cancelled':
      return 'other';
    default:
      return undefined;
  }
};

const readCompletedEnd = (items: readonly Fields[]): FinishReason => {
  // The upstream has answered other calls itself, such as xAI's searches.
  if (items.some(({ type }) => type === 'function_call' || type === 'custom_tool_call')) return 'tool-calls';
  const parts = items.flatMap((item) => listOf(item['content'])).map(fieldsOf);
  const refused = parts.some((part) => part['type'] === 'refusal');
  return refused && !parts.some((part) => part['type'] === 'output_text') ? 'refusal' : 'stop';
};

/** An answer that was cut is incomplete, for whatever reason; without a stop reason a caller would take it for complete. */
const readIncompleteEnd = (reason: unknown): FinishReason =>
  reason === 'content_filter' ? 'content-filter' : 'length';

const PLAIN: ReadonlySet<unknown> = new Set(['max_output_tokens', 'max_tokens', 'content_filter']);

/** The `incomplete_details` of a response, if our reason for its end does not say as much. */
export const keptDetails = ({ incomplete_details: details }: Fields): Fields | undefined =>
  isFields(details) && !PLAIN.has(details['reason']) ? { incomplete_details: details } : undefined;

/**
 * The code of a failed response, from the format's closed list, by which Codex decides whether to retry. For a
 * mistake of the caller, the upstream's own code is on that list.
 */
export const failureCode = ({ code, upstream }: AppError): string => {
  if (code === 'rate_limited') return 'rate_limit_exceeded';
  if (!CALLER_MISTAKES.has(code)) return 'server_error';
  return upstream?.code !== undefined && WORD.test(upstream.code) ? upstream.code : 'invalid_prompt';
};

/** Google's codes are statuses in capitals, and numbers. */
const WORD = /^[a-z][a-z_]*$/;

type Finish = Extract<ChatEvent, { type: 'finish' }>;

/** The status of a finished response that we write. */
export const endStatus = (finish: Finish | undefined): 'completed' | 'incomplete' =>
  finish !== undefined && writeIncomplete(finish) !== undefined ? 'incomplete' : 'completed';

/** The `incomplete_details` of an incomplete response. */
export const writeIncomplete = (finish: Finish | undefined): unknown => {
  const kept = finish?.extras?.['openai-responses']?.['incomplete_details'];
  if (kept !== undefined) return kept;
  if (finish?.reason === 'length') return { reason: 'max_output_tokens' };
  return finish?.reason === 'content-filter' ? { reason: 'content_filter' } : undefined;
};
