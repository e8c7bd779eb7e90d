import { fieldsOf, isFields, listOf, textOf, type Fields, numberOf } from '#core/json/fields.ts';

const textIn = (document: unknown): string =>
  textOf(document) ?? textOf(fieldsOf(document)['text']) ?? JSON.stringify(document);

/** Writes a rerank request in NVIDIA's format (docs.nvidia.com/nim/nemo-retriever, reranking). */
export const writeNvidiaRerank = (body: Fields): Fields => {
  const { query, documents, top_n: _, return_documents: _returned, ...beside } = body;
  return {
    ...beside,
    query: { text: textIn(query) },
    passages: listOf(documents).map((document) => ({ text: textIn(document) })),
  };
};

/** Turns NVIDIA's logit into a relevance between 0 and 1, as callers expect it. */
const relevance = (logit: unknown): number => 1 / (1 + Math.exp(-numberOf(logit)));

/** The first results, as many as were asked for, with the documents if the caller asked for them. */
export const readNvidiaRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['rankings'])) return reply;
  const documents = listOf(asked['documents']);
  const most = numberOf(asked['top_n'] ?? documents.length);
  const results = listOf(reply['rankings'])
    .slice(0, most)
    .map((item) => {
      const { index, logit } = fieldsOf(item);
      return {
        index,
        relevance_score: relevance(logit),
        ...(asked['return_documents'] === true && { document: { text: textIn(documents[numberOf(index)]) } }),
      };
    });
  return { model: asked['model'], results, ...(reply['usage'] !== undefined && { usage: reply['usage'] }) };
};
