import { withFittedNames } from '#core/chat/fitted-names.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { withoutEmpties } from '#core/chat/without-empties.ts';
import { AppError } from '#core/error.ts';
import type { Egress } from '../dialects/dialect.ts';
import { plainNames } from '../dialects/name-rules.ts';

/** Formats whose upstreams refuse a prompt in which nobody says anything. */
const WANTS_WORDS: ReadonlySet<string> = new Set(['anthropic-messages', 'gemini']);

/**
 * A request as an upstream of another format takes it: without what says nothing, and with names that fit. Throws
 * `invalid_request` where nothing is left to be said.
 */
export const fitRequest = (
  request: ChatRequest,
  { name, names = plainNames }: Pick<Egress, 'name' | 'names'>,
): ChatRequest => {
  const fitted = withFittedNames(withoutEmpties(request, name), names);
  if (WANTS_WORDS.has(name) && fitted.messages.every(({ content }) => content.length === 0))
    throw new AppError(
      'invalid_request',
      "'messages': nothing is said in them, and this model takes no empty prompt",
      { param: 'messages' },
    );
  return name === 'gemini' ? withQuestion(fitted) : fitted;
};

/** Somebody has to speak first: a caller who only gave instructions means them as the question. */
const withQuestion = (request: ChatRequest): ChatRequest => {
  const isAllInstruction = request.messages.every(
    ({ role, content }) => role === 'system' || role === 'developer' || content.length === 0,
  );
  if (!isAllInstruction) return request;
  return {
    ...request,
    messages: [{ role: 'user', content: request.messages.flatMap(({ content }) => content) }],
  };
};
