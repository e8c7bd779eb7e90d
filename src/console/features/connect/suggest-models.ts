import type { readPricing } from '#contract/api/wallet/pricing.ts';
import type { Data } from '#contract/endpoint.ts';

/** The known price and context size of a model. */
export type PricedModel = Pick<
  Data<typeof readPricing>[number],
  'model_name' | 'quota_type' | 'model_ratio' | 'completion_ratio' | 'context_window'
>;

/** The models suggested until the reader chooses one. */
export interface Suggestion {
  readonly model: string;
  /** For titles and summaries. */
  readonly smallModel: string;
}

/** Matches models that are not for chat. */
const NO_CHAT =
  /embed|whisper|tts|transcri|dall-e|image|imagen|moderation|rerank|realtime|audio|sora|veo|suno|^mj_|video|speech/i;
/** Too small for long work with tools; good enough for titles. */
const TINY = /nano|lite|tiny|(?<![\d.])[1-8]b\b/i;
/** A smaller context window is filled by an agent's instructions and a few files. */
const LEAST_CONTEXT_TOKENS = 64_000;
/** An agent reads far more than it writes. */
const READ_PER_WRITTEN = 4;

/**
 * The price of a token in an agent's mix of input and output; models with a price per call, or none, come last.
 */
const costOf = (priced: PricedModel | undefined): number =>
  priced === undefined || priced.quota_type === 1
    ? Number.POSITIVE_INFINITY
    : priced.model_ratio * (READ_PER_WRITTEN + priced.completion_ratio);

/**
 * The cheapest suitable models: for chat, of the program's model family if there is one, with enough context for an
 * agent. If none is suitable, the first model.
 */
export const suggestModels = (
  offered: readonly string[],
  prices: readonly PricedModel[],
  family?: RegExp,
): Suggestion | undefined => {
  const byName = new Map(prices.map((price) => [price.model_name, price]));
  const cost = (name: string): number => costOf(byName.get(name));
  const chats = offered.filter((name) => !NO_CHAT.test(name));
  const own = chats.filter((name) => family?.test(name) ?? true);
  // A sort keeps the order of what costs the same.
  const cheapest = (own.length > 0 ? own : chats).toSorted((one, other) =>
    cost(one) === cost(other) ? 0 : cost(one) - cost(other),
  );
  const holdsEnough = (name: string): boolean => {
    const context = byName.get(name)?.context_window ?? 0;
    return context === 0 || context >= LEAST_CONTEXT_TOKENS;
  };
  const smallModel = cheapest[0] ?? offered[0];
  if (smallModel === undefined) return undefined;
  const model = cheapest.find((name) => holdsEnough(name) && !TINY.test(name)) ?? smallModel;
  return { model, smallModel };
};
