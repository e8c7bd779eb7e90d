import { budgetOfEffort } from '#core/chat/effort.ts';
import type { Reasoning } from '#core/chat/request.ts';
import type { Fields } from '#core/json/fields.ts';
import { writeEffort } from '../../openai/effort.ts';
import { camelFields } from '../fields.ts';

const LEVELS: ReadonlySet<string> = new Set<NonNullable<Reasoning['effort']>>([
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
]);

/** Whether it is a level of thinking, in letters of any case. */
export const isLevel = (value: unknown): boolean =>
  typeof value === 'string' && LEVELS.has(value.toLowerCase());

/** Reads `thinkingConfig`. A budget of 0 is no thinking, −1 leaves the amount to the model. */
export const readThinking = (value: unknown): Reasoning | undefined => {
  const { thinkingBudget: budget, thinkingLevel, includeThoughts } = camelFields(value);
  const level = typeof thinkingLevel === 'string' ? thinkingLevel.toLowerCase() : '';
  const reasoning: Reasoning = {
    ...(LEVELS.has(level) && { effort: level as NonNullable<Reasoning['effort']> }),
    ...(budget === 0 && { enabled: false }),
    ...(budget === -1 && { enabled: true }),
    ...(typeof budget === 'number' && budget > 0 && { budgetTokens: budget }),
    ...(includeThoughts === true && { summary: 'auto' }),
  };
  return Object.keys(reasoning).length === 0 ? undefined : reasoning;
};

/** A model's smallest and largest thinking budget (ai.google.dev/gemini-api/docs/thinking, "thinking budgets"). */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly canBeOff: boolean;
}

/** The budget range of a model; undefined if it has levels instead, or does not think. */
const budgetRange = (model: string): Range | undefined => {
  if (!/gemini-2\.5/.test(model)) return undefined;
  if (model.includes('flash-lite')) return { least: 512, most: 24_576, canBeOff: true };
  if (model.includes('pro')) return { least: 128, most: 32_768, canBeOff: false };
  return { least: 0, most: 24_576, canBeOff: true };
};

/** Whether a model takes no `thinkingConfig` at all. */
const cannotThink = (model: string): boolean => /gemini-(?:1|2\.0)|gemma|learnlm|bison|aqa/.test(model);

/** The nearest budget the model accepts; 0 if thinking is to be off and the model allows it. */
const clampBudget = (budget: number, range: Range): number => {
  if (budget <= 0) return range.canBeOff ? 0 : range.least;
  return Math.min(Math.max(budget, range.least), range.most);
};

/**
 * Switches thinking off, or as low as the model can: since Gemini 3, models only have levels and need one
 * (ai.google.dev/gemini-api/docs/thinking).
 */
export const thinkingOff = (model: string): Fields => {
  const range = budgetRange(model);
  if (range !== undefined) return { thinkingBudget: clampBudget(0, range) };
  return /gemini-[3-9]/.test(model) ? { thinkingLevel: leastLevel(model) } : { thinkingBudget: 0 };
};

/** Only Flash before 3.7 and Flash-Lite have `minimal`; every model has `low`. */
const leastLevel = (model: string): 'minimal' | 'low' =>
  /gemini-3(?:\.[0-6])?-flash|-flash-lite/.test(model) ? 'minimal' : 'low';

/**
 * Whether a model refuses a thinking budget and penalties, as all do since Gemini 4 (docs.cloud.google.com, developer's guides to
 * Gemini 4, November 2026).
 */
export const isSinceFour = (model: string): boolean => /gemini-[4-9]/.test(model);

/**
 * Writes how much to think: tokens for models before Gemini 3, a level since. Shows thoughts whenever the caller asked
 * for thinking, because other formats show them by default.
 */
export const writeThinking = (reasoning: Reasoning, model: string): Fields | undefined => {
  if (cannotThink(model)) return undefined;
  const { effort, budgetTokens, enabled, summary } = reasoning;
  const range = budgetRange(model);
  const isOff = enabled === false || effort === 'none' || budgetTokens === 0;
  if (isOff) return thinkingOff(model);
  const shown = summary === 'none' ? {} : { includeThoughts: true };
  if (isSinceFour(model)) {
    const level = writeEffort(reasoning);
    return level === undefined ? shown : { thinkingLevel: levelOf(level, model), ...shown };
  }
  if (budgetTokens !== undefined)
    return {
      thinkingBudget: range === undefined ? budgetTokens : clampBudget(budgetTokens, range),
      ...shown,
    };
  if (effort === undefined) return enabled === true ? { thinkingBudget: -1, ...shown } : shown;
  if (range !== undefined) return { thinkingBudget: clampBudget(budgetOfEffort(effort), range), ...shown };
  return { thinkingLevel: levelOf(effort, model), ...shown };
};

/** Gemini 3 Pro had only two levels; later models have all, and two of Gemini 4 have one above `high`. */
const levelOf = (effort: NonNullable<Reasoning['effort']>, model: string): string => {
  if (effort === 'xhigh' || effort === 'max')
    return /gemini-4-(?:hydrogen|neon)/.test(model) ? 'xhigh' : 'high';
  if (effort === 'minimal') return leastLevel(model);
  if (!model.includes('pro')) return effort;
  return /gemini-3-pro/.test(model) && effort === 'medium' ? 'high' : effort;
};
