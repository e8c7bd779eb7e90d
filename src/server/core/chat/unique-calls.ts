import type { ChatRequest, ContentPart } from './request.ts';

/** The longest id that every format accepts. */
const LONGEST = 40;

/** For each id used again: the new ids of its calls that still wait for a result, oldest first. */
type Waiting = Map<string, string[]>;

/**
 * Gives every call, and its result, a unique id: some upstreams restart their numbering with every answer, and others
 * refuse two calls with one id. Returns the same object if no id is used twice.
 */
export const withUniqueCalls = (request: ChatRequest): ChatRequest => {
  const known = new Set<string>();
  const waiting: Waiting = new Map();
  let isSame = true;
  const own = (part: ContentPart): ContentPart => {
    if (part.type === 'tool-call') {
      const id = freeId(part.id, known);
      known.add(id);
      waiting.set(part.id, [...(waiting.get(part.id) ?? []), id]);
      if (id === part.id) return part;
      isSame = false;
      return { ...part, id };
    }
    if (part.type !== 'tool-result') return part;
    const callId = waiting.get(part.callId)?.shift() ?? part.callId;
    return callId === part.callId ? part : { ...part, callId };
  };
  const messages = request.messages.map((message) => ({ ...message, content: message.content.map(own) }));
  return isSame ? request : { ...request, messages };
};

/** The id; if it is already used, the id with a number added. */
export const freeId = (id: string, known: ReadonlySet<string>): string => {
  if (!known.has(id)) return id;
  for (let count = 2; ; count += 1) {
    const end = `_${String(count)}`;
    const next = id.slice(0, LONGEST - end.length) + end;
    if (!known.has(next)) return next;
  }
};
