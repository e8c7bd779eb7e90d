import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';

/** The version of Cohere's interface that is spoken there. */
const COHERE_VERSION = 2;

const textIn = (document: unknown): string => {
  if (typeof document === 'string') return document;
  return textOf(fieldsOf(document)['text']) ?? JSON.stringify(document);
};

/**
 * A request to order documents as Amazon's and Cohere's models read it (docs.aws.amazon.com/bedrock, InvokeModel,
 * rerank models): texts, and nothing beside the question and how many are wanted.
 */
export const writeBedrockRerank = (body: Fields, model: string): Fields => ({
  query: textIn(body['query']),
  documents: listOf(body['documents']).map(textIn),
  ...(body['top_n'] !== undefined && { top_n: body['top_n'] }),
  ...(/cohere\./.test(model) && { api_version: COHERE_VERSION }),
});

/** What was ordered, with the documents beside it for those who asked for them. Nothing is told of tokens. */
export const readBedrockRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['results'])) return reply;
  const documents = listOf(asked['documents']);
  const results = listOf(reply['results']).map((item) => {
    const result = fieldsOf(item);
    return asked['return_documents'] === true
      ? { ...result, document: { text: textIn(documents[Number(result['index'])]) } }
      : result;
  });
  return { model: asked['model'], results };
};
