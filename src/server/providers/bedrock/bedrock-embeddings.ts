import { AppError } from '#core/error.ts';
import { fieldsOf, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { embeddingsList, textsToEmbed } from '../shared/reply/embeddings-list.ts';

/**
 * Writes an embeddings request of OpenAI's format for Titan or Cohere models (docs.aws.amazon.com/bedrock, Titan Text
 * Embeddings; Cohere Embed). Throws `invalid_request` for several texts where the model takes one, and for other makers.
 */
export const writeBedrockEmbeddings = (body: Fields, model: string): Fields => {
  const texts = textsToEmbed(body);
  const { dimensions } = body;
  if (/cohere\.embed/.test(model))
    return {
      texts,
      input_type: body['input_type'] ?? 'search_document',
      ...(dimensions !== undefined && { output_dimension: dimensions }),
    };
  if (!/amazon\.titan-embed-text/.test(model))
    throw new AppError('invalid_request', `model: ${model} is not known to embed texts here`, {
      param: 'model',
    });
  const [inputText] = texts;
  if (texts.length !== 1 || inputText === undefined)
    throw new AppError('invalid_request', 'input: this model embeds one text at a time', { param: 'input' });
  return { inputText, ...(dimensions !== undefined && { dimensions }) };
};

/** The embeddings as OpenAI's list. Cohere's models report no tokens. */
export const readBedrockEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { embedding, embeddings, inputTextTokenCount } = fieldsOf(reply);
  if (Array.isArray(embedding)) return embeddingsList([embedding], numberOf(inputTextTokenCount) || 0, asked);
  const vectors = Array.isArray(embeddings) ? embeddings : listOf(fieldsOf(embeddings)['float']);
  return vectors.length === 0 ? reply : embeddingsList(vectors.map(listOf), 0, asked);
};
