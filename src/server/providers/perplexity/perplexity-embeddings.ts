import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { embeddingsList, textsToEmbed } from '../embeddings-list.ts';

/** A request for embeddings as Perplexity reads it (docs.perplexity.ai/api-reference/embeddings-post): bytes are all it gives. */
export const writeEmbeddings = (body: Fields, model: string): Fields => ({
  model,
  input: textsToEmbed(body),
  ...(body['dimensions'] !== undefined && { dimensions: body['dimensions'] }),
  encoding_format: 'base64_int8',
});

/** Its vectors of signed bytes as OpenAI's list; a refusal as it is. */
export const readEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { data, usage } = fieldsOf(reply);
  if (!Array.isArray(data)) return reply;
  const vectors = listOf(data).map((item) => {
    const bytes = Buffer.from(textOf(fieldsOf(item)['embedding']) ?? '', 'base64');
    return [...new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)];
  });
  return embeddingsList(vectors, Number(fieldsOf(usage)['prompt_tokens']) || 0, asked);
};
