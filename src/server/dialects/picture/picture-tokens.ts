import type { PictureSize } from './picture-head.ts';

/** A picture of a prompt, as far as the request tells of it. */
export interface Picture {
  /** Undefined for one that is named by its address, or in a format without a known header. */
  readonly size: PictureSize | undefined;
  /** Asked for in low detail, which only some makers know. */
  readonly isLow: boolean;
}

/** How a maker counts a picture of this size, in tokens. */
interface Sight {
  readonly tokens: (size: PictureSize) => number;
  /** In low detail, where the maker knows that. */
  readonly low?: number;
  /** A larger picture is made smaller, so no address can cost more. */
  readonly most?: number;
  /** A page of a document, beside its words, where that is told. */
  readonly page?: number;
}

const squares = ({ width, height }: PictureSize, side: number): number =>
  Math.ceil(width / side) * Math.ceil(height / side);

/** OpenAI's older models see squares of 512 pixels, of a picture that is 768 wide and at most 2048 long. */
const tiles = (base: number, each: number): Sight => ({
  tokens: ({ width, height }) => {
    const scale = Math.min(768 / Math.min(width, height), 2048 / Math.max(width, height));
    return base + each * squares({ width: width * scale, height: height * scale }, 512);
  },
  low: base,
  most: base + each * 8,
});

/** OpenAI's small models see squares of 32 pixels, of which they count so many at most, times a factor. */
const patches = (budget: number, factor: number): Sight => ({
  tokens: (size) => Math.ceil(Math.min(squares(size, 32), budget) * factor),
  most: Math.ceil(budget * factor),
});

/** OpenAI's newest models see a picture as large as it is. */
const LARGE: Sight = { tokens: (size) => Math.ceil(squares(size, 32) * 1.2), low: 320 };

const OLD_CLAUDE: Sight = { tokens: ({ width, height }) => Math.ceil((width * height) / 750), most: 1600 };
const NEW_CLAUDE: Sight = { tokens: (size) => squares(size, 28), most: 4784, page: 2000 };

/** Gemini before 3 sees squares of 256 to 768 pixels, as large as two thirds of the shorter side; a small picture whole. */
const OLD_GEMINI: Sight = {
  tokens: (size) => {
    if (Math.max(size.width, size.height) <= 384) return 258;
    const side = Math.floor(Math.min(size.width, size.height) / 1.5);
    return 258 * squares(size, Math.min(768, Math.max(256, side)));
  },
  page: 258,
};
/** The same for every picture, by the resolution that is asked for: this is the highest. */
const NEW_GEMINI: Sight = { tokens: () => 2240, most: 2240, page: 1120 };

/** Others see squares of 28 pixels or larger ones, and count some hundreds for the smallest picture. */
const OTHERS: Sight = { tokens: (size) => Math.max(2000, squares(size, 28)) };

/**
 * By the name of the model, as its maker calls it. Sources: developers.openai.com, Images and vision; platform.claude.com,
 * Vision; ai.google.dev, Understand and count tokens, and Media resolution (November 2026). What a picture costs OpenAI's newest
 * models was measured at `gpt-6.1-sol` (docs.apiyi.com, 20 October 2026).
 */
const SIGHTS: readonly (readonly [RegExp, Sight])[] = [
  [/^gpt-4o-mini/, tiles(2833, 5667)],
  [/^gpt-(?:4\.1|5)-nano/, patches(1536, 2.46)],
  [/^(?:gpt-(?:4\.1|5)-mini|o4-mini|gpt-5(?:\.1)?-codex-mini|gpt-5\.[23])/, patches(1536, 1.72)],
  [/^(?:gpt-4|chatgpt|o[13](?!\d)|gpt-5(?:\.1)?(?![.\d])|computer-use)/, tiles(85, 170)],
  [/^(?:gpt|codex|o\d)/, LARGE],
  [
    /^claude-(?:instant|[23](?!\d)|(?:opus|sonnet|haiku)-4(?:[-.][0-6])?(?!\d|[-.]\d{1,2}(?!\d)))/,
    OLD_CLAUDE,
  ],
  [/^claude/, NEW_CLAUDE],
  [/^gemini-(?:pro|[12](?!\d))/, OLD_GEMINI],
  [/^gemini/, NEW_GEMINI],
];

/** The last part of `openai/gpt-4o`, or of `ft:gpt-4.1:me` the part after the kind. */
const nameOf = (model: string): string => /(?:^|\/)(?:ft:)?([^/]*)$/.exec(model)?.[1]?.toLowerCase() ?? '';

/** Whether it is a model of Google's that sees. */
export const isGemini = (model: string): boolean => nameOf(model).startsWith('gemini');

const sightOf = (model: string): Sight => {
  const name = nameOf(model);
  return SIGHTS.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERS;
};

/** A picture of unknown size is assumed to have two megapixels, and may have 36: more is refused by those who see all of it. */
const USUAL_TOKENS = 2000;
const LARGEST: PictureSize = { width: 6000, height: 6000 };

/** What pictures count as: surely at most, or `usual` and at most `most` where the size of one is not known. */
export interface PictureTokens {
  readonly usual: number;
  readonly most: number;
}

/** Where makers make large pictures smaller, one of unknown size counts as the largest. */
const countedAs = (
  { tokens, low, most = Infinity }: Sight,
  size: PictureSize | undefined,
  isLow = false,
): number => {
  if (isLow && low !== undefined) return low;
  if (size === undefined && most !== Infinity) return most;
  return Math.min(tokens(size ?? LARGEST), most);
};

/** The tokens of pictures by their maker's formula, for the hold and never for billing. */
export const pictureTokens = (model: string, pictures: readonly Picture[]): PictureTokens => {
  let [usual, most] = [0, 0];
  if (pictures.length === 0) return { usual, most };
  const sight = sightOf(model);
  const { low, most: limit = Infinity } = sight;
  for (const { size, isLow } of pictures) {
    const isKnown = size !== undefined || (isLow && low !== undefined) || limit !== Infinity;
    const counted = countedAs(sight, size, isLow);
    most += counted;
    usual += isKnown ? counted : Math.min(USUAL_TOKENS, counted);
  }
  return { usual, most };
};

/** Makers show a model each page as a picture of about this size: A4 at 150 dots an inch. */
const PAGE: PictureSize = { width: 1240, height: 1754 };

/** What a page of a document counts as, beside its words. */
export const pageTokens = (model: string): number => {
  const sight = sightOf(model);
  return sight.page ?? countedAs(sight, PAGE);
};
