import { readThinkingSuffix } from '#core/chat/thinking-suffix.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import { fieldsOf, type Fields } from '../openai/fields.ts';
import { writeThinking } from './thinking.ts';

/** What operators set for Claude models; what is not given has its default. */
export interface FillSettings {
  /** Model, or `default`, → tokens. */
  readonly defaultMaxTokens?: Readonly<Record<string, number>>;
  /** Whether the end of a model's name asks for thinking; default true. */
  readonly readsSuffix?: boolean;
  /** The part of `max_tokens` that `-thinking` thinks with, 0.1 to 1; default 0.8. */
  readonly budgetShare?: number;
}

const DEFAULT_MAX_TOKENS = 8192;
const DEFAULT_SHARE = 0.8;
const LEAST_BUDGET = 1024;
/** Below it `-thinking` would leave no room for the least of thoughts. */
const LEAST_MAX_TOKENS = 1280;

/** The upstream's name of a model and what its end asked for. Other makers' names are left alone: some end so. */
export const readModelName = (name: string, settings: FillSettings) => {
  const suffixed = settings.readsSuffix === false ? undefined : readThinkingSuffix(name);
  return suffixed !== undefined && /claude-/i.test(suffixed.model)
    ? suffixed
    : { model: name, reasoning: undefined };
};

/**
 * What this format requires and the caller left out: `max_tokens` from the operator's settings, and the thinking that
 * the model's name asked for, unless the caller said how to think. A body that needs nothing is returned as it is.
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
  const budget = Number(fieldsOf(body['thinking'])['budget_tokens'] ?? 0);
  // Thoughts are a part of the answer: a default must leave room for the rest.
  return { ...body, max_tokens: budget < tokens ? tokens : budget + tokens };
};

const withThinking = (
  body: Fields,
  model: string,
  reasoning: NonNullable<ChatRequest['reasoning']>,
  { budgetShare = DEFAULT_SHARE }: FillSettings,
): Fields => {
  const given = Number(body['max_tokens']);
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
