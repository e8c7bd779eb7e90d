import { withFormatInWords } from '#core/chat/format-in-words.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Egress } from '../dialects/dialect.ts';

const speaksOfJson = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => content.some((part) => part.type === 'text' && /json/i.test(part.text)));

/**
 * An answer in JSON is refused to those of whose messages none has that word (developers.openai.com/api/docs, JSON mode;
 * api-docs.deepseek.com, JSON output; help.aliyun.com/zh/model-studio/json-mode), which callers of other formats need not
 * write.
 */
export const speakingOfJson = (request: ChatRequest): ChatRequest =>
  request.responseFormat?.type === 'json' && !speaksOfJson(request) ? withFormatInWords(request) : request;

/** OpenAI's chat for callers of other formats: with a word of the JSON they want. */
export const namingJson = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) => chat.writeRequest(speakingOfJson(request)),
});

/** The same where JSON is known and schemas are not: they are told in words. */
export const schemasInWords = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) =>
    request.responseFormat?.type === 'json-schema'
      ? chat.writeRequest({ ...withFormatInWords(request), responseFormat: { type: 'json' } })
      : chat.writeRequest(speakingOfJson(request)),
});
