import type { Egress } from '../../dialects/dialect.ts';
import { readErrorInside, readUpstreamError } from '../../dialects/openai/error.ts';
import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import type { Operation } from '#core/operation.ts';
import type { Provider } from '../provider.ts';
import { tappedEvents, tappedWhole } from '../tapped-events.ts';
import { readEvent, readWhole } from './cohere-reply.ts';
import { writeCohere } from './cohere-request.ts';

const isRefusal = (body: Fields): boolean => textOf(body['message']) !== undefined;

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Cohere's own chat, version 2. Its end mark, where there is one, says nothing that `message-end` has not. */
export const cohereChat: Egress = {
  name: 'cohere',
  writeRequest: writeCohere,
  askForUsage: (body) => body,
  tap: (frame) => {
    const body = parse(frame.data.toString());
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
      const body = parse(frame.data.toString());
      return body === undefined ? [] : readEvent(body);
    },
    end: () => [],
  }),
};

const PATHS: Partial<Readonly<Record<Operation, string>>> = {
  chat: '/v2/chat',
  // Embeddings are repeated in OpenAI's format, which it reads at an address of its own.
  embeddings: '/compatibility/v1/embeddings',
  rerank: '/v2/rerank',
  transcriptions: '/v2/audio/transcriptions',
  models: '/v1/models?page_size=1000',
};

/** Its second version takes texts alone, and gives back numbers, never the documents (docs.cohere.com/reference/rerank). */
const writeRerank = (body: Fields): Fields => {
  const { return_documents: _, documents, ...rest } = body;
  const texts = listOf(documents).map((document) =>
    typeof document === 'string'
      ? document
      : (textOf(fieldsOf(document)['text']) ?? JSON.stringify(document)),
  );
  return { ...rest, documents: texts };
};

/** Cohere (docs.cohere.com). */
export const cohere: Provider = {
  dialect: cohereChat,
  operations: ['chat', 'embeddings', 'rerank', 'transcriptions', 'models'],
  address: (channel, call) => ({
    url: baseUrlOf(channel).replace(/(?:\/compatibility)?\/v[12]$/, '') + (PATHS[call.operation] ?? ''),
    headers: { ...contentHeaders(call), ...bearer(channel) },
  }),
  adjust: (body, call) => (call.operation === 'rerank' ? writeRerank(body) : body),
  readModels: (body) =>
    listOf(fieldsOf(body)['models']).flatMap((model) => textOf(fieldsOf(model)['name']) ?? []),
};
