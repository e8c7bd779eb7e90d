import type { PriceDimensions, TierPrice } from '#contract/options/price-dimensions.ts';

/*
 * Published prices of service tiers, speeds and places, as factors of the standard price, because the price catalogue
 * has none. Sources, as of November 2026: openai.com/api-priority-processing, openai.com/api-fast-mode,
 * developers.openai.com/api/docs/pricing, .../docs/guides/ultrafast-mode, .../docs/guides/background,
 * platform.claude.com/docs (pricing, fast mode, data residency), ai.google.dev/gemini-api/docs/optimization and
 * .../pricing. If a provider publishes no number for a model, its usual one is used. The operator's option takes
 * precedence.
 */

type Rows<Value> = readonly (readonly [RegExp, Value])[];

const found = <Value>(rows: Rows<Value>, model: string): Value | undefined =>
  rows.find(([pattern]) => pattern.test(model))?.[1];

/** Before GPT-5.6, OpenAI served long prompts at the standard tier, whatever was requested. */
const openaiPriority = (input: number, output = input): TierPrice => ({
  input,
  output,
  longContext: 'step',
});

/** Since GPT-5.6 long prompts cost twice as much in fast mode too, and there is a tier above it. */
const OPENAI_FAST_WHATEVER_LENGTH = /^gpt-(?:5\.[6-9]|[6-9])/;

const OPENAI_PRIORITY: Rows<TierPrice> = [
  [OPENAI_FAST_WHATEVER_LENGTH, 2],
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

/** Cache reads of these models cost the same in the cheaper tiers as in the standard one. */
const GEMINI_CACHE_AT_FULL_PRICE = /^gemini-(?:2\.5-|3(?:\.1)?-pro|3-flash)/;

/** Families of which all models have the same factors, so that a new one has them too. */
const FAMILIES: Rows<string> = [
  [/^gpt-6(?:\.\d+)?-(?:sol|terra|astra|luna)(?:-\d{4}-\d\d-\d\d)?$/, 'openai'],
  [/^claude-(?:opus|sonnet|haiku|fable)-5(?:-\d)?(?:-\d{8})?$/, 'anthropic'],
];

/** The same for a model that the catalogue does not have yet; undefined if its name does not tell. */
export const termsByName = (model: string): PriceDimensions | undefined => {
  const provider = found(FAMILIES, model);
  return provider === undefined ? undefined : makerTerms(provider, model);
};

/** The known tiers, speeds and places of a provider's model, with the catalogue's names. */
export const makerTerms = (provider: string, model: string): PriceDimensions => {
  switch (provider) {
    case 'openai': {
      const priority = found(OPENAI_PRIORITY, model);
      if (priority === undefined) return {};
      const dearer = OPENAI_FAST_WHATEVER_LENGTH.test(model) && { ultrafast: 6 };
      const cheaper = { flex: 0.5, batch: 0.5, window_2h: 0.7, window_8h: 0.6 };
      return { tiers: { priority, fast: priority, ...dearer, ...cheaper } };
    }
    case 'anthropic': {
      const fast = found(CLAUDE_FAST, model);
      return {
        tiers: { batch: 0.5 },
        ...(fast !== undefined && { speeds: { fast } }),
        ...(CLAUDE_PLACED.test(model) && { places: { us: 1.1 } }),
      };
    }
    case 'google': {
      if (!model.startsWith('gemini-')) return {};
      const cheaper = GEMINI_CACHE_AT_FULL_PRICE.test(model)
        ? { input: 0.5, output: 0.5, cacheRead: 1 }
        : 0.5;
      return { tiers: { priority: 1.8, flex: cheaper, batch: cheaper } };
    }
    default:
      return {};
  }
};
