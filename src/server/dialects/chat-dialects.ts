import type { DialectName } from '#core/chat/request.ts';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { gemini } from './gemini/gemini.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';
import { openaiResponses } from './openai-responses/openai-responses.ts';

/** The formats a caller may speak in a chat. */
export const chatDialects: Readonly<Record<DialectName, Dialect>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  gemini,
};
