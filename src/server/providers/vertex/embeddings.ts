import { AppError } from '#core/error.ts';
import { fieldsOf, listOf, type Fields } from '../../dialects/openai/fields.ts';

/** A request for embeddings in OpenAI's format as a prediction (cloud.google.com/vertex-ai, text embeddings API). */
export const writeEmbeddings = (body: Fields): Fields => {
  const { input, dimensions } = body;
  const texts = Array.isArray(input) ? input : [input];
  if (!texts.every((text) => typeof text === 'string'))
    throw new AppError('invalid_request', 'input: this upstream takes texts, not tokens', { param: 'input' });
  return {
    instances: texts.map((content) => ({ content })),
    ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
  };
};

/** What was predicted, as OpenAI's list; in base64 for those who asked for that. */
export const readEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const predictions = listOf(fieldsOf(reply)['predictions']).map((item) =>
    fieldsOf(fieldsOf(item)['embeddings']),
  );
  // What is no prediction is told as it is: an error, most likely.
  if (predictions.length === 0) return reply;
  let tokens = 0;
  const data = predictions.map(({ values, statistics }, index) => {
    tokens += Number(fieldsOf(statistics)['token_count']) || 0;
    const numbers = listOf(values).map(Number);
    const embedding = asked['encoding_format'] === 'base64' ? inBase64(numbers) : numbers;
    return { object: 'embedding', index, embedding };
  });
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { object: 'list', data, model: asked['model'], usage };
};

/** OpenAI's own way: 32-bit floats, the least byte first. */
const inBase64 = (numbers: readonly number[]): string => {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, value] of numbers.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
};
