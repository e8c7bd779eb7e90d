import type { PriceDimensions } from '#contract/options/price-dimensions.ts';
import {
  MEDIA_PLACES as PLACES,
  RESOLUTION_WORDS as RESOLUTIONS,
  SECONDS_WORDS as SECONDS,
} from '#contract/override-fields.ts';
import { type Fields, fieldsOf } from '../json/fields.ts';
import type { AskedMedia } from './price-factors.ts';
import { type Price, priceFrom } from './price.ts';

/*
 * Seconds and resolution: what a price per call is multiplied by, from what was asked for.
 */

/** As lenient readers take names. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/** Ten hours. Nobody makes so much in one call. */
const MOST_SECONDS = 36_000;
const MOST_WORDS = 4;
const WORD = /^[a-z0-9][a-z0-9_.:x-]{0,39}$/;
const NUMBER = /^(\d{1,9}(?:\.\d{1,6})?) ?s?$/;

/** `1280*720`, `1280×720` and `1280X720` are the same. */
const wordOfSize = (value: unknown): string | undefined => {
  if (typeof value !== 'string' || value.length > 80) return undefined;
  const word = value.trim().toLowerCase().replaceAll(/[*×]/g, 'x');
  return WORD.test(word) ? word : undefined;
};

/** A number above 0 with up to three places, rounded up. */
const secondsOf = (value: unknown): number | undefined => {
  const read = typeof value === 'string' ? Number(NUMBER.exec(value.trim())?.[1] ?? Number.NaN) : value;
  if (typeof read !== 'number' || !(read > 0)) return undefined;
  return Math.min(MOST_SECONDS, Math.ceil(read * 1000 - 1e-6) / 1000);
};

type Media = NonNullable<PriceDimensions['media']>;

/**
 * What a body asks for, at its top or in one of the objects that upstreams have it in; the longest that any field says. Of
 * many words the dearest are kept: nobody hides one behind others.
 */
export const askedMedia = (body: Fields, table: Media['resolutions'] = {}): AskedMedia => {
  const fields = [body, ...PLACES.map((place) => fieldsOf(body[place]))].flatMap(Object.entries<unknown>);
  const all = (names: ReadonlySet<string>) =>
    fields.flatMap(([name, value]) => (names.has(folded(name)) ? [value] : []));
  const seconds = all(SECONDS)
    .map(secondsOf)
    .filter((one) => one !== undefined);
  const words = new Set(
    all(RESOLUTIONS)
      .map(wordOfSize)
      .filter((one) => one !== undefined),
  );
  const priceOf = (word: string): number => (Object.hasOwn(table, word) ? (table[word] ?? -1) : -1);
  const kept =
    words.size > MOST_WORDS ? [...words].sort((one, other) => priceOf(other) - priceOf(one)) : [...words];
  return {
    ...(seconds.length > 0 && { seconds: Math.max(...seconds) }),
    words: kept.slice(0, MOST_WORDS),
  };
};

/** The dearest of what was asked for; of a word that has no price, `other`, else the dearest there is. */
const resolutionOf = (table: NonNullable<Media['resolutions']>, words: readonly string[]): number => {
  const known = words.filter((word) => Object.hasOwn(table, word)).map((word) => table[word] ?? 1);
  if (known.length > 0) return Math.max(...known);
  return table['other'] ?? Math.max(0, ...Object.values(table));
};

/**
 * The price with its seconds and resolution decided. A price without them is given back as it is.
 * @param body what was asked for; only looked at where the price depends on it
 */
export const priceOfMedia = (price: Price, body: Fields): Price => {
  const media = price.factors.dimensions?.media;
  return media === undefined ? price : priceOfAsked(price, askedMedia(body, media.resolutions));
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
