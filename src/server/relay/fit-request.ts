import { withFittedNames } from '#core/chat/fitted-names.ts';
import { shortHash } from '#core/chat/short-hash.ts';
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
  { name, names = plainNames, mostStops }: Pick<Egress, 'name' | 'names' | 'mostStops'>,
): ChatRequest => {
  const fitted = within(withFittedNames(withoutEmpties(request, name), names), { name, mostStops });
  if (WANTS_WORDS.has(name) && fitted.messages.every(({ content }) => content.length === 0))
    throw new AppError(
      'invalid_request',
      "'messages': nothing is said in them, and this model takes no empty prompt",
      { param: 'messages' },
    );
  return name === 'gemini' ? withQuestion(fitted) : fitted;
};

/** How long the name of an end user may be; the others take any. */
const LONGEST_USER: Readonly<Record<string, number>> = {
  'openai-chat': 64,
  'openai-responses': 64,
  'anthropic-messages': 256,
};

/** Numbers and names as large as they may be; 0 tokens are no limit where a caller's format says so, and refused here. */
const within = (
  request: ChatRequest,
  { name, mostStops }: Pick<Egress, 'name' | 'mostStops'>,
): ChatRequest => {
  const { endUser, maxOutputTokens, stop, ...rest } = request;
  const longest = LONGEST_USER[name] ?? Infinity;
  // A hash of the rest tells users apart whose names begin alike.
  const user =
    endUser !== undefined && endUser.length > longest
      ? `${endUser.slice(0, longest - 17)}_${shortHash(endUser)}`
      : endUser;
  return {
    ...rest,
    ...(user !== undefined && { endUser: user }),
    ...(maxOutputTokens !== undefined && maxOutputTokens > 0 && { maxOutputTokens }),
    // What is more than these is looked for in the answer.
    ...(stop !== undefined && { stop: stop.slice(0, mostStops?.(request.model) ?? stop.length) }),
  };
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
