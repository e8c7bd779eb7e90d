import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { freeTextTools } from '../../openai/tools/free-text.ts';
import type { Fields } from '#core/json/fields.ts';
import { usesFunctions } from '../legacy-functions.ts';

/** The format of tool calls in a response, which depends on the caller's request. */
export interface CallForm {
  /** The legacy format before `tools`: one `function_call` per answer, without an id. */
  readonly isLegacy: boolean;
  isFreeText(event: Extract<ChatEvent, { type: 'tool-call-start' }>): boolean;
}

/** The format of tool calls that this request reads; the present one without a request. */
export const callFormOf = (asked: ChatRequest | undefined): CallForm => {
  const names = freeTextTools(asked);
  return {
    isLegacy: usesFunctions(asked?.extras['openai-chat']),
    isFreeText: ({ isFreeText, name }) => isFreeText === true || names.has(name),
  };
};

/** The end of an answer in the legacy format. */
export const asLegacyFinish = (fields: Fields, reason: FinishReason): Fields =>
  reason === 'tool-calls' ? { ...fields, finish_reason: 'function_call' } : fields;
