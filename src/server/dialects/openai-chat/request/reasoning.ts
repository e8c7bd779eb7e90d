import type { Reasoning } from '#core/chat/request.ts';
import { isEffort, writeEffort as effortOf } from '../../openai/effort.ts';
import { fieldsOf, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { isUnknownWord } from '#core/json/unknown-word.ts';

/** Other vendors' fields for thinking. Each is kept unchanged for upstreams that know it. */
const VENDOR_FIELDS = ['reasoning', 'thinking', 'enable_thinking', 'thinking_budget', 'extra_body'] as const;

/**
 * Reads the effort: `reasoning_effort`, or the fields of other makers and routers: OpenRouter's `reasoning`, `thinking`
 * as Anthropic, DeepSeek, Zhipu and Volcengine write it, Qwen's `enable_thinking`, and Google's in `extra_body` (from
 * each maker's chat reference).
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
  const switches = [router['enabled'], fields['enable_thinking'], SWITCH.get(wordOf(type))];
  const enabled = switches.find((flag) => typeof flag === 'boolean');
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

const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['enabled', true],
  ['adaptive', true],
  ['auto', true],
  ['disabled', false],
]);

/** The first field that asks for thinking in a word that is not known. */
export const unknownThinking = (fields: Fields): string | undefined => {
  const google = fieldsOf(fieldsOf(fieldsOf(fields['extra_body'])['google'])['thinking_config']);
  const level = google['thinking_level'];
  if (isUnknownWord(fields['reasoning_effort'], isEffort)) return 'reasoning_effort';
  if (isUnknownWord(fieldsOf(fields['reasoning'])['effort'], isEffort)) return 'reasoning';
  if (isUnknownWord(fieldsOf(fields['thinking'])['type'], (type) => SWITCH.has(wordOf(type))))
    return 'thinking';
  return isUnknownWord(level, (word) => isEffort(textOf(word)?.toLowerCase())) ? 'extra_body' : undefined;
};

/** A budget; −1 leaves it to the model. */
const isBudget = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= -1;

/** Whether a request sets thinking in other fields than `reasoning_effort`, which are then sent unchanged. */
export const hasVendorFields = (fields: Fields): boolean =>
  VENDOR_FIELDS.some((word) => fields[word] !== undefined && fields[word] !== null);

/** The effort for an upstream of this format, unless the caller's own fields are sent. */
export const writeEffort = (reasoning: Reasoning | undefined, extras: Fields): string | undefined =>
  hasVendorFields(extras) ? undefined : effortOf(reasoning);
