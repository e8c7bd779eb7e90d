import { type Fields, fieldsOf, listOf, textOf } from '#core/json/fields.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { asOneText, textOnlyChat } from '../shared/chat/text-only-chat.ts';
import { type Piece, textOnlyEgress } from '../shared/chat/text-only-egress.ts';
import { provider } from '../shared/description/provider.ts';

const citationsOf = (value: unknown): Piece['citations'] =>
  listOf(value).flatMap((item) => {
    const { url, title } = fieldsOf(item);
    return typeof url === 'string' && url !== ''
      ? [{ url, ...(typeof title === 'string' && title !== '' && { title }) }]
      : [];
  });

const readWhole = (body: Fields): Piece => {
  if (body['success'] === false || (textOf(body['errCode']) ?? '') !== '')
    return { error: { message: textOf(body['message']) ?? '', code: textOf(body['errCode']) ?? '' } };
  return {
    text: textOf(body['answer']) ?? '',
    citations: citationsOf(body['documents']) ?? [],
    ...(typeof body['answer'] === 'string' && { finish: 'stop' as const }),
  };
};

const readFrame = (data: Fields): Piece => {
  // The whole answer may come in place of a stream.
  if (data['success'] === false || data['answer'] !== undefined) return readWhole(data);
  return {
    text: textOf(data['content']) ?? '',
    model: textOf(data['model']) ?? '',
    ...(data['finish'] === true && { finish: 'stop' as const, done: true as const }),
    citations: citationsOf(data['documents']) ?? [],
  };
};

/** A knowledge base at AI Proxy; its id is the channel's `other` (docs.aiproxy.io, library API). */
export const aiproxy = provider({
  types: [21],
  key: 'bearer',
  dialect: textOnlyEgress({
    name: 'aiproxy-library',
    hasNoStops: true,
    writeRequest: (request) => ({
      model: request.model,
      query: asOneText(textOnlyChat(request)),
      stream: request.stream,
    }),
    readWhole,
    readFrame,
  }),
  root: (channel) => baseUrlOf(channel, '/api/library/ask'),
  hasOwnEnvelope: true,
  offers: {
    chat: {
      path: '/api/library/ask',
      write: (body, _, channel) => ({ ...body, libraryId: channel.other.trim() }),
    },
  },
});
