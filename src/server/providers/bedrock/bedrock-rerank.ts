// Stands alone: the format of another kind of call than the provider's chats.
import { isFields, listOf, type Fields } from '#core/json/fields.ts';
import { documentText, withDocuments } from '../shared/reply/reranked-documents.ts';

/** The version of Cohere's API that Bedrock uses. */
const COHERE_VERSION = 2;

/**
 * Writes a rerank request for Amazon's and Cohere's models (docs.aws.amazon.com/bedrock, InvokeModel, rerank models). They
 * take the query, the documents as texts, and the number of results.
 */
export const writeBedrockRerank = (body: Fields, model: string): Fields => ({
  query: documentText(body['query']),
  documents: listOf(body['documents']).map(documentText),
  ...(body['top_n'] !== undefined && { top_n: body['top_n'] }),
  ...(/cohere\./.test(model) && { api_version: COHERE_VERSION }),
});

/** The results, with the documents if the caller asked for them. The upstream reports no tokens. */
export const readBedrockRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['results'])) return reply;
  return { model: asked['model'], results: withDocuments(reply['results'], asked) };
};
