import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../../dialects/openai-responses/openai-responses.ts';
import type { UpstreamCall } from '../../../dialects/upstream.ts';
import { withoutReasoning } from './earlier-reasoning.ts';

type Body = Readonly<Record<string, unknown>>;

/** Whether a chat is sent in OpenAI's own format. */
export const isOpenaiChat = ({ dialect = openaiChat.name }: UpstreamCall): boolean =>
  dialect === openaiChat.name;

/** OpenAI's reasoning models refuse `max_tokens`; `max_completion_tokens` means the same. */
const withNewerLimit = (body: Body, { dialect, model }: UpstreamCall): Body => {
  if (dialect === openaiResponses.name || !/^(?:o[1-9]|gpt-[5-9])/.test(model)) return body;
  const { max_tokens: most, ...rest } = body;
  if (most === undefined || most === null) return body;
  return { ...rest, max_completion_tokens: body['max_completion_tokens'] ?? most };
};

/** OpenAI's models before gpt-4o refuse messages with unknown fields (openai-node, issue 1161). */
const STRICT = /^gpt-(?:3|4(?![.\do]))/;

/** Removes or renames what OpenAI's own models refuse in a chat, by model name. */
export const forOpenaiModels = (body: Body, call: UpstreamCall): Body =>
  withNewerLimit(isOpenaiChat(call) && STRICT.test(call.model) ? withoutReasoning(body) : body, call);

/**
 * Most look-alikes know neither the role `developer` nor `max_completion_tokens`. They refuse the role, and they ignore
 * the limit, so that an answer could cost more than its hold.
 */
export const forLookAlikes = (body: Body): Body => withOlderLimit(withoutDeveloper(body));

/** For providers that know `max_completion_tokens` but not the role `developer`. */
export const withoutDeveloper = (body: Body): Body => {
  const messages = body['messages'];
  if (!Array.isArray(messages) || !messages.some(isDeveloper)) return body;
  return {
    ...body,
    messages: messages.map((message: unknown) =>
      isDeveloper(message) ? { ...message, role: 'system' } : message,
    ),
  };
};

const withOlderLimit = (body: Body): Body => {
  const { max_completion_tokens: most, ...rest } = body;
  return most === undefined || most === null ? body : { ...rest, max_tokens: most };
};

const isDeveloper = (message: unknown): message is Body =>
  typeof message === 'object' && message !== null && 'role' in message && message.role === 'developer';
