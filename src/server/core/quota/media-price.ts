import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import type { Fields } from '../json/fields.ts';
import { askedMedia, isPlainWord } from './asked-media.ts';
import type { AskedMedia } from './price-factors.ts';
import { type Price, priceFrom } from './price.ts';

/*
 * Seconds and resolution: what a price per call is multiplied by, from what was asked for.
 */

type Media = NonNullable<PriceDimensions['media']>;

/** Other words for the same size. */
const SAME: Readonly<Record<string, string>> = { '4k': '2160p', '2160p': '4k', '2k': '1440p', '1440p': '2k' };

/** `720p` of 1280 by 720 and of 720 by 1280; of nothing longer. */
const linesOf = (word: string): string | undefined => {
  const [, width, height] = /^(\d{2,5})x(\d{2,5})$/.exec(word) ?? [];
  const [short, long] = [Math.min(Number(width), Number(height)), Math.max(Number(width), Number(height))];
  return long * 9 <= short * 16 + 16 ? `${short}p` : undefined;
};

/** What a word multiplies the price by: of what has no price `other`, else the dearest there is. */
const factorOfWord = (table: NonNullable<Media['resolutions']>, word: string): number => {
  const said = [word, SAME[word], /^\d+$/.test(word) ? `${word}p` : undefined, linesOf(word)];
  const known = said.find((one) => one !== undefined && Object.hasOwn(table, one));
  return (known === undefined ? undefined : table[known]) ?? unknownFactor(table);
};

const unknownFactor = (table: NonNullable<Media['resolutions']>): number =>
  table['other'] ?? Math.max(0, ...Object.values(table));

/** The dearest of what was asked for. */
const resolutionOf = (table: NonNullable<Media['resolutions']>, words: readonly string[]): number => {
  const said = words.filter((word) => !isPlainWord(word) || Object.hasOwn(table, word));
  return said.length === 0
    ? unknownFactor(table)
    : Math.max(...said.map((word) => factorOfWord(table, word)));
};

/**
 * The price with its seconds and resolution decided. A price without them is given back as it is.
 * Throws `invalid_request` where a price by seconds is asked for a length that cannot be read.
 * @param body what was asked for; only looked at where the price depends on it
 */
export const priceOfMedia = (price: Price, body: Fields): Price => {
  const media = price.factors.dimensions?.media;
  if (media === undefined) return price;
  const { seconds, resolutions = {} } = media;
  const priceOfWord = (word: string): number => resolutionOf(resolutions, [word]);
  return priceOfAsked(price, askedMedia(body, priceOfWord, seconds !== undefined));
};

/** The same, of what was read before. */
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
