import { AppError } from '#core/error.ts';
import { type Fields, numberOf } from '#core/json/fields.ts';

/** The texts of an embeddings request in OpenAI's format. Throws `invalid_request` for token ids. */
export const textsToEmbed = ({ input }: Fields): readonly string[] => {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  return texts.map((text) => {
    if (typeof text === 'string') return text;
    throw new AppError('invalid_request', 'input: this upstream takes texts, not tokens', { param: 'input' });
  });
};

/** Embeddings as OpenAI's list; in base64 where the request asks for it. `tokens` is 0 where the upstream reports none. */
export const embeddingsList = (
  vectors: readonly (readonly unknown[])[],
  tokens: number,
  asked: Fields,
): unknown => ({
  object: 'list',
  data: vectors.map((values, index) => {
    const numbers = values.map(numberOf);
    const embedding = asked['encoding_format'] === 'base64' ? inBase64(numbers) : numbers;
    return { object: 'embedding', index, embedding };
  }),
  model: asked['model'],
  usage: { prompt_tokens: tokens, total_tokens: tokens },
});

/** As OpenAI does: 32-bit floats, little-endian. */
const inBase64 = (numbers: readonly number[]): string => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, value] of numbers.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
};
