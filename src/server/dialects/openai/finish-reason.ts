import type { FinishReason } from '#core/chat/event.ts';

const WORDS: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
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
