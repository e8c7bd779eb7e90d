import type { Reasoning } from '#core/chat/request.ts';
import { isEffort, writeEffort as effortOf } from '../openai/effort.ts';
import { fieldsOf, textOf, type Fields } from '../openai/fields.ts';

/** Other words for thinking that callers of this format use, each kept as it came for upstreams that read it. */
const OTHER_WORDS = ['reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'extra_body'] as const;

/**
 * How hard to think: `reasoning_effort`, or what makers of other models and routers have for it: OpenRouter's `reasoning`,
 * `thinking` as Anthropic, DeepSeek, Zhipu and Volcengine write it, Qwen's `enable_thinking`, and what Google reads in
 * `extra_body` (each in its maker's reference of the chat format).
 */
export const readReasoning = (fields: Fields): Reasoning | undefined => {
  const effort = fields['reasoning_effort'];
  if (isEffort(effort)) return { effort };
  const router = fieldsOf(fields['reasoning']);
  const google = fieldsOf(fieldsOf(fieldsOf(fields['extra_body'])['google'])['thinking_config']);
  const { type, budget_tokens: claudes } = fieldsOf(fields['thinking']);
  const budget = [router['max_tokens'], claudes, fields['thinking_budget'], google['thinking_budget']].find(
    isBudget,
  );
  const word = [router['effort'], textOf(google['thinking_level'])?.toLowerCase()].find(isEffort);
  const told = [router['enabled'], fields['enable_thinking'], SWITCH[String(type)]];
  const enabled = told.find((flag) => typeof flag === 'boolean');
  const isShown = google['include_thoughts'] === true;
  const reasoning: Reasoning = {
    ...(word !== undefined && { effort: word }),
    ...(budget !== undefined && budget > 0 && { budgetTokens: budget }),
    ...(enabled !== undefined && { enabled }),
    ...(budget !== undefined && budget <= 0 && { enabled: budget < 0 }),
    ...(isShown && { summary: 'auto' }),
  };
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
};

const SWITCH: Readonly<Record<string, boolean>> = {
  enabled: true,
  adaptive: true,
  auto: true,
  disabled: false,
};

/** −1 leaves it to the model. */
const isBudget = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= -1;

/** Whether a request says how hard to think in other words than `reasoning_effort`, which then stay as they came. */
export const hasOtherWords = (fields: Fields): boolean =>
  OTHER_WORDS.some((word) => fields[word] !== undefined && fields[word] !== null);

/** The effort for an upstream of this format, unless the caller's own words for it are there. */
export const writeEffort = (reasoning: Reasoning | undefined, extras: Fields): string | undefined =>
  hasOtherWords(extras) ? undefined : effortOf(reasoning);
