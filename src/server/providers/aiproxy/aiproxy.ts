import { fieldsOf, listOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import { asOneText, plainChat } from '../plain-chat.ts';
import { plainEgress, type Piece } from '../plain-egress.ts';
import type { Provider } from '../provider.ts';

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
  if (data['success'] === false) return readWhole(data);
  return {
    text: textOf(data['content']) ?? '',
    model: textOf(data['model']) ?? '',
    ...(data['finish'] === true && { finish: 'stop' as const, done: true as const }),
    citations: citationsOf(data['documents']) ?? [],
  };
};

/** A knowledge base at AI Proxy, whose id stands in the channel's `other` (docs.aiproxy.io, library API). */
export const aiproxyLibrary: Provider = {
  dialect: plainEgress({
    name: 'aiproxy-library',
    hasNoStops: true,
    writeRequest: (request) => ({
      model: request.model,
      query: asOneText(plainChat(request)),
      stream: request.stream,
    }),
    readWhole,
    readFrame,
  }),
  operations: ['chat'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel, '/api/library/ask')}/api/library/ask`,
    headers: { ...contentHeaders(call), ...bearer(channel) },
  }),
  hasOwnEnvelope: true,
  adjust: (body, _, channel) => ({ ...body, libraryId: channel.other.trim() }),
};
