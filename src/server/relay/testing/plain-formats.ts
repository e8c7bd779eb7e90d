/**
 * One short answer in each format that callers and upstreams speak, whole and as a stream: `Fine.`, 10 tokens in and
 * out.
 */
export interface PlainFormat {
  /** The type of a channel that speaks it. */
  readonly channelType: number;
  readonly path: (model: string, stream: boolean) => string;
  readonly body: (model: string, stream: boolean) => object;
  readonly headers: (key: string) => Readonly<Record<string, string>>;
  readonly whole: object;
  readonly stream: string;
  /** An error in the middle or at the beginning of a stream. */
  readonly errorEvent: string;
  readonly error: (type: string, message: string) => object;
}

export const ANSWER_TEXT = 'Fine.';

const event = (value: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;
const typed = (value: { readonly type: string; readonly [name: string]: unknown }): string =>
  event(value, value.type);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const user = (model: string, stream: boolean) => ({
  model,
  messages: [{ role: 'user', content: 'hi' }],
  ...(stream && { stream }),
});

const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
const chatHead = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
const chunk = (more: object): string => event({ ...chatHead, object: 'chat.completion.chunk', ...more });
const openaiError = (type: string, message: string) => ({ error: { message, type, code: type } });

const chat: PlainFormat = {
  channelType: 1,
  path: () => '/v1/chat/completions',
  body: (model, stream) => ({
    ...user(model, stream),
    ...(stream && { stream_options: { include_usage: true } }),
  }),
  headers: bearer,
  whole: {
    ...chatHead,
    choices: [{ index: 0, message: { role: 'assistant', content: ANSWER_TEXT }, finish_reason: 'stop' }],
    usage,
  },
  stream: [
    chunk({
      choices: [{ index: 0, delta: { role: 'assistant', content: ANSWER_TEXT }, finish_reason: null }],
    }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ].join(''),
  errorEvent: event(openaiError('server_error', 'overloaded')),
  error: openaiError,
};

const messageHead = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });

const messages: PlainFormat = {
  channelType: 14,
  path: () => '/v1/messages',
  body: (model, stream) => ({ ...user(model, stream), max_tokens: 50 }),
  headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  whole: {
    ...messageHead,
    content: [{ type: 'text', text: ANSWER_TEXT }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 10 },
  },
  stream: [
    {
      type: 'message_start',
      message: { ...messageHead, content: [], usage: { input_tokens: 10, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ANSWER_TEXT } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ]
    .map(typed)
    .join(''),
  errorEvent: event(anthropicError('overloaded_error', 'Overloaded'), 'error'),
  error: anthropicError,
};

const content = { type: 'output_text', text: ANSWER_TEXT, annotations: [] };
const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [content] };
const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [item],
  usage: { input_tokens: 10, output_tokens: 10, total_tokens: 20 },
};
const begun = { ...response, status: 'in_progress', output: [], usage: null };
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const responses: PlainFormat = {
  channelType: 1,
  path: () => '/v1/responses',
  body: (model, stream) => ({ model, input: 'hi', store: false, ...(stream && { stream }) }),
  headers: bearer,
  whole: response,
  stream: [
    { type: 'response.created', response: begun },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...place, part: { ...content, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: ANSWER_TEXT },
    { type: 'response.output_text.done', ...place, text: ANSWER_TEXT },
    { type: 'response.content_part.done', ...place, part: content },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]
    .map((one, at) => typed({ ...one, sequence_number: at }))
    .join(''),
  errorEvent: event(
    { type: 'error', code: 'server_error', message: 'overloaded', sequence_number: 0 },
    'error',
  ),
  error: openaiError,
};

const candidates = {
  candidates: [
    { content: { role: 'model', parts: [{ text: ANSWER_TEXT }] }, finishReason: 'STOP', index: 0 },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
};

const gemini: PlainFormat = {
  channelType: 24,
  path: (model, stream) =>
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: () => ({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
  headers: (key) => ({ 'x-goog-api-key': key }),
  whole: candidates,
  stream: event(candidates),
  errorEvent: event({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
  error: (status, message) => ({ error: { code: 429, message, status } }),
};

export const plainFormats = { chat, messages, responses, gemini } as const;
export type PlainFormatName = keyof typeof plainFormats;
