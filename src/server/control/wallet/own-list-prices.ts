import type { CataloguePrice } from '#core/quota/catalogue.ts';

/** OpenAI charges nothing for these (platform.openai.com/docs/models, November 2026). */
const FREE_OF_CHARGE = /^(?:omni|text)-moderation-(?:latest|stable|\d)/;
const FREE: CataloguePrice = { modelRatio: 0, completionRatio: 1 };

/**
 * OpenAI sells these by the character and the minute, which the package cannot express. Here 1000 tokens stand for
 * them (docs/billing.md): 15 and 30 dollars for a million characters, 0.006 for a minute
 * (platform.openai.com/docs/pricing, November 2026).
 */
const SOUND = new Map<string, CataloguePrice>([
  ['tts-1', { modelRatio: 7.5, completionRatio: 0 }],
  ['tts-1-hd', { modelRatio: 15, completionRatio: 0 }],
  ['whisper-1', { modelRatio: 3, completionRatio: 0 }],
]);

/** The package has the price of the version before, five times as much: 0.02 dollars (aws.amazon.com/bedrock/pricing). */
const VECTORS = new Map<string, CataloguePrice>([
  ['amazon.titan-embed-text-v2:0', { modelRatio: 0.01, completionRatio: 0 }],
]);

/** From this day Google charges double the introductory prices of September 2026 for speech. */
const GOOGLE_DOUBLES_MS = Date.UTC(2027, 0, 1);
const BATCH = { tiers: { batch: 0.5 } };

/**
 * Google's speech models. The package knows only older ones, and takes the newer ones for the text model of that
 * name. Dollars for a million tokens of text in and sound out: 0.50 and 9, the small model 0.50 and 6, the previous
 * one 1 and 20 (ai.google.dev/gemini-api/docs/pricing, November 2026).
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

/** The times at which these prices change. */
export const ownStarts: readonly number[] = [GOOGLE_DOUBLES_MS];

/** The list price at a time, for models that the price package lacks or has wrong. */
export const ownListPrice = (model: string, atMs: number): CataloguePrice | undefined =>
  speechAt(model, atMs) ??
  SOUND.get(model) ??
  VECTORS.get(model) ??
  (FREE_OF_CHARGE.test(model) ? FREE : undefined);
