import type { ChatRequest, ContentPart, Message } from './request.ts';

type Result = Extract<ContentPart, { type: 'tool-result' }>;

const isResult = (part: ContentPart): part is Result => part.type === 'tool-result';
const holdsResult = ({ content }: Message): boolean => content.some(isResult);

/**
 * Moves the results of each message's calls directly behind it, and what stood between them behind the results.
 * Responses accepts any order, because a user may say something while a tool runs; the other formats do not. The ids
 * of calls must be unique.
 */
export const withCallsAnswered = (request: ChatRequest): ChatRequest => {
  const { messages } = request;
  const results = placesOfResults(messages);
  if (results.size === 0) return request;
  const moved = new Set<ContentPart>();
  const ordered: Message[] = [];
  for (let at = 0; at < messages.length;) {
    const [message, next] = [messages[at], endOfTurn(messages, at)];
    for (const one of messages.slice(at, next)) ordered.push(...without(moved, one));
    const late = callsIn(message).flatMap((id) => {
      const result = results.get(id);
      return result === undefined || result.at < next ? [] : [result.part];
    });
    for (const part of late) {
      moved.add(part);
      ordered.push({ role: 'tool', content: [part] });
    }
    at = next;
  }
  return moved.size === 0 ? request : { ...request, messages: ordered };
};

/** The first result of each call, and the message it is in. */
const placesOfResults = (messages: readonly Message[]) => {
  const results = new Map<string, { readonly part: Result; readonly at: number }>();
  for (const [at, { content }] of messages.entries())
    for (const part of content)
      if (isResult(part) && !results.has(part.callId)) results.set(part.callId, { part, at });
  return results;
};

/** The place after a message and the results that follow it directly. */
const endOfTurn = (messages: readonly Message[], at: number): number => {
  let next = at + 1;
  for (let after = messages[next]; after !== undefined && holdsResult(after); after = messages[next])
    next += 1;
  return next;
};

const callsIn = (message: Message | undefined): string[] =>
  (message?.content ?? []).flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));

/** The message without what was moved; nothing if that was all of it. */
const without = (moved: ReadonlySet<ContentPart>, message: Message): Message[] => {
  if (moved.size === 0 || !message.content.some((part) => moved.has(part))) return [message];
  const content = message.content.filter((part) => !moved.has(part));
  return content.length === 0 ? [] : [{ ...message, content }];
};
