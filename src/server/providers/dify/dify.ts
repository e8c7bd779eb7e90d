import type { Usage } from '#core/chat/usage.ts';
import { readUsage } from '../../dialects/openai/usage.ts';
import { fieldsOf, textOf, type Fields } from '../../dialects/openai/fields.ts';
import { baseUrlOf, bearer, contentHeaders } from '../openai-layout.ts';
import { asOneText, plainChat } from '../plain-chat.ts';
import { plainEgress, type Piece } from '../plain-egress.ts';
import type { Provider } from '../provider.ts';

/** Dify counts what its whole application used; a report of nothing is none. */
const usageOf = (value: unknown): Usage | undefined => readUsage(fieldsOf(fieldsOf(value)['usage']));

const readWhole = (body: Fields): Piece => {
  const usage = usageOf(body['metadata']);
  const failed = body['answer'] === undefined && textOf(body['message']) !== undefined;
  return {
    id: textOf(body['message_id']) ?? '',
    text: textOf(body['answer']) ?? '',
    ...(typeof body['answer'] === 'string' && { finish: 'stop' as const }),
    ...(usage !== undefined && { usage }),
    ...(failed && { error: { message: String(body['message']), code: textOf(body['code']) ?? '' } }),
  };
};

/** Source: docs.dify.ai, "Send chat message", events of a stream. */
const readFrame = (data: Fields): Piece | undefined => {
  const id = textOf(data['message_id']) ?? '';
  switch (data['event']) {
    case 'message':
    case 'agent_message':
      return { id, text: textOf(data['answer']) ?? '' };
    case 'agent_thought':
      return { id, reasoning: textOf(data['thought']) ?? '' };
    case 'message_replace':
      return { id, finish: 'content-filter' };
    case 'message_end': {
      const usage = usageOf(data['metadata']);
      return { id, finish: 'stop', done: true, ...(usage !== undefined && { usage }) };
    }
    case 'error':
      return { error: { message: textOf(data['message']) ?? '', code: textOf(data['code']) ?? '' } };
    default:
      return undefined;
  }
};

/** A Dify application (docs.dify.ai, chat applications): it takes one question, so a conversation goes as one text. */
export const dify: Provider = {
  dialect: plainEgress({
    name: 'dify',
    hasNoStops: true,
    writeRequest: (request) => ({
      inputs: {},
      query: asOneText(plainChat(request)),
      response_mode: request.stream ? 'streaming' : 'blocking',
      user: request.endUser ?? 'tollgate',
      auto_generate_name: false,
    }),
    readWhole,
    readFrame,
  }),
  operations: ['chat'],
  address: (channel, call) => ({
    url: `${baseUrlOf(channel).replace(/\/v1$/, '')}/v1/chat-messages`,
    headers: { ...contentHeaders(call), ...bearer(channel) },
  }),
};
