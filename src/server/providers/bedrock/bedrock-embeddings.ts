import { AppError } from '#core/error.ts';
import { fieldsOf, listOf, type Fields } from '../../dialects/openai/fields.ts';
import { embeddingsList, textsToEmbed } from '../embeddings-list.ts';

/**
 * A request for embeddings in OpenAI's format as the model reads it (docs.aws.amazon.com/bedrock, Titan Text Embeddings;
 * Cohere Embed). Throws `invalid_request` for several texts where it takes one, and for models of other makers.
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

/** What was embedded, as OpenAI's list. Cohere's models tell nothing of tokens. */
export const readBedrockEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { embedding, embeddings, inputTextTokenCount } = fieldsOf(reply);
  if (Array.isArray(embedding)) return embeddingsList([embedding], Number(inputTextTokenCount) || 0, asked);
  const vectors = Array.isArray(embeddings) ? embeddings : listOf(fieldsOf(embeddings)['float']);
  return vectors.length === 0 ? reply : embeddingsList(vectors.map(listOf), 0, asked);
};
