/** Splits a text roughly like a tokenizer: words with their space, punctuation, single CJK characters. */
export const pieces = (text: string): string[] =>
  text.match(
    /\s*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\s*[\p{L}\p{N}]{1,8}|\s*[^\p{L}\p{N}\s]{1,3}|\s+/gu,
  ) ?? [];

/** A rough, stable token count of any JSON value. */
export const countTokens = (value: unknown): number => {
  if (typeof value === 'string')
    return value.length > 10_000 ? Math.ceil(Buffer.byteLength(value) / 4) : pieces(value).length;
  if (typeof value === 'number') return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countTokens(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  if ('type' in value && value.type === 'image_url') return 85;
  return Object.values(value).reduce((sum: number, item) => sum + countTokens(item), 0);
};
