import { budgetOfEffort } from '#core/chat/effort.ts';
import type { Reasoning } from '#core/chat/request.ts';
import type { Fields } from '../openai/fields.ts';
import { camelFields } from './fields.ts';

const LEVELS: ReadonlySet<string> = new Set<NonNullable<Reasoning['effort']>>([
  'minimal',
  'low',
  'medium',
  'high',
]);

/** `thinkingConfig` in our words. A budget of 0 is no thinking, −1 as much as the model likes. */
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

/** How far a model's thinking goes, in tokens (ai.google.dev/gemini-api/docs/thinking, "thinking budgets"). */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly canBeOff: boolean;
}

/** The range of a model that counts its thinking in tokens; undefined for one that has levels, or does not think. */
export const budgetRange = (model: string): Range | undefined => {
  if (!/gemini-2\.5/.test(model)) return undefined;
  if (model.includes('flash-lite')) return { least: 512, most: 24_576, canBeOff: true };
  if (model.includes('pro')) return { least: 128, most: 32_768, canBeOff: false };
  return { least: 0, most: 24_576, canBeOff: true };
};

/** Whether a model takes no `thinkingConfig` at all. */
const cannotThink = (model: string): boolean => /gemini-(?:1|2\.0)|gemma|learnlm|bison|aqa/.test(model);

/** A number of tokens a model accepts, nearest to the one wanted; 0 where thinking is to be off and may be. */
export const clampBudget = (budget: number, range: Range): number => {
  if (budget <= 0) return range.canBeOff ? 0 : range.least;
  return Math.min(Math.max(budget, range.least), range.most);
};

/**
 * No thinking, or as little as a model can: since Gemini 3 it has levels alone, and refuses to be without one
 * (ai.google.dev/gemini-api/docs/thinking).
 */
export const thinkingOff = (model: string): Fields => {
  const range = budgetRange(model);
  if (range !== undefined) return { thinkingBudget: clampBudget(0, range) };
  return /gemini-[3-9]/.test(model) ? { thinkingLevel: leastLevel(model) } : { thinkingBudget: 0 };
};

/** Pro, and Flash since 3.7, begin at `low`. */
const leastLevel = (model: string): 'minimal' | 'low' =>
  /-pro(?:-|$)|gemini-(?:3\.[7-9]|[4-9]\.\d)-flash(?!-lite)/.test(model) ? 'low' : 'minimal';

/**
 * How much to think, in this format: tokens for models before Gemini 3, a level since. Thoughts are shown where the
 * caller asked for thinking in any way, since other formats show them unasked.
 */
export const writeThinking = (reasoning: Reasoning, model: string): Fields | undefined => {
  if (cannotThink(model)) return undefined;
  const { effort, budgetTokens, enabled, summary } = reasoning;
  const range = budgetRange(model);
  const isOff = enabled === false || effort === 'none' || budgetTokens === 0;
  // A budget of nothing is this format's own word, and is repeated as it came.
  if (isOff && enabled === false) return { thinkingBudget: range === undefined ? 0 : clampBudget(0, range) };
  if (isOff) return thinkingOff(model);
  const shown = summary === 'none' ? {} : { includeThoughts: true };
  if (budgetTokens !== undefined)
    return {
      thinkingBudget: range === undefined ? budgetTokens : clampBudget(budgetTokens, range),
      ...shown,
    };
  if (effort === undefined) return enabled === true ? { thinkingBudget: -1, ...shown } : shown;
  if (range !== undefined) return { thinkingBudget: clampBudget(budgetOfEffort(effort), range), ...shown };
  return { thinkingLevel: levelOf(effort, model), ...shown };
};

/** Gemini 3 Pro knew only two levels; every later one has the words of its name. */
const levelOf = (effort: NonNullable<Reasoning['effort']>, model: string): string => {
  if (effort === 'xhigh' || effort === 'max') return 'high';
  if (effort === 'minimal') return leastLevel(model);
  if (!model.includes('pro')) return effort;
  return /gemini-3-pro/.test(model) && effort === 'medium' ? 'high' : effort;
};
