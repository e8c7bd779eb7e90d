import { encodeMessage } from './event-stream.ts';
import { sealOf } from '../makers/seals.ts';
import { replyTo, usageOf, type Reply } from './reply.ts';
import { countTokens } from './tokens.ts';
import {
  asJson,
  asList,
  pause,
  sendError,
  sendJson,
  startStream,
  write,
  type Call,
  type Json,
} from '../wire.ts';

let counter = 0;

/** `POST …/messages`, as Anthropic answers it; at Bedrock a stream comes in AWS's own framing. */
export const answerMessages = async (call: Call): Promise<void> => {
  const { body, response, model } = call;
  if (asList(body['messages']).length === 0 || typeof body['max_tokens'] !== 'number') {
    sendError(response, 400, { message: 'messages: at least one message and max_tokens are required' });
    return;
  }
  const reply = replyTo(asChat(body), isThinking(body) ? `${model} thinks` : model);
  const gapMs = call.speed === 0 ? 0 : 1000 / call.speed;
  if (!call.stream) {
    await pause(response, gapMs * reply.pieces.length);
    sendJson(response, 200, messageOf(model, reply, usageOf(reply, 1)));
    return;
  }
  const isBedrock = call.path.includes('/invoke');
  if (isBedrock) response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
  else startStream(response, { 'request-id': 'req_simulated' });
  for (const payload of [
    ...messagesEvents(model, reply, { prompt_tokens: reply.promptTokens, completion_tokens: 1 }),
    messagesEnd(reply, usageOf(reply, 1)),
    MESSAGE_STOP,
  ]) {
    if (response.destroyed) return;
    await pause(response, payload['type'] === 'content_block_delta' ? gapMs : 0);
    await write(response, isBedrock ? chunkOf(payload) : asEvent(payload));
  }
  response.end();
};

/** `POST …/messages/count_tokens`. */
export const answerMessagesCount = ({ body, response }: Call): void => {
  const { system, messages, tools } = body;
  sendJson(response, 200, {
    input_tokens: Math.max(1, countTokens(system) + countTokens(messages) + countTokens(tools) + 3),
  });
};

/** `GET …/models`, as Anthropic lists them. */
export const answerMessagesModels = ({ response }: Call): void => {
  const data = ['claude-opus-4-7', 'claude-sonnet-4-6', 'claude-haiku-4-5-20251001'].map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
  }));
  sendJson(response, 200, { data, has_more: false, first_id: data[0]?.id, last_id: data.at(-1)?.id });
};

/** A whole answer. `usage` is in OpenAI's format, as in all scripts. */
export const messageOf = (model: string, reply: Reply, usage: unknown): Json => ({
  ...headOf(model),
  content: blocksOf(reply),
  stop_reason: stopReasonOf(reply),
  stop_sequence: null,
  ...usageIn(usage),
});

/** The events of an answer up to its end, which `messagesEnd` and `MESSAGE_STOP` are. */
export const messagesEvents = (model: string, reply: Reply, usage: unknown): Json[] => {
  const head = { ...headOf(model), content: [], stop_reason: null, stop_sequence: null };
  const begun: Json[] = [{ type: 'message_start', message: { ...head, ...usageIn(usage) } }];
  for (const [index, block] of blocksOf(reply).entries()) {
    begun.push(
      { type: 'content_block_start', index, content_block: emptied(block) },
      ...deltasOf(block, reply).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    );
  }
  return begun;
};

/** The event with stop reason and usage. */
export const messagesEnd = (reply: Reply, usage: unknown): Json => ({
  type: 'message_delta',
  delta: { stop_reason: stopReasonOf(reply), stop_sequence: null },
  ...usageIn(usage),
});

export const MESSAGE_STOP: Json = { type: 'message_stop' };

export const asEvent = (payload: Json): string =>
  `event: ${String(payload['type'])}\ndata: ${JSON.stringify(payload)}\n\n`;

const chunkOf = (payload: Json): Buffer =>
  encodeMessage(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    JSON.stringify({ bytes: Buffer.from(JSON.stringify(payload)).toString('base64'), p: 'abcdefgh' }),
  );

const headOf = (model: string): Json => {
  counter += 1;
  return {
    id: `msg_sim${counter.toString(36).padStart(8, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
  };
};

const blocksOf = (reply: Reply): Json[] => [
  ...(reply.thoughts.length > 0
    ? [
        {
          type: 'thinking',
          thinking: reply.thoughts.join(''),
          signature: sealOf('anthropic-messages', reply.thoughts.join('')),
        },
      ]
    : []),
  ...(reply.pieces.length > 0 ? [{ type: 'text', text: reply.pieces.join('') }] : []),
  ...reply.calls.map((call) => ({
    type: 'tool_use',
    id: call.id.replace(/^call_/, 'toolu_'),
    name: call.name,
    input: JSON.parse(call.arguments) as unknown,
  })),
];

const emptied = (block: Json): Json => {
  if (block['type'] === 'text') return { ...block, text: '' };
  return block['type'] === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} };
};

const deltasOf = (block: Json, reply: Reply): Json[] => {
  if (block['type'] === 'text') return reply.pieces.map((text) => ({ type: 'text_delta', text }));
  if (block['type'] === 'thinking')
    return [
      ...reply.thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block['signature'] },
    ];
  const pieces = ['', ...(JSON.stringify(block['input']).match(/.{1,12}/gs) ?? [])];
  return pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
};

const stopReasonOf = ({ finish }: Reply): string => {
  if (finish === 'length') return 'max_tokens';
  return finish === 'tool_calls' ? 'tool_use' : 'end_turn';
};

/** Usage in this format, whose input excludes cached tokens; other values pass unchanged. */
const usageIn = (usage: unknown): Json => {
  if (usage === undefined) return {};
  if (usage === null) return { usage: null };
  const counts = asJson(usage);
  const cached = asJson(counts['prompt_tokens_details'])['cached_tokens'];
  const prompt = counts['prompt_tokens'];
  const isCached = typeof cached === 'number' && typeof prompt === 'number' && cached <= prompt;
  return {
    usage: {
      input_tokens: isCached ? prompt - cached : prompt,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: isCached ? cached : 0,
      output_tokens: counts['completion_tokens'],
    },
  };
};

const isThinking = (body: Json): boolean => {
  const type = asJson(body['thinking'])['type'];
  return type === 'enabled' || type === 'adaptive';
};

/** The request in the chat format, which the simulated model reads. */
const asChat = (body: Json): Json => {
  const choice = asJson(body['tool_choice']);
  const tools = asList(body['tools'])
    .map(asJson)
    .filter((tool) => tool['input_schema'] !== undefined)
    .map((tool) => ({
      type: 'function',
      function: { name: tool['name'], parameters: tool['input_schema'] },
    }));
  return {
    messages: [
      ...(body['system'] === undefined ? [] : [{ role: 'system', content: body['system'] }]),
      ...asList(body['messages']).map((message) => asMessage(asJson(message))),
    ],
    ...(tools.length > 0 && { tools }),
    ...(choice['type'] === 'none' && { tool_choice: 'none' }),
    ...(choice['type'] === 'any' && { tool_choice: 'required' }),
    ...(choice['type'] === 'tool' && { tool_choice: { function: { name: choice['name'] } } }),
    max_tokens: body['max_tokens'],
    stop: body['stop_sequences'],
    ...(asJson(body['output_config'])['format'] !== undefined && {
      response_format: { type: 'json_object' },
    }),
  };
};

const asMessage = (message: Json): Json => {
  const results = asList(message['content'])
    .map(asJson)
    .filter((block) => block['type'] === 'tool_result');
  if (results.length === 0) return message;
  const content = results.map((block) =>
    typeof block['content'] === 'string' ? block['content'] : JSON.stringify(block['content']),
  );
  return { role: 'tool', content: content.join(' ') };
};
