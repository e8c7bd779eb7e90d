import { events, json, namedEvents, TEXT, type Question, type Wire, WORDS } from './wire.ts';

const CHAT = { id: 'chat-1', conversation_id: 'c-1', bot_id: 'bot-1' };
const COUNTS = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 15 };

/** Upstreams with their own format and without tools. */
export const talkerWires: readonly Wire[] = [
  {
    type: 15,
    name: 'Baidu',
    reference: 'cloud.baidu.com/doc/WENXINWORKSHOP, access_token, ERNIE, error codes',
    key: 'api-key|secret-key',
    model: 'ERNIE-4.0-8K',
    before: { path: '/oauth/2.0/token', body: { access_token: '24.t', expires_in: 2_592_000 } },
    chat: '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.t',
    headers: {},
    asks: { messages: [{ role: 'user', content: 'Is all well?' }], max_output_tokens: 100 },
    answer: ({ stream }: Question) => {
      const end = { is_truncated: false, need_clear_history: false, usage: COUNTS };
      if (!stream) return json({ id: 'as-1', result: TEXT, finish_reason: 'normal', ...end });
      const isLast = (at: number) => at === WORDS.length - 1;
      return events(
        ...WORDS.map((result, at) => ({ id: 'as-1', sentence_id: at, is_end: isLast(at), result, ...end })),
      );
    },
    offersTools: false,
    tellsUsage: true,
    badKey: { status: 200, body: { error_code: 110, error_msg: 'Access token invalid or no longer valid' } },
    rateLimit: { status: 200, body: { error_code: 18, error_msg: 'Open api qps request limit reached' } },
  },
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
  {
    type: 56,
    name: 'Replicate',
    reference: 'replicate.com/docs/reference/http, models.predictions.create',
    key: 'r8-1',
    model: 'meta/meta-llama-3-8b-instruct',
    chat: '/v1/models/meta/meta-llama-3-8b-instruct/predictions',
    headers: { authorization: 'Bearer r8-1', prefer: 'wait=60' },
    asks: { input: { prompt: 'Is all well?', max_tokens: 100 } },
    // It sends a whole reply even if a stream is requested.
    answer: () =>
      json({
        id: 'p-1',
        model: 'meta/meta-llama-3-8b-instruct',
        status: 'succeeded',
        output: WORDS,
        error: null,
        metrics: { input_token_count: 11, output_token_count: 4 },
      }),
    offersTools: false,
    tellsUsage: true,
    badKey: {
      status: 401,
      body: {
        title: 'Unauthenticated',
        detail: 'You did not pass a valid authentication token',
        status: 401,
      },
    },
    rateLimit: {
      status: 429,
      body: { detail: 'Request was throttled. Expected available in 1 second.', status: 429 },
    },
  },
];
