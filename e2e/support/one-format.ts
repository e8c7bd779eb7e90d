import type { DialectName } from '../../src/server/core/chat/request.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { anthropic } from '../../src/server/providers/anthropic/anthropic.ts';
import { withoutTopK } from '../../src/server/providers/shared/chat/openai-chat-with.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';

/** The four chat formats. */
export const formats = Object.keys(chatDialects) as DialectName[];

/** The path of a chat in each format. */
export const chatPaths: Readonly<Record<DialectName, (model: string, stream: boolean) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  'anthropic-messages': () => '/v1/messages',
  gemini: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
};

/**
 * The channel type whose upstream speaks only this format in the rig. The server's own provider of that number speaks it
 * too, because threads that read large answers know only the real providers.
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
 * The upstream of such a type. Streams go to the channel's address with `/stream` at the end, because Gemini's body does
 * not say that it wants a stream. The request is adjusted as by the real provider: Messages always have a token limit, and
 * OpenAI gets no `top_k`.
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
