import { AppError } from '#core/error.ts';
import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { embeddingsList, textsToEmbed } from '../shared/reply/embeddings-list.ts';

/** Gemini's models since the second embed contents; the others predict. */
export const embedsContent = (model: string): boolean => /^gemini-embedding-(?!0)/.test(model);

/**
 * Writes an embeddings request of OpenAI's format as a prediction, or as a content (cloud.google.com/vertex-ai, text
 * embeddings API, embedContent). Throws `invalid_request` for several texts where the model takes one, as all of
 * Gemini's do.
 */
export const writeVertexEmbeddings = (body: Fields, model: string): Fields => {
  const texts = textsToEmbed(body);
  if (texts.length > 1 && model.startsWith('gemini-'))
    throw new AppError('invalid_request', 'input: this model embeds one text at a time', { param: 'input' });
  const size = body['dimensions'] === undefined ? undefined : { outputDimensionality: body['dimensions'] };
  if (embedsContent(model))
    return {
      content: { parts: texts.map((text) => ({ text })) },
      ...(size !== undefined && { embedContentConfig: size }),
    };
  return {
    instances: texts.map((content) => ({ content })),
    ...(size !== undefined && { parameters: size }),
  };
};

/** The vectors as OpenAI's list. Any other reply, such as an error, passes unchanged. */
export const readVertexEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { predictions, embedding, usageMetadata } = fieldsOf(reply);
  if (embedding !== undefined) {
    const tokens = numberOf(fieldsOf(usageMetadata)['promptTokenCount']) || 0;
    return embeddingsList([listOf(fieldsOf(embedding)['values'])], tokens, asked);
  }
  const embeddings = listOf(predictions).map((item) => fieldsOf(fieldsOf(item)['embeddings']));
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
