import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import type { AuthorizeTools, OutboundReply, OutboundRequest } from '#core/outbound/outbound.ts';
import { embeddingsList, textsToEmbed } from '../shared/reply/embeddings-list.ts';
import { assertFew, vectorByVector } from '../shared/reply/vector-by-vector.ts';
import { sentFields } from '../shared/request/sent-fields.ts';

/** Whether a model embeds one text a request, as all of Gemini's do. */
const takesOne = (model: string): boolean => model.startsWith('gemini-');

/** Gemini's models since the second embed contents; the others predict. */
export const embedsContent = (model: string): boolean => /^gemini-embedding-(?!0)/.test(model);

/**
 * Writes an embeddings request of OpenAI's format as a prediction, or as contents (cloud.google.com/vertex-ai, text
 * embeddings API, embedContent).
 */
export const writeVertexEmbeddings = (body: Fields, model: string): Fields => {
  const texts = textsToEmbed(body);
  if (takesOne(model)) assertFew(texts);
  const size = body['dimensions'] === undefined ? undefined : { outputDimensionality: body['dimensions'] };
  if (embedsContent(model))
    return {
      contents: texts.map((text) => ({ parts: [{ text }] })),
      ...(size !== undefined && { embedContentConfig: size }),
    };
  return {
    instances: texts.map((content) => ({ content })),
    ...(size !== undefined && { parameters: size }),
  };
};

/** Requests the vectors: of a model that takes one text, one by one. */
export const embedAtVertex = (request: OutboundRequest, tools: AuthorizeTools): Promise<OutboundReply> => {
  const [, model = ''] = /\/models\/([^/:]+):/.exec(request.url) ?? [];
  if (!takesOne(model)) return tools.send(request, tools.signal);
  const { instances, contents, ...beside } = sentFields(request);
  const bodies =
    contents === undefined
      ? listOf(instances).map((instance) => ({ instances: [instance], ...beside }))
      : listOf(contents).map((content) => ({ content, ...beside }));
  return vectorByVector(request, tools, bodies, {
    reply: joined,
    list: (answers) => fieldsOf(readVertexEmbeddings(joined(answers), { model })),
  });
};

const joined = (answers: readonly Fields[]): Fields => ({
  predictions: answers.flatMap(({ predictions }) => listOf(predictions)),
  embeddings: answers.flatMap(({ embedding }) => (embedding === undefined ? [] : [embedding])),
  usageMetadata: {
    promptTokenCount: answers.reduce(
      (sum, { usageMetadata }) => sum + (numberOf(fieldsOf(usageMetadata)['promptTokenCount']) || 0),
      0,
    ),
  },
});

/** The vectors as OpenAI's list. Any other reply, such as an error, passes unchanged. */
export const readVertexEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { predictions, embeddings, usageMetadata } = fieldsOf(reply);
  const predicted = listOf(predictions).map((item) => fieldsOf(fieldsOf(item)['embeddings']));
  const vectors = [...predicted, ...listOf(embeddings).map(fieldsOf)];
  if (vectors.length === 0) return reply;
  const tokens = predicted.reduce(
    (sum, { statistics }) => sum + (numberOf(fieldsOf(statistics)['token_count']) || 0),
    numberOf(fieldsOf(usageMetadata)['promptTokenCount']) || 0,
  );
  return embeddingsList(
    vectors.map(({ values }) => listOf(values)),
    tokens,
    asked,
  );
};
