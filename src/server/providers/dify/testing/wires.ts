import { events, json, type Question, TEXT, type Wire, WORDS } from '../../testing/wire.ts';

const COUNTS = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };

export const wires: readonly Wire[] = [
  {
    type: 37,
    name: 'Dify',
    reference: 'docs.dify.ai, chat-messages',
    key: 'app-1',
    model: 'dify',
    chat: '/v1/chat-messages',
    headers: { authorization: 'Bearer app-1' },
    asks: { query: 'Is all well?', response_mode: 'blocking', inputs: {} },
    answer: ({ stream }: Question) => {
      const head = { message_id: 'm-1', conversation_id: 'c-1', task_id: 't-1' };
      const metadata = { usage: COUNTS, retriever_resources: [] };
      if (!stream) return json({ event: 'message', ...head, mode: 'chat', answer: TEXT, metadata });
      return events(...WORDS.map((answer) => ({ event: 'message', ...head, answer })), {
        event: 'message_end',
        ...head,
        metadata,
      });
    },
    offersTools: false,
    tellsUsage: true,
    badKey: { status: 401, body: { code: 'unauthorized', message: 'Access token is invalid', status: 401 } },
    rateLimit: {
      status: 429,
      body: { code: 'too_many_requests', message: 'Too many requests', status: 429 },
    },
  },
];
