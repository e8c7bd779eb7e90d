/** The scripted model's next step: a tool call or a text. */
export type Turn =
  | { readonly call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> } }
  | { readonly text: string };

type Json = Record<string, unknown>;

const CREATED = 1_767_225_600;
let count = 0;
const nextId = (prefix: string): string => `${prefix}_${String((count += 1)).padStart(12, '0')}`;
const event = (data: Json, name = ''): string =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
const pieces = (text: string): string[] => text.match(/.{1,9}/gs) ?? [];

/** One answer in one format, as a stream of events (made on demand) and as a whole reply. */
export interface Answer {
  readonly events: () => string;
  readonly whole: Json;
}

/** Chat Completions (platform.openai.com/docs/api-reference/chat). */
export const chatAnswer = (turn: Turn): Answer => {
  const head = { id: nextId('chatcmpl'), created: CREATED, model: 'scripted' };
  const usage = { prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 };
  const chunk = (delta: Json, finish: string | null = null): string =>
    event({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const end = event({ ...head, object: 'chat.completion.chunk', choices: [], usage }) + 'data: [DONE]\n\n';
  const whole = (message: Json, finish: string): Json => ({
    ...head,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
    usage,
  });
  if ('text' in turn)
    return {
      events: () =>
        chunk({ role: 'assistant', content: '' }) +
        pieces(turn.text)
          .map((content) => chunk({ content }))
          .join('') +
        chunk({}, 'stop') +
        end,
      whole: whole({ content: turn.text }, 'stop'),
    };
  const id = nextId('call');
  const text = JSON.stringify(turn.call.arguments);
  const called = { name: turn.call.name, arguments: text };
  return {
    events: () =>
      chunk({ role: 'assistant', content: null }) +
      chunk({ tool_calls: [{ index: 0, id, type: 'function', function: { ...called, arguments: '' } }] }) +
      pieces(text)
        .map((part) => chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }))
        .join('') +
      chunk({}, 'tool_calls') +
      end,
    whole: whole({ content: null, tool_calls: [{ id, type: 'function', function: called }] }, 'tool_calls'),
  };
};

/** Responses (platform.openai.com/docs/api-reference/responses-streaming). */
export const responsesAnswer = (turn: Turn): Answer => {
  const head = { id: nextId('resp'), object: 'response', created_at: CREATED, model: 'scripted' };
  const usage = {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 10,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 30,
  };
  let sequence = -1;
  const say = (type: string, fields: Json): string => {
    sequence += 1;
    return event({ type, sequence_number: sequence, ...fields }, type);
  };
  const item = 'text' in turn ? messageItem(turn.text) : callItem(turn.call);
  const whole: Json = {
    ...head,
    status: 'completed',
    output: [item],
    usage,
    error: null,
    incomplete_details: null,
  };
  const begun = { ...head, status: 'in_progress', output: [], usage: null, error: null };
  const place = { item_id: item['id'], output_index: 0 };
  const body = (): string =>
    'text' in turn
      ? say('response.content_part.added', { ...place, content_index: 0, part: textPart('') }) +
        pieces(turn.text)
          .map((delta) =>
            say('response.output_text.delta', { ...place, content_index: 0, delta, logprobs: [] }),
          )
          .join('') +
        say('response.output_text.done', { ...place, content_index: 0, text: turn.text, logprobs: [] }) +
        say('response.content_part.done', { ...place, content_index: 0, part: textPart(turn.text) })
      : pieces(String(item['arguments']))
          .map((delta) => say('response.function_call_arguments.delta', { ...place, delta }))
          .join('') +
        say('response.function_call_arguments.done', { ...place, arguments: item['arguments'] });
  const opened =
    'text' in turn
      ? { ...item, status: 'in_progress', content: [] }
      : { ...item, status: 'in_progress', arguments: '' };
  return {
    events: () =>
      say('response.created', { response: begun }) +
      say('response.in_progress', { response: begun }) +
      say('response.output_item.added', { output_index: 0, item: opened }) +
      body() +
      say('response.output_item.done', { output_index: 0, item }) +
      say('response.completed', { response: whole }),
    whole,
  };
};

const textPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] });
const messageItem = (text: string): Json => ({
  id: nextId('msg'),
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [textPart(text)],
});
const callItem = ({ name, arguments: args }: Extract<Turn, { call: unknown }>['call']): Json => ({
  id: nextId('fc'),
  type: 'function_call',
  status: 'completed',
  call_id: nextId('call'),
  name,
  arguments: JSON.stringify(args),
});

/** Messages (platform.claude.com/docs, streaming messages). */
export const messagesAnswer = (turn: Turn): Answer => {
  const head = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    stop_sequence: null,
  };
  const usage = { input_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const say = (type: string, fields: Json = {}): string => event({ type, ...fields }, type);
  const isText = 'text' in turn;
  const block: Json = isText
    ? { type: 'text', text: turn.text }
    : { type: 'tool_use', id: nextId('toolu'), name: turn.call.name, input: turn.call.arguments };
  const opened = isText ? { type: 'text', text: '' } : { ...block, input: {} };
  const deltas = (): Json[] =>
    isText
      ? pieces(turn.text).map((text) => ({ type: 'text_delta', text }))
      : pieces(JSON.stringify(turn.call.arguments)).map((text) => ({
          type: 'input_json_delta',
          partial_json: text,
        }));
  const stop = isText ? 'end_turn' : 'tool_use';
  return {
    events: () =>
      say('message_start', {
        message: { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      }) +
      say('content_block_start', { index: 0, content_block: opened }) +
      say('ping') +
      deltas()
        .map((delta) => say('content_block_delta', { index: 0, delta }))
        .join('') +
      say('content_block_stop', { index: 0 }) +
      say('message_delta', {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 10 },
      }) +
      say('message_stop'),
    whole: { ...head, content: [block], stop_reason: stop, usage: { ...usage, output_tokens: 10 } },
  };
};

/** generateContent (ai.google.dev/api/generate-content). */
export const geminiAnswer = (turn: Turn): Answer => {
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
  const frame = (parts: Json[], finishReason?: string): Json => ({
    candidates: [
      { content: { parts, role: 'model' }, index: 0, ...(finishReason !== undefined && { finishReason }) },
    ],
    usageMetadata,
    modelVersion: 'scripted',
    responseId: nextId('r'),
  });
  const whole: Json[] =
    'text' in turn
      ? [{ text: turn.text }]
      : [{ functionCall: { name: turn.call.name, args: turn.call.arguments }, thoughtSignature: 'c2lnbmVk' }];
  const parts = (): Json[] => ('text' in turn ? pieces(turn.text).map((text) => ({ text })) : whole);
  return {
    events: () =>
      parts()
        .map((part, index, all) => frame([part], index === all.length - 1 ? 'STOP' : undefined))
        .map((body) => `data: ${JSON.stringify(body)}\r\n\r\n`)
        .join(''),
    whole: frame(whole, 'STOP'),
  };
};
