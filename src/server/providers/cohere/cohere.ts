import type { Egress } from '../../dialects/dialect.ts';
import { readErrorInside, readUpstreamError } from '../../dialects/openai/error.ts';
import { type Fields, fieldsOf, isFields, listOf, parsedFields, textOf } from '#core/json/fields.ts';
import { PAYMENT_REQUIRED } from '../shared/description/error-patterns.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { provider } from '../shared/description/provider.ts';
import { documentText, withDocuments } from '../shared/reply/reranked-documents.ts';
import { tappedEvents, tappedWhole } from '../shared/reply/tapped-events.ts';
import { named } from '../shared/description/model-lists.ts';
import { readEvent, readWhole } from './cohere-reply.ts';
import { writeCohere } from './cohere-request.ts';

const isRefusal = (body: Fields): boolean => textOf(body['message']) !== undefined;

/** Cohere's own chat, version 2. A stream ends with `message-end`; an end mark after it adds nothing. */
export const cohereChat: Egress = {
  name: 'cohere',
  writeRequest: writeCohere,
  tap: (frame) => {
    const body = parsedFields(frame.data);
    return body === undefined ? undefined : tappedEvents(readEvent(body));
  },
  tapWhole: (body) => {
    const reply = fieldsOf(body);
    if (isRefusal(reply)) return { error: readErrorInside(reply) };
    const isReply = reply['message'] !== undefined || reply['finish_reason'] !== undefined;
    return tappedWhole(isReply ? tappedEvents(readWhole(reply)) : {});
  },
  readError: readUpstreamError,
  readWhole,
  openReader: () => ({
    read: (frame) => {
      const body = parsedFields(frame.data);
      return body === undefined ? [] : readEvent(body);
    },
    end: () => [],
  }),
};

/** Version 2 takes documents as texts and returns only scores, not documents (docs.cohere.com/reference/rerank). */
const writeRerank = (body: Fields): Fields => {
  const { return_documents: _, documents, ...rest } = body;
  return { ...rest, documents: listOf(documents).map(documentText) };
};

const readRerank = (reply: unknown, asked: Fields): unknown =>
  isFields(reply) && Array.isArray(reply['results'])
    ? { ...reply, results: withDocuments(reply['results'], asked) }
    : reply;

/** Cohere (docs.cohere.com). */
export const cohere = provider({
  types: [34],
  key: 'bearer',
  dialect: cohereChat,
  root: (channel) => baseUrlOf(channel).replace(/(?:\/compatibility)?\/v[12]$/, ''),
  offers: {
    chat: { path: '/v2/chat' },
    // Cohere accepts embeddings in OpenAI's format at a path of its own.
    embeddings: { path: '/compatibility/v1/embeddings' },
    rerank: { path: '/v2/rerank', write: writeRerank, read: (reply, _, asked) => readRerank(reply, asked) },
    transcriptions: { path: '/v2/audio/transcriptions' },
    models: { path: '/v1/models?page_size=1000' },
  },
  readModels: (body) =>
    listOf(fieldsOf(body)['models']).flatMap((model) => textOf(fieldsOf(model)['name']) ?? []),
  // docs.cohere.com/reference/errors: 498 is a blocked request or answer.
  errorPatterns: { ...PAYMENT_REQUIRED, request: /^\[498\]/ },
  // docs.cohere.com/docs/models
  models: named(`command-a-plus-05-2026 command-a-03-2025 command-a-reasoning-08-2025 command-a-vision-07-2025
    command-a-translate-08-2025 command-r7b-12-2024 command-r-plus-08-2024 command-r-08-2024
    embed-v4.0 embed-multilingual-v3.0 embed-english-v3.0 rerank-v4.0-pro rerank-v4.0-fast rerank-v3.5`),
});
