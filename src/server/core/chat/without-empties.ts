import type { ChatRequest, ContentPart, Extras, Message } from './request.ts';

/**
 * The request without empty parts, which callers send and upstreams refuse: empty lists, empty texts, a tool choice
 * without tools. A part with a value for upstreams of `dialect`, such as a signature, stays.
 */
export const withoutEmpties = (request: ChatRequest, dialect: string): ChatRequest => {
  const { tools, toolChoice, parallelToolCalls, stop, ...rest } = request;
  const stops = stop?.filter((text) => text !== '') ?? [];
  const hasTools = (tools?.length ?? 0) > 0;
  const keepsChoice = hasTools || hasOwnTools(request.extras, dialect);
  return {
    ...rest,
    messages: withContent(request.messages, dialect),
    ...(hasTools && { tools }),
    ...(keepsChoice && toolChoice !== undefined && { toolChoice }),
    ...(keepsChoice && parallelToolCalls !== undefined && { parallelToolCalls }),
    ...(stops.length > 0 && { stop: stops }),
  };
};

/** Tools that only one format knows are in `extras`, not in `tools`. */
const hasOwnTools = (extras: Extras, dialect: string): boolean => {
  const own = extrasOf(extras, dialect)['tools'];
  return Array.isArray(own) && own.length > 0;
};

/** Drops empty messages; empty user messages stay if the request would be empty otherwise. */
const withContent = (messages: readonly Message[], dialect: string): readonly Message[] => {
  const isWhole = messages.every(({ role, content }) => role === 'user' || content.length > 0);
  if (isWhole && messages.every(({ content }) => content.every((part) => saysSomething(part, dialect))))
    return messages;
  const trimmedMessages = messages
    .map((message) => ({ ...message, content: message.content.flatMap((part) => trimmed(part, dialect)) }))
    .filter(({ role, content }) => role === 'user' || content.length > 0);
  return trimmedMessages.some(({ content }) => content.length > 0)
    ? trimmedMessages.filter(({ content }) => content.length > 0)
    : trimmedMessages;
};

const trimmed = (part: ContentPart, dialect: string): ContentPart[] => {
  if (!saysSomething(part, dialect) && part.type !== 'tool-result') return [];
  return part.type === 'tool-result'
    ? [{ ...part, content: part.content.filter((inner) => saysSomething(inner, dialect)) }]
    : [part];
};

const saysSomething = (part: ContentPart, dialect: string): boolean => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text !== '' || holdsMore(part, dialect);
    case 'reasoning':
      return (
        part.text !== '' ||
        part.signature !== undefined ||
        part.redacted !== undefined ||
        holdsMore(part, dialect)
      );
    case 'tool-result':
      return part.content.every((inner) => saysSomething(inner, dialect));
    default:
      return true;
  }
};

/** A cache mark alone does not make a part worth keeping. */
const holdsMore = ({ extras }: ContentPart, dialect: string): boolean =>
  Object.keys(extrasOf(extras ?? {}, dialect)).some((key) => key !== 'cache_control');

const extrasOf = (extras: Extras, dialect: string): Readonly<Record<string, unknown>> =>
  Object.entries(extras).find(([name]) => name === dialect)?.[1] ?? {};
