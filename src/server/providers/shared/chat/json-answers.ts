import { withFormatInWords } from '#core/chat/format-in-words.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { Egress } from '../../../dialects/dialect.ts';

const mentionsJson = ({ messages }: ChatRequest): boolean =>
  messages.some(({ content }) => content.some((part) => part.type === 'text' && /json/i.test(part.text)));

/**
 * Several providers refuse JSON mode unless a message contains the word "JSON" (developers.openai.com/api/docs, JSON mode;
 * api-docs.deepseek.com, JSON output; help.aliyun.com/zh/model-studio/json-mode). Other formats have no such rule, so the
 * word is added for their callers.
 */
export const mentioningJson = (request: ChatRequest): ChatRequest =>
  request.responseFormat?.type === 'json' && !mentionsJson(request) ? withFormatInWords(request) : request;

/** A chat format whose requests for JSON always contain the word. */
export const withJsonMentioned = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) => chat.writeRequest(mentioningJson(request)),
});

/** The same for providers that have JSON mode but no JSON Schema: the schema is described in the prompt. */
export const schemasInWords = (chat: Egress): Egress => ({
  ...chat,
  writeRequest: (request) =>
    request.responseFormat?.type === 'json-schema'
      ? chat.writeRequest({ ...withFormatInWords(request), responseFormat: { type: 'json' } })
      : chat.writeRequest(mentioningJson(request)),
});
