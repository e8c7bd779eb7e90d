import type { CataloguePrice } from '#core/quota/catalogue.ts';

/** OpenAI charges nothing for these (platform.openai.com/docs/models, November 2026). */
const FREE_OF_CHARGE = /^(?:omni|text)-moderation-(?:latest|stable|\d)/;
const FREE: CataloguePrice = { modelRatio: 0, completionRatio: 1 };

/**
 * The package knows only prices of tokens. OpenAI sells these by the character and by the minute, 1000 tokens here
 * (docs/billing.md): 15 and 30 dollars for a million characters, 0.006 for a minute (platform.openai.com/docs/pricing,
 * November 2026).
 */
const SOUND = new Map<string, CataloguePrice>([
  ['tts-1', { modelRatio: 7.5, completionRatio: 0 }],
  ['tts-1-hd', { modelRatio: 15, completionRatio: 0 }],
  ['whisper-1', { modelRatio: 3, completionRatio: 0 }],
]);

/** Google doubles the prices with which its speech of September 2026 began. */
const GOOGLE_DOUBLES_MS = Date.UTC(2027, 0, 1);
const BATCH = { tiers: { batch: 0.5 } };

/**
 * Google's models that speak: the package has only older ones, and takes new ones for the model that writes. Text in and sound
 * out, for a million tokens: 0.50 and 9 dollars, of the small one 0.50 and 6; 1 and 20 of the one before
 * (ai.google.dev/gemini-api/docs/pricing, November 2026).
 */
const SPEECH = new Map<string, { readonly price: CataloguePrice; readonly doublesMs?: number }>([
  [
    'gemini-3.8-flash-tts',
    {
      price: { modelRatio: 0.25, completionRatio: 18, dimensions: BATCH },
      doublesMs: GOOGLE_DOUBLES_MS,
    },
  ],
  [
    'gemini-3.8-flash-lite-tts',
    {
      price: { modelRatio: 0.25, completionRatio: 12, dimensions: BATCH },
      doublesMs: GOOGLE_DOUBLES_MS,
    },
  ],
  ['gemini-3.1-flash-tts-preview', { price: { modelRatio: 0.5, completionRatio: 20, dimensions: BATCH } }],
]);

const speechAt = (model: string, atMs: number): CataloguePrice | undefined => {
  const { price, doublesMs = Infinity } = SPEECH.get(model) ?? {};
  return price === undefined || atMs < doublesMs ? price : { ...price, modelRatio: price.modelRatio * 2 };
};

/** The times from which on other prices of these models count. */
export const ownStarts: readonly number[] = [GOOGLE_DOUBLES_MS];

/** The list price, at a time, of a model that the price package does not have or has wrongly. */
export const ownListPrice = (model: string, atMs: number): CataloguePrice | undefined =>
  speechAt(model, atMs) ?? SOUND.get(model) ?? (FREE_OF_CHARGE.test(model) ? FREE : undefined);
