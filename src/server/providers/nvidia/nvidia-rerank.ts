// Stands alone: the format of another kind of call than the provider's chats.
import { fieldsOf, isFields, listOf, type Fields, numberOf } from '#core/json/fields.ts';
import { documentText, withDocuments } from '../shared/reply/reranked-documents.ts';

/** Writes a rerank request in NVIDIA's format (docs.nvidia.com/nim/nemo-retriever, reranking). */
export const writeNvidiaRerank = (body: Fields): Fields => {
  const { query, documents, top_n: _, return_documents: _returned, ...beside } = body;
  return {
    ...beside,
    query: { text: documentText(query) },
    passages: listOf(documents).map((document) => ({ text: documentText(document) })),
  };
};

/** Turns NVIDIA's logit into a relevance between 0 and 1, as callers expect it. */
const relevance = (logit: unknown): number => 1 / (1 + Math.exp(-numberOf(logit)));

/** The first results, as many as were asked for, with the documents if the caller asked for them. */
export const readNvidiaRerank = (reply: unknown, asked: Fields): unknown => {
  if (!isFields(reply) || !Array.isArray(reply['rankings'])) return reply;
  const most = numberOf(asked['top_n'] ?? listOf(asked['documents']).length);
  const scored = listOf(reply['rankings'])
    .slice(0, most)
    .map(fieldsOf)
    .map(({ index, logit }) => ({ index, relevance_score: relevance(logit) }));
  const results = withDocuments(scored, asked);
  return { model: asked['model'], results, ...(reply['usage'] !== undefined && { usage: reply['usage'] }) };
};
