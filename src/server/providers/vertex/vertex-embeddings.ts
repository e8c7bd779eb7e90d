// Stands alone: every operation whose format is the provider's own has a file in its folder.
import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { embeddingsList, textsToEmbed } from '../shared/reply/embeddings-list.ts';

/** Writes an embeddings request of OpenAI's format as a prediction (cloud.google.com/vertex-ai, text embeddings API). */
export const writePrediction = (body: Fields): Fields => ({
  instances: textsToEmbed(body).map((content) => ({ content })),
  ...(body['dimensions'] !== undefined && { parameters: { outputDimensionality: body['dimensions'] } }),
});

/** The predictions as OpenAI's list. Any other reply, such as an error, passes unchanged. */
export const readPrediction = (reply: unknown, asked: Fields): unknown => {
  const embeddings = listOf(fieldsOf(reply)['predictions']).map((item) =>
    fieldsOf(fieldsOf(item)['embeddings']),
  );
  if (embeddings.length === 0) return reply;
  const tokens = embeddings.reduce(
    (sum, { statistics }) => sum + (numberOf(fieldsOf(statistics)['token_count']) || 0),
    0,
  );
  return embeddingsList(
    embeddings.map(({ values }) => listOf(values)),
    tokens,
    asked,
  );
};
