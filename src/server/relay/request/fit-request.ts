import { withCallsAnswered } from '#core/chat/answered-calls.ts';
import { withFittedNames } from '#core/chat/fitted-names.ts';
import { shortHash } from '#core/chat/short-hash.ts';
import { requireFewStops, requireWrittenInstructions } from '#core/chat/require-supported.ts';
import type { ChatRequest, Message } from '#core/chat/request.ts';
import { withUniqueCalls } from '#core/chat/unique-calls.ts';
import { withWholeSchemas } from '#core/chat/whole-schema.ts';
import { withoutEmpties } from '#core/chat/without-empties.ts';
import { AppError } from '#core/error.ts';
import type { Egress } from '../../dialects/dialect.ts';
import { plainNames } from '../../dialects/name-rules.ts';
import { takesBeginnings } from '../../dialects/anthropic-messages/claude-models.ts';

/** Formats whose upstreams refuse a prompt without content. */
const WANTS_WORDS: ReadonlySet<string> = new Set(['anthropic-messages', 'gemini']);

/** Whether a message would be empty: thoughts of another model do not count, because they are not sent. */
const isSilent = ({ content }: Message, name: string): boolean =>
  content.length === 0
    ? WANTS_WORDS.has(name)
    : name !== 'openai-chat' && content.every(({ type }) => type === 'reasoning');

/**
 * Adapts a request to another format: drops empty messages and fixes names. Throws `invalid_request` if nothing is
 * left, and for more stop sequences than an answer can be searched for.
 */
export const fitRequest = (
  request: ChatRequest,
  egress: Pick<Egress, 'name' | 'names' | 'hasNoStops' | 'mostStops' | 'refusesBlankStops'>,
): ChatRequest => {
  const { name, names = plainNames } = egress;
  requireWrittenInstructions(request.messages, name);
  const named = withUniqueCalls(withFittedNames(withoutEmpties(request, name), names));
  const fitted = within(name === 'openai-responses' ? named : withCallsAnswered(named), egress);
  if (fitted.messages.every((message) => isSilent(message, name)))
    throw new AppError('invalid_request', "'messages': the prompt is empty, which this model does not take", {
      param: 'messages',
    });
  if (name === 'anthropic-messages') return withEnding(fitted);
  return name === 'gemini' ? withBeginning(withQuestion(fitted)) : withWholeSchemas(fitted);
};

/** The longest end-user id that a format accepts; formats not listed accept any. */
const LONGEST_USER: Readonly<Record<string, number>> = {
  'openai-chat': 64,
  'openai-responses': 64,
  'anthropic-messages': 256,
};

/**
 * Limits numbers and names to what the format accepts. In some callers' formats 0 tokens means no limit, but here it
 * would be refused.
 */
const within = (
  request: ChatRequest,
  {
    name,
    hasNoStops,
    mostStops,
    refusesBlankStops,
  }: Pick<Egress, 'name' | 'hasNoStops' | 'mostStops' | 'refusesBlankStops'>,
): ChatRequest => {
  const { endUser, maxOutputTokens, stop, ...rest } = request;
  const longest = LONGEST_USER[name] ?? Infinity;
  // The rest is replaced by its hash, which keeps apart users whose ids begin alike.
  const user =
    endUser !== undefined && endUser.length > longest
      ? `${endUser.slice(0, longest - 17)}_${shortHash(endUser)}`
      : endUser;
  // Stop sequences that the upstream does not accept are searched for in the answer.
  const upstreamStops = (stop ?? [])
    .filter((text) => refusesBlankStops !== true || text.trim() !== '')
    .slice(0, mostStops?.(request.model));
  if (hasNoStops === true || upstreamStops.length < (stop?.length ?? 0)) requireFewStops(request);
  return {
    ...rest,
    ...(user !== undefined && { endUser: user }),
    ...(maxOutputTokens !== undefined && maxOutputTokens > 0 && { maxOutputTokens }),
    ...(upstreamStops.length > 0 && { stop: upstreamStops }),
  };
};

/** A conversation needs a user message: instructions alone are sent as one. */
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

/** Added if a model cannot continue its own answer: this is what such a caller means. */
const GO_ON = 'Continue.';

/**
 * Makes a conversation that ends with the model's turn acceptable to Anthropic: no trailing white space, and a user
 * message added for models that refuse to continue it.
 */
const withEnding = (request: ChatRequest): ChatRequest => {
  const messages = withoutSpaceAtEnd(request.messages);
  const isBegun = messages.findLast(isSpoken)?.role === 'assistant';
  if (isBegun && !takesBeginnings(request.model))
    return {
      ...request,
      messages: [...messages, { role: 'user', content: [{ type: 'text', text: GO_ON }] }],
    };
  return messages === request.messages ? request : { ...request, messages };
};

const isSpoken = ({ role }: Message): boolean => role !== 'system' && role !== 'developer';

const withoutSpaceAtEnd = (messages: readonly Message[]): readonly Message[] => {
  const at = messages.findLastIndex(isSpoken);
  const last = messages[at];
  const part = last?.content.at(-1);
  if (last?.role !== 'assistant') return messages;
  // A trailing thought of another model is not sent.
  const isForeign = part?.type === 'reasoning' && part.signatureFrom !== 'anthropic-messages';
  if (part?.type !== 'text' && !isForeign) return messages;
  const text = part.type === 'text' ? part.text.trimEnd() : '';
  if (text === part.text && text !== '') return messages;
  const before = last.content.slice(0, -1);
  if (text !== '') return messages.with(at, { ...last, content: [...before, { ...part, text }] });
  return withoutSpaceAtEnd(
    before.length > 0 ? messages.with(at, { ...last, content: before }) : messages.toSpliced(at, 1),
  );
};

/** Added if a conversation was cut at its beginning, because Google requires a user turn before the first call. */
const BEGIN = 'Begin.';

/** Makes a conversation acceptable to Google: a model turn that calls a function must follow a user turn. */
const withBeginning = (request: ChatRequest): ChatRequest => {
  // An empty user message does not count.
  const first = request.messages.findIndex((message) => isSpoken(message) && message.content.length > 0);
  // Instructions leave the conversation here: the answers around them become one turn.
  const messages = request.messages.slice(first).filter(isSpoken);
  const turn = messages.slice(
    0,
    messages.findIndex(({ role }) => role !== 'assistant'),
  );
  const isCalling = turn.some(({ content }) => content.some(({ type }) => type === 'tool-call'));
  if (first === -1 || !isCalling) return request;
  const begin: Message = { role: 'user', content: [{ type: 'text', text: BEGIN }] };
  return { ...request, messages: request.messages.toSpliced(first, 0, begin) };
};
