import { events, json, type Question, TEXT, type Wire, WORDS } from '../../testing/wire.ts';

export const wires: readonly Wire[] = [
  {
    type: 21,
    name: 'AI Proxy',
    reference: 'docs.aiproxy.io, library API',
    key: 'ap-1',
    other: 'library-1',
    model: 'gpt-4o',
    chat: '/api/library/ask',
    headers: { authorization: 'Bearer ap-1' },
    asks: { model: 'gpt-4o', query: 'Is all well?', libraryId: 'library-1' },
    answer: ({ stream }: Question) =>
      stream
        ? events(...WORDS.map((content) => ({ content, finish: false, model: 'gpt-4o' })), {
            content: '',
            finish: true,
            model: 'gpt-4o',
            documents: [],
          })
        : json({ success: true, errCode: '', message: '', answer: TEXT, documents: [] }),
    offersTools: false,
    tellsUsage: false,
    badKey: { status: 401, body: { success: false, errCode: 'unauthorized', message: 'no such key' } },
    rateLimit: { status: 429, body: { success: false, errCode: 'rate_limit', message: 'too many requests' } },
  },
];
