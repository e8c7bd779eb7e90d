const SIZE = /^(\d{2,5})x(\d{2,5})$/;

/** Price of a picture of DALL·E by its size, as a part of that of 1024 by 1024. */
const SIZE_FACTORS: Readonly<Record<string, number>> = {
  '256x256': 0.4,
  '512x512': 0.45,
  '1024x1024': 1,
  '1024x1792': 2,
  '1792x1024': 2,
};

/** Some upstreams read words in any case, and `×` for an x. */
const given = (value: string | null | undefined): string =>
  (value ?? '').trim().toLowerCase().replace('×', 'x');

/**
 * How many times the price per call a picture costs: of DALL·E by size and quality, as its price list has it; of any
 * other model once, since its price is set for what it draws.
 */
export const imageFactor = (
  model: string,
  size: string | null | undefined,
  quality: string | null | undefined,
): number => {
  if (!/dall-?e/i.test(model)) return 1;
  const factor = SIZE_FACTORS[given(size)] ?? 1;
  if (given(quality) !== 'hd' || !/dall-?e-3/i.test(model)) return factor;
  // High definition is twice the price of the square, and half as much again for the large sizes.
  return factor === 2 ? factor * 1.5 : factor * 2;
};

/** Tokens of a square picture of GPT Image by its quality; other shapes have half as many again. */
const QUALITY_TOKENS: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 };

/** What one picture is in tokens, by the table of the model that counts pictures so. */
export const imageTokens = (size: string | null | undefined, quality: string | null | undefined): number => {
  const square = QUALITY_TOKENS[given(quality)] ?? (given(quality) === 'hd' ? 4160 : 1056);
  const [, width, height] = SIZE.exec(given(size)) ?? [];
  return width === height ? square : Math.ceil(square * 1.5);
};
