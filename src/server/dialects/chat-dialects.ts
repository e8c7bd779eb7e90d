import type { DialectName } from '#core/chat/request.ts';
import { anthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import type { Dialect } from './dialect.ts';
import { openaiChat } from './openai-chat/openai-chat.ts';

/** The formats a caller may speak in a chat. */
export const chatDialects: Readonly<Partial<Record<DialectName, Dialect>>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
};
