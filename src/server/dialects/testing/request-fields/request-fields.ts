import type { DialectName } from '#core/chat/request.ts';
import { chatFields } from './chat-fields.ts';
import type { RequestField } from './field.ts';
import { geminiFields } from './gemini-fields.ts';
import { messagesFields } from './messages-fields.ts';
import { responsesFields } from './responses-fields.ts';

/** Every request field of each format, by its path. */
export const requestFields: Readonly<Record<DialectName, Readonly<Record<string, RequestField>>>> = {
  'openai-chat': chatFields,
  'openai-responses': responsesFields,
  'anthropic-messages': messagesFields,
  gemini: geminiFields,
};
