import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import { AppError } from '../error.ts';
import type { Fields } from '../json/fields.ts';
import { askedMedia, isPlainWord } from './asked-media.ts';
import type { AskedMedia } from './price-factors.ts';
import { type Price, priceFrom } from './price.ts';

/* Duration and resolution: factors of a price per call, derived from the request. */

type Media = NonNullable<PriceDimensions['media']>;

/** Synonyms of sizes. */
const SAME: Readonly<Record<string, string>> = { '4k': '2160p', '2160p': '4k', '2k': '1440p', '1440p': '2k' };

/** `720p` for 1280 by 720 and 720 by 1280; undefined for more elongated shapes. */
const linesOf = (word: string): string | undefined => {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(word) ?? [];
  const [short, long] = [Math.min(Number(width), Number(height)), Math.max(Number(width), Number(height))];
  return long * 9 <= short * 16 + 16 ? `${short}p` : undefined;
};

/** The price factor of a size word: one without a price costs as `other`, or else the dearest there is. */
const factorOfWord = (table: NonNullable<Media['resolutions']>, word: string): number => {
  const said = [word, SAME[word], /^\d+$/.test(word) ? `${word}p` : undefined, linesOf(word)];
  const known = said.find((one) => one !== undefined && Object.hasOwn(table, one));
  return (known === undefined ? undefined : table[known]) ?? unknownFactor(table);
};

const unknownFactor = (table: NonNullable<Media['resolutions']>): number =>
  table['other'] ?? Math.max(0, ...Object.values(table));

/** The factor of the dearest requested size. */
const resolutionOf = (table: NonNullable<Media['resolutions']>, words: readonly string[]): number => {
  const said = words.filter((word) => !isPlainWord(word) || Object.hasOwn(table, word));
  return said.length === 0
    ? unknownFactor(table)
    : Math.max(...said.map((word) => factorOfWord(table, word)));
};

/**
 * Fixes the duration and resolution of a price. Prices that do not depend on them are returned unchanged. Throws
 * `invalid_request` if the price is per second and the requested duration cannot be read.
 * @param body the request; read only if the price depends on it
 */
export const priceOfMedia = (price: Price, body: Fields): Price => {
  const media = price.factors.dimensions?.media;
  if (media === undefined) return price;
  const { seconds, resolutions = {} } = media;
  const priceOfWord = (word: string): number => resolutionOf(resolutions, [word]);
  return priceOfAsked(price, askedMedia(body, priceOfWord, seconds !== undefined));
};

/** The same; undefined where the requested duration cannot be read. */
export const priceOfMediaIfRead = (price: Price, body: Fields): Price | undefined => {
  try {
    return priceOfMedia(price, body);
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined;
    throw thrown;
  }
};

/** Like `priceOfMedia`, for media terms that were read before. */
export const priceOfAsked = (price: Price, asked: AskedMedia): Price => {
  const { dimensions, ...factors } = price.factors;
  if (dimensions?.media === undefined) return price;
  const { media, ...rest } = dimensions;
  const { seconds, resolutions } = media;
  const decided = {
    ...factors,
    ...(Object.keys(rest).length > 0 && { dimensions: rest }),
    media: {
      asked,
      ...(seconds !== undefined && { seconds: asked.seconds ?? seconds.usual }),
      ...(resolutions !== undefined && { resolution: resolutionOf(resolutions, asked.words) }),
    },
  };
  return priceFrom(decided, price.quotaPerUnit);
};
