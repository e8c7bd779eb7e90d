import type { Addressed } from './provider.ts';

type Body = Readonly<Record<string, unknown>>;

/** Whether a body is a chat in OpenAI's own format. */
export const isChat = ({ operation, dialect = 'openai-chat' }: Addressed): boolean =>
  operation === 'chat' && dialect === 'openai-chat';

/** OpenAI's reasoning models refuse `max_tokens`; the newer name means the same to them. */
export const adjustForReasoningModels = (body: Body, call: Addressed): Body => {
  if (
    call.operation !== 'chat' ||
    call.dialect === 'openai-responses' ||
    !/^(?:o[1-9]|gpt-[5-9])/.test(call.model)
  )
    return body;
  const { max_tokens: most, ...rest } = body;
  if (most === undefined || most === null) return body;
  return { ...rest, max_completion_tokens: body['max_completion_tokens'] ?? most };
};

/**
 * Most look-alikes know neither the role `developer` nor `max_completion_tokens`: they refuse the one and overlook the
 * other, which would let an answer grow past its hold.
 */
export const adjustForLookAlikes = (body: Body, call: Addressed): Body =>
  call.operation === 'chat' ? withOlderLimit(withoutDeveloper(body)) : body;

/** For those that know the newer limit but not the role. */
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
