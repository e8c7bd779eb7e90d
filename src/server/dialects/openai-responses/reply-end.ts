import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { fieldsOf, isFields, listOf, type Fields } from '#core/json/fields.ts';

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

const readIncompleteEnd = (reason: unknown): FinishReason => {
  if (reason === 'max_output_tokens' || reason === 'max_tokens') return 'length';
  return reason === 'content_filter' ? 'content-filter' : 'other';
};

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
