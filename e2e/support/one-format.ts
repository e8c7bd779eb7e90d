import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { anthropic } from '../../src/server/providers/anthropic/anthropic.ts';
import { withoutTopK } from '../../src/server/providers/shared/chat/openai-chat-with.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';

/** The four chat formats. */
export const formats = Object.keys(chatDialects) as DialectName[];

/** Where the chats of each format go. */
export const chatPaths: Readonly<Record<DialectName, (model: string, stream: boolean) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  'anthropic-messages': () => '/v1/messages',
  gemini: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
};

/**
 * A channel type of a rig whose upstream speaks this format and nothing else. The server's type of that number speaks it
 * too: threads that hear large answers know only those.
 */
const types: Readonly<Record<DialectName, number>> = {
  'openai-chat': 1,
  'openai-responses': 27,
  'anthropic-messages': 14,
  gemini: 11,
};
export const typeOfFormat = (format: DialectName): number => types[format];
export const formatOfType = (type: number): DialectName | undefined =>
  formats.find((format) => types[format] === type);

/**
 * The upstream of such a type. Its address is the channel's, with `/stream` at its end for streams: one of the formats
 * says that nowhere in the body. It is sent what the provider of its maker sends: Messages have a limit always, and OpenAI
 * is told no `top_k`.
 */
export const oneFormatUpstream = (type: number): Upstream | undefined => {
  const format = formatOfType(type);
  if (format === undefined) return undefined;
  return {
    dialect: format === 'openai-chat' ? withoutTopK(chatDialects[format]) : chatDialects[format],
    offers: { chat: (format === 'anthropic-messages' && anthropic.offers.chat) || {} },
    address: ({ baseUrl }, { stream }) => ({ url: baseUrl + (stream ? '/stream' : ''), headers: {} }),
  };
};
