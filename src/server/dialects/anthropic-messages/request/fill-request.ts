import { readThinkingSuffix } from '#core/chat/thinking-suffix.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { fieldsOf, type Fields, numberOf } from '#core/json/fields.ts';
import { LEAST_BUDGET, writeThinking } from './thinking.ts';

/** The operator's settings for Claude models; missing ones have defaults. */
export interface FillSettings {
  /** Model, or `default`, → tokens. */
  readonly defaultMaxTokens?: Readonly<Record<string, number>>;
  /** Whether the suffix of a model's name may ask for thinking; default true. */
  readonly readsSuffix?: boolean;
  /** The share of `max_tokens` that `-thinking` may use, 0.1 to 1; default 0.8. */
  readonly budgetShare?: number;
}

const DEFAULT_MAX_TOKENS = 8192;
const DEFAULT_SHARE = 0.8;
/** With less, `-thinking` would have no room for the minimum budget. */
const LEAST_MAX_TOKENS = 1280;

/** The upstream's model name and what its suffix asked for. Other makers' names are not split: some end so. */
export const readModelName = (name: string, settings: FillSettings) => {
  const suffixed = settings.readsSuffix === false ? undefined : readThinkingSuffix(name);
  return suffixed !== undefined && /claude-/i.test(suffixed.model)
    ? suffixed
    : { model: name, reasoning: undefined };
};

/**
 * Adds what the format requires and the caller left out: `max_tokens` from the operator's settings, and the thinking
 * from the model's name, unless the caller set it. Returns a complete body unchanged.
 */
export const fillRequest = (body: Fields, name: string, settings: FillSettings): Fields => {
  const { model, reasoning } = readModelName(name, settings);
  const thinks =
    fieldsOf(body['thinking'])['type'] !== undefined ||
    fieldsOf(body['output_config'])['effort'] !== undefined;
  const filled = withMaxTokens(body, [model, name], settings);
  if (reasoning === undefined) return filled;
  const named = { ...filled, model };
  return thinks ? named : withThinking(named, model, reasoning, settings);
};

const withMaxTokens = (
  body: Fields,
  names: readonly string[],
  { defaultMaxTokens = {} }: FillSettings,
): Fields => {
  if (typeof body['max_tokens'] === 'number') return body;
  const name = names.find((known) => Object.hasOwn(defaultMaxTokens, known)) ?? 'default';
  const tokens = defaultMaxTokens[name] ?? DEFAULT_MAX_TOKENS;
  const budget = numberOf(fieldsOf(body['thinking'])['budget_tokens'] ?? 0);
  // Thinking counts as output: a default must leave room for the answer.
  return { ...body, max_tokens: budget < tokens ? tokens : budget + tokens };
};

const withThinking = (
  body: Fields,
  model: string,
  reasoning: NonNullable<ChatRequest['reasoning']>,
  { budgetShare = DEFAULT_SHARE }: FillSettings,
): Fields => {
  const given = numberOf(body['max_tokens']);
  const { enabled, budgetTokens } = reasoning;
  const wanted = budgetTokens === undefined ? undefined : Math.max(budgetTokens, LEAST_BUDGET);
  const least = enabled !== true ? 0 : wanted === undefined ? LEAST_MAX_TOKENS : wanted + 256;
  const maxTokens = Math.max(given, least);
  const asked =
    enabled === true
      ? { enabled, budgetTokens: wanted ?? Math.max(Math.trunc(maxTokens * budgetShare), LEAST_BUDGET) }
      : reasoning;
  const request: ChatRequest = {
    model,
    stream: false,
    messages: [],
    maxOutputTokens: maxTokens,
    reasoning: asked,
    extras: {},
  };
  const { thinking, effort } = writeThinking(request);
  if (thinking === undefined && effort === undefined) return body;
  const { temperature, top_p: _p, top_k: _k, ...rest } = body;
  const config =
    effort === undefined ? {} : { output_config: { ...fieldsOf(body['output_config']), effort } };
  if (thinking === undefined) return { ...body, ...config };
  if (thinking['type'] === 'disabled') return { ...body, thinking };
  return { ...rest, ...(temperature === 1 && { temperature }), max_tokens: maxTokens, thinking, ...config };
};
