import { namedEvents, type Wire, WORDS } from '../../testing/wire.ts';

const CHAT = { id: 'chat-1', conversation_id: 'c-1', bot_id: 'bot-1' };

export const wires: readonly Wire[] = [
  {
    type: 49,
    name: 'Coze',
    reference: 'coze.cn/open/docs/developer_guides/chat_v3; error codes',
    key: 'pat-1',
    other: 'bot-1',
    model: 'coze',
    chat: '/v3/chat',
    headers: { authorization: 'Bearer pat-1' },
    // It always gets a streaming request; a whole answer would have to be polled.
    asks: { bot_id: 'bot-1', stream: true, additional_messages: [{ role: 'user', content: 'Is all well?' }] },
    answer: () =>
      namedEvents([
        ['conversation.chat.created', { ...CHAT, status: 'created' }],
        ...WORDS.map(
          (content) =>
            ['conversation.message.delta', { ...CHAT, role: 'assistant', type: 'answer', content }] as const,
        ),
        [
          'conversation.chat.completed',
          { ...CHAT, status: 'completed', usage: { token_count: 15, output_count: 4, input_count: 11 } },
        ],
        ['done', {}],
      ]),
    offersTools: false,
    tellsUsage: true,
    badKey: { status: 200, body: { code: 4100, msg: 'authentication is invalid' } },
    rateLimit: { status: 200, body: { code: 4013, msg: 'Request frequency exceeds the limit' } },
  },
];
