import { isObjectSchema, withFormatInWords } from '#core/chat/format-in-words.ts';
import type { ChatRequest, Reasoning } from '#core/chat/request.ts';
import { thinksOutOfSight } from '#core/chat/thinks-out-of-sight.ts';
import type { Egress } from '../../../dialects/dialect.ts';
import { openaiChat } from '../../../dialects/openai-chat/openai-chat.ts';
import { openaiResponses } from '../../../dialects/openai-responses/openai-responses.ts';
import { mentioningJson } from '../chat/json-answers.ts';
import { withoutTopK } from '../chat/openai-chat-with.ts';
import { picturesAsUsers } from '../chat/pictures-as-users.ts';

/**
 * Which fields and efforts OpenAI's own models accept from callers of other formats, by model name
 * (developers.openai.com/api/docs: models, reasoning, latest model; API reference of Responses; as of November 2026).
 * Requests for other names are not changed.
 */

type Effort = NonNullable<Reasoning['effort']>;

const ONLY_AT_RESPONSES = /^(?:gpt-\d(?:\.\d+)?-(?:codex|pro)|codex-|o\d-pro|o\d(?:-mini)?-deep-research)/;
/** Over the chat format these models refuse tools together with thinking. */
const THINKS_AT_RESPONSES = /^gpt-(?:5\.(?:[4-9]|\d\d)|[6-9])/;
/** Models that do not think, and refuse an effort. */
const NEVER_REASONS = /^(?:gpt-[34]|chatgpt-|gpt-5.*-chat)/;

/** Names of OpenAI's own models. */
const OPENAIS = /^(?:gpt-|chatgpt-|codex-|o\d)/;

/** The smallest output limit that Responses accepts. */
const LEAST_OUTPUT_TOKENS = 16;

const IN_ORDER: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The efforts a model accepts; the first pattern that matches counts. */
const KNOWN: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^o\d/, ['low', 'medium', 'high']],
  [/^gpt-5(?!\.)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.[2-5]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-(?:6-astra|6\.1-sol)/, ['low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
];

/** The lowest effort the model accepts that is not below the wanted one; else its highest. */
const nearest = (model: string, effort: Effort): Effort => {
  const known = KNOWN.find(([shape]) => shape.test(model))?.[1] ?? IN_ORDER;
  const wanted = IN_ORDER.indexOf(effort);
  return known.find((word) => IN_ORDER.indexOf(word) >= wanted) ?? known.at(-1) ?? effort;
};

/** Thinking that is switched off is an effort of `none` here. */
const effortIn = (reasoning: Reasoning | undefined): Effort | undefined => {
  const isOff =
    reasoning?.enabled === false || (reasoning?.budgetTokens === 0 && reasoning.enabled === undefined);
  return reasoning?.effort ?? (isOff ? 'none' : undefined);
};

/** These models accept only schemas of objects. Any other schema is described in the prompt. */
const withObjectSchema = (request: ChatRequest): ChatRequest => {
  const { responseFormat: format, model } = request;
  if (format?.type !== 'json-schema' || !OPENAIS.test(model) || isObjectSchema(format.schema)) return request;
  const { responseFormat: _, ...rest } = withFormatInWords(request);
  return rest;
};

/** Drops sampling fields where the model refuses them, and maps the effort to one that it accepts. */
const asAccepted = (request: ChatRequest): ChatRequest => {
  const { model, reasoning } = request;
  if (NEVER_REASONS.test(model)) {
    const { reasoning: _, ...plain } = request;
    return plain;
  }
  if (!thinksOutOfSight(model)) return request;
  const { temperature: _, topP: _topP, presencePenalty: _p, frequencyPenalty: _f, ...rest } = request;
  const wanted = effortIn(reasoning);
  const effort = wanted === undefined ? undefined : nearest(model, wanted);
  return {
    ...(effort === 'none' ? request : rest),
    ...(reasoning !== undefined && effort !== undefined && { reasoning: { ...reasoning, effort } }),
  };
};

const adapted = (request: ChatRequest): ChatRequest => asAccepted(mentioningJson(withObjectSchema(request)));

const withPicturesShown = (request: ChatRequest): ChatRequest =>
  OPENAIS.test(request.model) ? { ...request, messages: picturesAsUsers(request.messages) } : request;

const chatWithoutTopK = withoutTopK(openaiChat);

/** OpenAI's chat, written for its own models. */
export const chatAtOpenai: Egress = {
  ...chatWithoutTopK,
  // Models that think refuse stop sequences.
  mostStops: (model) => (thinksOutOfSight(model) ? 0 : 4),
  writeRequest: (request) => chatWithoutTopK.writeRequest(withPicturesShown(adapted(request))),
};

const responsesAtOpenai: Egress = {
  ...openaiResponses,
  writeRequest: (request) => {
    const { maxOutputTokens: most } = request;
    const limit = most === undefined ? {} : { maxOutputTokens: Math.max(most, LEAST_OUTPUT_TOKENS) };
    return openaiResponses.writeRequest({ ...adapted(request), ...limit });
  },
};

/** Responses, for models that offer only that, and for callers of other formats whose tools chat would refuse. */
export const betterAtOpenai = (model: string, caller: string): Egress | undefined => {
  if (caller === openaiResponses.name) return undefined;
  // Asked several times for each call.
  if (model !== askedLast.model) askedLast = nativeness(model);
  const { isOnlyThere, thinksThere } = askedLast;
  return isOnlyThere || (caller !== openaiChat.name && thinksThere) ? responsesAtOpenai : undefined;
};

const nativeness = (model: string) => ({
  model,
  isOnlyThere: ONLY_AT_RESPONSES.test(model),
  thinksThere: THINKS_AT_RESPONSES.test(model),
});
let askedLast = nativeness('');
