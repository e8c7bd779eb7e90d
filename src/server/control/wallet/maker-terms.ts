import type { PriceDimensions, TierPrice } from '#contract/options/price-dimensions.ts';

/*
 * Published prices of service tiers, speeds and places, as factors of the standard price, because the price catalogue
 * has none. Sources, as of November 2026: openai.com/api-priority-processing, developers.openai.com/api/docs/pricing,
 * .../docs/guides/background,
 * platform.claude.com/docs (pricing, fast mode, data residency), ai.google.dev/gemini-api/docs/optimization and
 * .../pricing. If a provider publishes no number for a model, its usual one is used. The operator's option takes
 * precedence.
 */

type Rows<Value> = readonly (readonly [RegExp, Value])[];

const found = <Value>(rows: Rows<Value>, model: string): Value | undefined =>
  rows.find(([pattern]) => pattern.test(model))?.[1];

/** OpenAI serves long prompts at the standard tier, whatever was requested. */
const openaiPriority = (input: number, output = input): TierPrice => ({
  input,
  output,
  longContext: 'step',
});

const OPENAI_PRIORITY: Rows<TierPrice> = [
  [/^gpt-5\.5(?!-pro)/, openaiPriority(2.5)],
  [/^gpt-5-mini/, openaiPriority(1.8)],
  [/^gpt-4\.1-nano/, openaiPriority(2)],
  [/^gpt-4\.1/, openaiPriority(1.75)],
  [/^gpt-4o-2024-05-13/, openaiPriority(1.75)],
  // 0.25 to 0.15 dollars, and 1 to 0.6.
  [/^gpt-4o-mini/, openaiPriority(1.666666667)],
  [/^gpt-4o/, openaiPriority(1.7)],
  [/^o3(?!-mini|-pro)/, openaiPriority(1.75)],
  [/^o4-mini/, openaiPriority(1.818181818)],
  [/^(?:gpt-|o\d)/, openaiPriority(2)],
];

/** Opus 4.6 and 4.7 cost six times as much in fast mode; later ones cost twice as much. */
const CLAUDE_FAST: Rows<number> = [
  [/^claude-opus-4-[67]/, 6],
  [/^claude-(?:opus|fable)-/, 2],
];

/** Since Opus 4.6, a guaranteed place costs 10% more. */
const CLAUDE_PLACED = /^claude-(?:opus-4-[6-9]|sonnet-4-[6-9]|haiku-4-[6-9]|[a-z]+-[5-9])/;

/** The known tiers, speeds and places of a provider's model, with the catalogue's names. */
export const makerTerms = (provider: string, model: string): PriceDimensions => {
  switch (provider) {
    case 'openai': {
      const priority = found(OPENAI_PRIORITY, model);
      const cheaper = { flex: 0.5, batch: 0.5, window_2h: 0.7, window_8h: 0.6 };
      return priority === undefined ? {} : { tiers: { priority, fast: priority, ...cheaper } };
    }
    case 'anthropic': {
      const fast = found(CLAUDE_FAST, model);
      return {
        tiers: { batch: 0.5 },
        ...(fast !== undefined && { speeds: { fast } }),
        ...(CLAUDE_PLACED.test(model) && { places: { us: 1.1 } }),
      };
    }
    case 'google':
      return model.startsWith('gemini-') ? { tiers: { priority: 1.8, flex: 0.5, batch: 0.5 } } : {};
    default:
      return {};
  }
};
