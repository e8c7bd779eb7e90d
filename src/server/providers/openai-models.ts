import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import type { Egress } from '../dialects/dialect.ts';
import { openaiChat } from '../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../dialects/openai-responses/openai-responses.ts';
import { speakingOfJson } from './json-answers.ts';
import { withoutTopK } from './openai-layout.ts';

/**
 * What OpenAI's own models take of callers of other formats, by their names (developers.openai.com/api/docs: models,
 * reasoning, latest model; API reference of Responses; as of November 2026). Other names say nothing.
 */

type Effort = NonNullable<Reasoning['effort']>;

const ONLY_AT_RESPONSES = /^(?:gpt-\d(?:\.\d+)?-(?:codex|pro)|codex-|o\d-pro|o\d(?:-mini)?-deep-research)/;
/** Their chats refuse tools beside thinking. */
const THINKS_AT_RESPONSES = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/;
/** Those that do not think, and refuse to be told how hard to. */
const NEVER_REASONS = /^(?:gpt-[34]|chatgpt-|gpt-5.*-chat)/;
const REASONS = /^(?:o[1-9]|gpt-[5-9])(?!.*-chat)/;

/** The least that an answer can be limited to there. */
const LEAST_OUTPUT_TOKENS = 16;

const IN_ORDER: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The efforts a model knows, first those that know the fewest. */
const KNOWN: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5(?!\.)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.[2-5]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-(?:6-astra|6\.1-sol)/, ['low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
];

/** The nearest effort that a model knows: the least that is not less, else its most. */
const nearest = (model: string, effort: Effort): Effort => {
  const known = KNOWN.find(([shape]) => shape.test(model))?.[1] ?? IN_ORDER;
  const wanted = IN_ORDER.indexOf(effort);
  return known.find((word) => IN_ORDER.indexOf(word) >= wanted) ?? known.at(-1) ?? effort;
};

/** What only colours an answer is left out where it is refused, and an effort becomes one that is known. */
const asTaken = (request: ChatRequest): ChatRequest => {
  const { model, reasoning } = request;
  if (NEVER_REASONS.test(model)) {
    const { reasoning: _, ...plain } = request;
    return plain;
  }
  if (!REASONS.test(model)) return request;
  const { temperature: _, topP: _topP, presencePenalty: _p, frequencyPenalty: _f, ...rest } = request;
  const effort = reasoning?.effort === undefined ? undefined : nearest(model, reasoning.effort);
  return {
    ...(effort === 'none' ? request : rest),
    ...(reasoning !== undefined && effort !== undefined && { reasoning: { ...reasoning, effort } }),
  };
};

const plainChat = withoutTopK(openaiChat);

/** OpenAI's chats, written for its own models. */
export const chatAtOpenai: Egress = {
  ...plainChat,
  // Models that think refuse stop sequences.
  mostStops: (model) => (REASONS.test(model) ? 0 : 4),
  writeRequest: (request) => plainChat.writeRequest(asTaken(speakingOfJson(request))),
};

const responsesAtOpenai: Egress = {
  ...openaiResponses,
  writeRequest: (request) => {
    const { maxOutputTokens: most } = request;
    const limit = most === undefined ? {} : { maxOutputTokens: Math.max(most, LEAST_OUTPUT_TOKENS) };
    return openaiResponses.writeRequest({ ...asTaken(speakingOfJson(request)), ...limit });
  },
};

/** Responses for models that have nothing else, and for callers of other formats where chats lack tools. */
export const betterAtOpenai = (model: string, caller: string): Egress | undefined => {
  if (caller === openaiResponses.name) return undefined;
  const isBetter =
    ONLY_AT_RESPONSES.test(model) || (caller !== openaiChat.name && THINKS_AT_RESPONSES.test(model));
  return isBetter ? responsesAtOpenai : undefined;
};
