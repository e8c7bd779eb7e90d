import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { freeTextTools } from '../openai/free-text.ts';
import type { Fields } from '../openai/fields.ts';
import { speaksOfFunctions } from './functions.ts';

/** In which of its forms a reply of this format is to tell calls, by what its caller has asked. */
export interface AskedForm {
  /** Calls as they were before tools: one to an answer, without an id. */
  readonly isOld: boolean;
  isFreeText(event: Extract<ChatEvent, { type: 'tool-call-start' }>): boolean;
}

export const askedForm = (asked: ChatRequest | undefined): AskedForm => {
  const names = freeTextTools(asked);
  return {
    isOld: speaksOfFunctions(asked?.extras['openai-chat']),
    isFreeText: ({ isFreeText, name }) => isFreeText === true || names.has(name),
  };
};

/** The end of an answer in the old form. */
export const asOldFinish = (fields: Fields, reason: FinishReason): Fields =>
  reason === 'tool-calls' ? { ...fields, finish_reason: 'function_call' } : fields;
