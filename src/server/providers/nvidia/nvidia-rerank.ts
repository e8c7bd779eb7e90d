import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';

const textIn = (document: unknown): string =>
  textOf(document) ?? textOf(fieldsOf(document)['text']) ?? JSON.stringify(document);

/** A request to order documents in NVIDIA's words (docs.nvidia.com/nim/nemo-retriever, reranking). */
export const writeNvidiaRerank = (body: Fields): Fields => {
  const { query, documents, top_n: _, return_documents: _returned, ...beside } = body;
  return {
    ...beside,
    query: { text: textIn(query) },
    passages: listOf(documents).map((document) => ({ text: textIn(document) })),
  };
};

/** What it thinks of each passage is a logit; callers look for a number between 0 and 1. */
const relevance = (logit: unknown): number => 1 / (1 + Math.exp(-Number(logit)));

/** Its order, as far down as was asked for, with the documents beside it for those who asked for them. */
export const readNvidiaRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['rankings'])) return reply;
  const documents = listOf(asked['documents']);
  const most = Number(asked['top_n'] ?? documents.length);
  const results = listOf(reply['rankings'])
    .slice(0, most)
    .map((item) => {
      const { index, logit } = fieldsOf(item);
      return {
        index,
        relevance_score: relevance(logit),
        ...(asked['return_documents'] === true && { document: { text: textIn(documents[Number(index)]) } }),
      };
    });
  return { model: asked['model'], results, ...(reply['usage'] !== undefined && { usage: reply['usage'] }) };
};
