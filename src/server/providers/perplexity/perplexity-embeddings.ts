// Stands alone: every operation whose format is the provider's own has a file in its folder.
import { fieldsOf, listOf, textOf, type Fields, numberOf } from '#core/json/fields.ts';
import { embeddingsList, textsToEmbed } from '../shared/reply/embeddings-list.ts';

/** Writes an embeddings request (docs.perplexity.ai/api-reference/embeddings-post). Perplexity returns only signed bytes. */
export const writeEmbeddings = (body: Fields, model: string): Fields => ({
  model,
  input: textsToEmbed(body),
  ...(body['dimensions'] !== undefined && { dimensions: body['dimensions'] }),
  encoding_format: 'base64_int8',
});

/** Its vectors of signed bytes as OpenAI's list; a refusal passes unchanged. */
export const readEmbeddings = (reply: unknown, asked: Fields): unknown => {
  const { data, usage } = fieldsOf(reply);
  if (!Array.isArray(data)) return reply;
  const vectors = listOf(data).map((item) => {
    const bytes = Buffer.from(textOf(fieldsOf(item)['embedding']) ?? '', 'base64');
    return [...new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)];
  });
  return embeddingsList(vectors, numberOf(fieldsOf(usage)['prompt_tokens']) || 0, asked);
};
