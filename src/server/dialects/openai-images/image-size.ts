import { foldedName } from '#contract/asked-words.ts';
import { eachAsked } from '#core/json/each-asked.ts';
import { type Fields, ownOf } from '#core/json/fields.ts';

const SIZE = /^(\d{2,5})x(\d{2,5})$/;

/**
 * All sizes and qualities that a body names, at its top level or anywhere else an upstream may look; the most expensive
 * ones count.
 */
export interface AskedPicture {
  readonly sizes: readonly string[];
  readonly qualities: readonly string[];
}

/** Price of a picture of DALL·E by its size, as a part of that of 1024 by 1024. */
const SIZE_FACTORS: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1024': 1,
  '1024x1792': 2,
  '1792x1024': 2,
};
const LARGE = 2;

/** Some upstreams read words in any case, and `×` or `*` for an x. */
const wordOf = (value: string): string =>
  value
    .trim()
    .toLowerCase()
    .replaceAll(/ ?[×*x] ?/g, 'x');

/** Words that mean the same as leaving the field out. */
const PLAIN: ReadonlySet<string> = new Set(['', 'auto', 'default', 'standard']);

const KINDS: Readonly<Record<string, 'sizes' | 'qualities'>> = {
  size: 'sizes',
  imagesize: 'sizes',
  resolution: 'sizes',
  quality: 'qualities',
  imagequality: 'qualities',
};
/** No honest request names more of either. */
const MOST_WORDS = 8;

/** Reads what decides the price of a picture. A value that is not a text counts as an unknown word. */
export const askedPicture = (body: Fields): AskedPicture => {
  const found = { sizes: new Set<string>(), qualities: new Set<string>() };
  eachAsked(body, {
    field: (name, value) => {
      const kind = ownOf(KINDS, foldedName(name));
      if (kind === undefined || value === null || value === undefined) return;
      const word = typeof value === 'string' ? wordOf(value) : 'unknown';
      if (!PLAIN.has(word)) found[kind].add(found[kind].size < MOST_WORDS ? word : 'unknown');
    },
  });
  return { sizes: [...found.sizes], qualities: [...found.qualities] };
};

const sizeFactor = (size: string): number => ownOf(SIZE_FACTORS, size) ?? LARGE;

/**
 * How many times the price per call a picture costs: of DALL·E by size and quality, as its price list has it; of any
 * other model once, since its price is set for what it draws.
 */
export const imageFactor = (model: string, { sizes, qualities }: AskedPicture): number => {
  if (!/dall-?e/i.test(model)) return 1;
  const factor = sizes.length === 0 ? 1 : Math.max(...sizes.map(sizeFactor));
  if (qualities.length === 0 || !/dall-?e-3/i.test(model)) return factor;
  // High definition is twice the price of the square, and half as much again for the large sizes.
  return factor === LARGE ? factor * 1.5 : factor * 2;
};

/**
 * Tokens of a GPT Image picture of 1024 by 1024, by quality: those of GPT Image 1, and for the qualities that only
 * 2.5 has, those of 2.5, which takes fewer for the others.
 */
const QUALITY_TOKENS: Readonly<Record<string, number>> = {
  low: 272,
  medium: 1056,
  high: 4160,
  xhigh: 4160,
  max: 7024,
};
const USUAL_TOKENS = 1056;
const MOST_TOKENS = 7024;
const SQUARE_PIXELS = 1024 * 1024;
/** Of a shape other than square; of one that is larger, its area counts. */
const NOT_SQUARE = 1.5;

const sizeShare = (size: string): number => {
  const [, width, height] = SIZE.exec(size) ?? [];
  if (width === undefined || height === undefined) return NOT_SQUARE;
  return Math.max(width === height ? 1 : NOT_SQUARE, (Number(width) * Number(height)) / SQUARE_PIXELS);
};

/** The tokens of one picture, by the table of the model that counts pictures this way. */
export const imageTokens = ({ sizes, qualities }: AskedPicture): number => {
  const square =
    qualities.length === 0
      ? USUAL_TOKENS
      : Math.max(...qualities.map((word) => ownOf(QUALITY_TOKENS, word) ?? MOST_TOKENS));
  return Math.ceil(square * Math.max(1, ...sizes.map(sizeShare)));
};

/** Each preview that a stream shows of a picture costs as many tokens more; a picture has at most three. */
const PREVIEW_TOKENS = 100;
const MOST_PREVIEWS = 3;

/** The tokens of the previews that are asked for, of one picture. Forms say their number as a text. */
export const previewTokens = ({ partial_images: asked }: Fields): number => {
  const previews = asked === undefined || asked === null ? 0 : Number(asked);
  return PREVIEW_TOKENS * (previews >= 0 && previews <= MOST_PREVIEWS ? previews : MOST_PREVIEWS);
};

/** The same if the upstream chooses the most expensive of what the request leaves open. */
export const imageTokensMost = ({ sizes, qualities }: AskedPicture): number =>
  imageTokens({
    sizes: sizes.length === 0 ? ['auto'] : sizes,
    qualities: qualities.length === 0 ? ['high'] : qualities,
  });
