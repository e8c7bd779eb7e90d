import { fieldsOf, listOf, type Fields } from '../../dialects/openai/fields.ts';
import { embeddingsList, textsToEmbed } from '../embeddings-list.ts';

/** A request for embeddings in OpenAI's format as a prediction (cloud.google.com/vertex-ai, text embeddings API). */
export const writePrediction = (body: Fields): Fields => ({
  instances: textsToEmbed(body).map((content) => ({ content })),
  ...(body['dimensions'] !== undefined && { parameters: { outputDimensionality: body['dimensions'] } }),
});

/** What was predicted, as OpenAI's list. What is no prediction is told as it is: an error, most likely. */
export const readPrediction = (reply: unknown, asked: Fields): unknown => {
  const embeddings = listOf(fieldsOf(reply)['predictions']).map((item) =>
    fieldsOf(fieldsOf(item)['embeddings']),
  );
  if (embeddings.length === 0) return reply;
  const tokens = embeddings.reduce(
    (sum, { statistics }) => sum + (Number(fieldsOf(statistics)['token_count']) || 0),
    0,
  );
  return embeddingsList(
    embeddings.map(({ values }) => listOf(values)),
    tokens,
    asked,
  );
};
