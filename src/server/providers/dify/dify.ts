import type { Usage } from '#core/chat/usage.ts';
import { type Fields, fieldsOf, textOf, wordOf } from '#core/json/fields.ts';
import { readUsage } from '../../dialects/openai/usage/usage.ts';
import { baseUrlOf } from '../shared/description/base-url.ts';
import { asOneText, textOnlyChat } from '../shared/chat/text-only-chat.ts';
import { type Piece, textOnlyEgress } from '../shared/chat/text-only-egress.ts';
import { provider } from '../shared/description/provider.ts';

/** The usage of the whole application; a usage report of zero counts as no report. */
const usageOf = (value: unknown): Usage | undefined => readUsage(fieldsOf(fieldsOf(value)['usage']));

const readWhole = (body: Fields): Piece => {
  const usage = usageOf(body['metadata']);
  const failed = body['answer'] === undefined && textOf(body['message']) !== undefined;
  return {
    id: textOf(body['message_id']) ?? '',
    text: textOf(body['answer']) ?? '',
    ...(typeof body['answer'] === 'string' && { finish: 'stop' as const }),
    ...(usage !== undefined && { usage }),
    ...(failed && { error: { message: wordOf(body['message']), code: textOf(body['code']) ?? '' } }),
  };
};

/** Source: docs.dify.ai, "Send chat message", events of a stream. */
const readFrame = (data: Fields): Piece | undefined => {
  const id = textOf(data['message_id']) ?? '';
  switch (data['event']) {
    case 'message':
      // With it, the whole answer has come in place of a stream.
      return data['metadata'] === undefined ? { id, text: textOf(data['answer']) ?? '' } : readWhole(data);
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

/** A Dify application (docs.dify.ai, chat applications). It takes a single query, so a conversation is sent as one text. */
export const dify = provider({
  types: [37],
  key: 'bearer',
  dialect: textOnlyEgress({
    name: 'dify',
    hasNoStops: true,
    writeRequest: (request) => ({
      inputs: {},
      query: asOneText(textOnlyChat(request)),
      response_mode: request.stream ? 'streaming' : 'blocking',
      user: request.endUser ?? 'tollgate',
      auto_generate_name: false,
    }),
    readWhole,
    readFrame,
  }),
  root: (channel) => baseUrlOf(channel).replace(/\/v1$/, ''),
  offers: { chat: { path: '/v1/chat-messages' } },
  errorPatterns: { billing: /\[provider_quota_exceeded\]/ },
});
