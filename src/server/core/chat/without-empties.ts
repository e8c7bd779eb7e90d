import { onlyFormatOf } from './only-format.ts';
import type { ChatRequest, ContentPart, Extras, Message } from './request.ts';

/**
 * The request without empty parts, which callers send and upstreams refuse: empty lists, empty texts, a tool choice
 * without tools. A part with a value for upstreams of `dialect`, such as a signature, stays. So does content of a user,
 * a tool or the instructions that only another format can express: it is refused by name when it is written (`requireSupportedParts`).
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
  const keeps = ({ role, content }: Message): boolean => content.every((part) => says(part, role, dialect));
  if (isWhole && messages.every(keeps)) return messages;
  const trimmedMessages = messages
    .map((message) => ({
      ...message,
      content: message.content.flatMap((part) => trimmed(part, message.role, dialect)),
    }))
    .filter(({ role, content }) => role === 'user' || content.length > 0);
  return trimmedMessages.some(({ content }) => content.length > 0)
    ? trimmedMessages.filter(({ content }) => content.length > 0)
    : trimmedMessages;
};

type Role = Message['role'];

const trimmed = (part: ContentPart, role: Role, dialect: string): ContentPart[] => {
  if (part.type !== 'tool-result') return says(part, role, dialect) ? [part] : [];
  return [{ ...part, content: part.content.filter((inner) => says(inner, role, dialect)) }];
};

const says = (part: ContentPart, role: Role, dialect: string): boolean => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return hasWords(part.text, dialect) || holdsMore(part, dialect) || isOfAnotherFormat(part, role);
    case 'reasoning':
      return (
        part.text !== '' ||
        part.signature !== undefined ||
        part.redacted !== undefined ||
        holdsMore(part, dialect)
      );
    case 'tool-result':
      return part.content.every((inner) => says(inner, role, dialect));
    default:
      return true;
  }
};

/** Anthropic also refuses texts of whitespace only: "text content blocks must contain non-whitespace text". */
const hasWords = (text: string, dialect: string): boolean =>
  dialect === 'anthropic-messages' ? /\S/.test(text) : text !== '';

/** Content of another format in an earlier answer may be dropped. */
const isOfAnotherFormat = ({ extras }: ContentPart, role: Role): boolean =>
  role !== 'assistant' && onlyFormatOf(extras) !== undefined;

/** A cache marker alone does not make a part worth keeping. */
const holdsMore = ({ extras }: ContentPart, dialect: string): boolean =>
  Object.keys(extrasOf(extras ?? {}, dialect)).some((key) => key !== 'cache_control');

const extrasOf = (extras: Extras, dialect: string): Readonly<Record<string, unknown>> =>
  Object.entries(extras).find(([name]) => name === dialect)?.[1] ?? {};
