import type { DialectName } from '../../../src/server/core/chat/request.ts';
import { type FormatCall, startFormatUpstream } from './format-upstream.ts';

/** The two parallel tool calls of the model, and its text after both results. */
export const CALLS = [
  { name: 'get_weather', arguments: { city: 'Paris' } },
  { name: 'get_time', arguments: { zone: 'Asia/Tokyo' } },
] as const;
export const BOTH_KNOWN = 'Sunny in Paris, noon in Tokyo — 東京は正午です 🗼';

/** 100 tokens in, 64 of them from the cache, and 12 out. */
const CHAT_USAGE = {
  prompt_tokens: 100,
  prompt_tokens_details: { cached_tokens: 64 },
  completion_tokens: 12,
  total_tokens: 112,
};
const RESPONSES_USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 112,
};
const MESSAGES_USAGE = { input_tokens: 36, cache_read_input_tokens: 64, cache_creation_input_tokens: 0 };
const GEMINI_USAGE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 64,
  candidatesTokenCount: 12,
  totalTokenCount: 112,
};

type Json = Record<string, unknown>;

const data = (list: readonly unknown[]): string =>
  list.map((item) => `data: ${typeof item === 'string' ? item : JSON.stringify(item)}\n\n`).join('');
const named = (list: readonly (Json & { type: string })[]): string =>
  list.map((item) => `event: ${item.type}\ndata: ${JSON.stringify(item)}\n\n`).join('');
/** The arguments of both calls in interleaved pieces. */
const byTurns = (): { index: number; piece: string }[] => {
  const texts = CALLS.map((call) => JSON.stringify(call.arguments).match(/.{1,6}/gsu) ?? []);
  const most = Math.max(...texts.map(({ length }) => length));
  return Array.from({ length: most }, (_, at) =>
    texts.flatMap((pieces, index) => (pieces[at] === undefined ? [] : [{ index, piece: pieces[at] }])),
  ).flat();
};

const chat = (isOver: boolean): string => {
  const chunk = (delta: Json, finish: string | null = null): Json => ({
    id: 'chatcmpl-p',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const begins = CALLS.map(({ name }, index) =>
    chunk({
      tool_calls: [
        { index, id: `call_${String(index)}`, type: 'function', function: { name, arguments: '' } },
      ],
    }),
  );
  const pieces = byTurns().map(({ index, piece }) =>
    chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
  );
  return data([
    chunk({ role: 'assistant', content: '' }),
    ...(isOver ? [chunk({ content: BOTH_KNOWN })] : [...begins, ...pieces]),
    chunk({}, isOver ? 'stop' : 'tool_calls'),
    {
      id: 'chatcmpl-p',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [],
      usage: CHAT_USAGE,
    },
    '[DONE]',
  ]);
};

const responses = (isOver: boolean): string => {
  const response = { id: 'resp_p', object: 'response', created_at: 1, model: 'm', output: [] as Json[] };
  const message = {
    id: 'msg_p',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: BOTH_KNOWN, annotations: [], logprobs: [] }],
  };
  const calls = CALLS.map((call, index) => ({
    id: `fc_${String(index)}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call_${String(index)}`,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  const text = { item_id: 'msg_p', output_index: 0, content_index: 0, logprobs: [] };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const ofMessage = [
    { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
    { type: 'response.content_part.added', item_id: 'msg_p', output_index: 0, content_index: 0, part },
    { type: 'response.output_text.delta', ...text, delta: BOTH_KNOWN },
    { type: 'response.output_text.done', ...text, text: BOTH_KNOWN },
    { type: 'response.output_item.done', output_index: 0, item: message },
  ];
  const ofCalls = [
    ...calls.map((item, at) => ({
      type: 'response.output_item.added',
      output_index: at,
      item: { ...item, arguments: '' },
    })),
    ...byTurns().map(({ index, piece }) => ({
      type: 'response.function_call_arguments.delta',
      item_id: `fc_${String(index)}`,
      output_index: index,
      delta: piece,
    })),
    ...calls.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
  ];
  const output = isOver ? [message] : calls;
  const events = [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    ...(isOver ? ofMessage : ofCalls),
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output, usage: RESPONSES_USAGE },
    },
  ];
  return named(events.map((event, sequence_number) => ({ ...event, sequence_number })));
};

const messages = (isOver: boolean): string => {
  const block = (index: number, start: Json, delta: Json) => [
    { type: 'content_block_start', index, content_block: start },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
  const text = block(0, { type: 'text', text: '' }, { type: 'text_delta', text: BOTH_KNOWN });
  const calls = CALLS.flatMap(({ name, arguments: input }, index) =>
    block(
      index,
      { type: 'tool_use', id: `toolu_${String(index)}`, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    ),
  );
  const message = { id: 'msg_p', type: 'message', role: 'assistant', model: 'm', content: [] };
  return named([
    { type: 'message_start', message: { ...message, usage: { ...MESSAGES_USAGE, output_tokens: 1 } } },
    { type: 'ping' },
    ...(isOver ? text : calls),
    {
      type: 'message_delta',
      delta: { stop_reason: isOver ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage: { output_tokens: 12 },
    },
    { type: 'message_stop' },
  ]);
};

const gemini = (isOver: boolean): string => {
  const calls = CALLS.map(({ name, arguments: args }) => ({ functionCall: { name, args } }));
  const parts = isOver ? [{ text: BOTH_KNOWN }] : calls;
  return data([
    {
      responseId: 'r',
      modelVersion: 'm',
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: GEMINI_USAGE,
    },
  ]);
};

const STREAMS: Readonly<Record<DialectName, (isOver: boolean) => string>> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
  gemini,
};
/** How a tool result is recognised in the four formats. */
const RESULT = /"tool_call_id"|"function_call_output"|"tool_result"|"functionResponse"/g;

/** An upstream of all four formats that calls two tools in parallel and answers with a text after both results. */
export const startParallelUpstream = async () => {
  const asked: FormatCall[] = [];
  const upstream = await startFormatUpstream((call) => {
    asked.push(call);
    return STREAMS[call.format](call.text.match(RESULT)?.length === CALLS.length);
  });
  /** `asked`: the requests received, in order. */
  return { ...upstream, asked };
};
