import type { ChatFormat } from './chat-format.ts';
import { field, first, text } from './json-fields.ts';

/** Why a reply is not whole: at the limit of tokens, by a filter of its content, or without the mark of its end. */
export const CUTS = ['length', 'filter', 'broken'] as const;
export type Cut = (typeof CUTS)[number];

export type Ending = 'whole' | Cut;

/** The reasons of each format that cut a reply. */
const cuts: Readonly<Record<string, Cut>> = {
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  MAX_TOKENS: 'length',
  content_filter: 'filter',
  refusal: 'filter',
  SAFETY: 'filter',
  RECITATION: 'filter',
  LANGUAGE: 'filter',
  BLOCKLIST: 'filter',
  PROHIBITED_CONTENT: 'filter',
  SPII: 'filter',
  IMAGE_SAFETY: 'filter',
  IMAGE_PROHIBITED_CONTENT: 'filter',
  IMAGE_RECITATION: 'filter',
  OTHER: 'broken',
  MALFORMED_FUNCTION_CALL: 'broken',
};

const byReason = (reason: unknown): Ending | undefined => {
  const word = text(reason);
  return word === '' ? undefined : (cuts[word] ?? 'whole');
};

/** How an event says that the reply ends; undefined if it does not. */
export const endingOf = (format: ChatFormat, event: unknown): Ending | undefined => {
  switch (format) {
    case 'openai-chat':
      return byReason(field(first(field(event, 'choices')), 'finish_reason'));
    case 'openai-responses':
      if (field(event, 'type') === 'response.completed') return 'whole';
      if (field(event, 'type') !== 'response.incomplete') return undefined;
      return cuts[text(field(event, 'response', 'incomplete_details', 'reason'))] ?? 'broken';
    case 'anthropic-messages':
      return field(event, 'type') === 'message_stop'
        ? 'whole'
        : byReason(field(event, 'delta', 'stop_reason'));
    case 'gemini':
      return byReason(field(first(field(event, 'candidates')), 'finishReason'));
  }
};
