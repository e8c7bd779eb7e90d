import { fieldsOf, isFields, listOf, textOf, type Fields, numberOf } from '#core/json/fields.ts';

/** The version of Cohere's API that Bedrock uses. */
const COHERE_VERSION = 2;

const textIn = (document: unknown): string => {
  if (typeof document === 'string') return document;
  return textOf(fieldsOf(document)['text']) ?? JSON.stringify(document);
};

/**
 * Writes a rerank request for Amazon's and Cohere's models (docs.aws.amazon.com/bedrock, InvokeModel, rerank models). They
 * take the query, the documents as texts, and the number of results.
 */
export const writeBedrockRerank = (body: Fields, model: string): Fields => ({
  query: textIn(body['query']),
  documents: listOf(body['documents']).map(textIn),
  ...(body['top_n'] !== undefined && { top_n: body['top_n'] }),
  ...(/cohere\./.test(model) && { api_version: COHERE_VERSION }),
});

/** The results, with the documents if the caller asked for them. The upstream reports no tokens. */
export const readBedrockRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['results'])) return reply;
  const documents = listOf(asked['documents']);
  const results = listOf(reply['results']).map((item) => {
    const result = fieldsOf(item);
    return asked['return_documents'] === true
      ? { ...result, document: { text: textIn(documents[numberOf(result['index'])]) } }
      : result;
  });
  return { model: asked['model'], results };
};
