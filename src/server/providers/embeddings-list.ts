import { AppError } from '#core/error.ts';
import type { Fields } from '../dialects/openai/fields.ts';

/** The texts of a request for embeddings in OpenAI's format. Throws `invalid_request` for tokens. */
export const textsToEmbed = ({ input }: Fields): readonly string[] => {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  return texts.map((text) => {
    if (typeof text === 'string') return text;
    throw new AppError('invalid_request', 'input: this upstream takes texts, not tokens', { param: 'input' });
  });
};

/** Embeddings as OpenAI's list, in base64 for those who `asked` for that. `tokens`: 0 where nobody told. */
export const embeddingsList = (
  vectors: readonly (readonly unknown[])[],
  tokens: number,
  asked: Fields,
): unknown => ({
  object: 'list',
  data: vectors.map((values, index) => {
    const numbers = values.map(Number);
    const embedding = asked['encoding_format'] === 'base64' ? inBase64(numbers) : numbers;
    return { object: 'embedding', index, embedding };
  }),
  model: asked['model'],
  usage: { prompt_tokens: tokens, total_tokens: tokens },
});

/** OpenAI's own way: 32-bit floats, the least byte first. */
const inBase64 = (numbers: readonly number[]): string => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, value] of numbers.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
};
