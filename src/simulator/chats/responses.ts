import { hasPrevious, keepResponse, withItems } from '../kept/kept-responses.ts';
import { sealOf } from '../makers/seals.ts';
import { replyTo, usageOf, type Reply } from './reply.ts';
import { picturesFor } from './tool-pictures.ts';
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

const CREATED = 1_767_225_600;
let counter = 0;

/** `POST …/responses`, as OpenAI answers it. */
export const answerResponses = async (call: Call): Promise<void> => {
  const { body, model, response } = call;
  if (body['input'] === undefined) {
    sendError(response, 400, {
      message: "Missing required parameter: 'input'.",
      param: 'input',
      code: 'missing_required_parameter',
    });
    return;
  }
  if (!hasPrevious(call)) return;
  const asked = withItems(call);
  if (asked === undefined) return;
  const reply = replyTo(asChat(asked), model);
  const pictures = picturesFor(body, model);
  const plain = responseOf(model, reply, usageOf(reply, 1));
  const answer: Json = {
    ...plain,
    ...pictures.beside,
    output: [...pictures.items, ...asList(plain['output'])],
  };
  const id = String(answer['id']);
  if (body['background'] === true && body['store'] === false) {
    sendError(response, 400, { message: 'Background responses must be stored.', param: 'background' });
    return;
  }
  const work = keepResponse(call, answer, () => responseEvents(model, reply, id));
  if (work !== undefined) {
    if (call.stream) return work.stream(response, responseEvents(model, reply, id), -1);
    sendJson(response, 200, work.read());
    return;
  }
  const gapMs = call.speed === 0 ? 0 : 1000 / call.speed;
  if (!call.stream) {
    await pause(response, gapMs * reply.pieces.length);
    sendJson(response, 200, answer);
    return;
  }
  startStream(response);
  const events = [
    ...responseEvents(model, reply, id),
    ...pictures.events.map(([type, fields]) => named(type, fields)),
    named(`response.${String(answer['status'])}`, { sequence_number: 1_000_000, response: answer }),
  ];
  for (const text of events) {
    if (response.destroyed) return;
    await pause(response, text.includes('.delta') ? gapMs : 0);
    await write(response, text);
  }
  response.end();
};

/** A finished response. `usage` is in the chat format. */
export const responseOf = (model: string, reply: Reply, usage: unknown, id = nextId()): Json => ({
  ...headOf(model, id),
  status: reply.finish === 'length' ? 'incomplete' : 'completed',
  incomplete_details: reply.finish === 'length' ? { reason: 'max_output_tokens' } : null,
  output: itemsOf(reply, id),
  usage: usageIn(usage),
});

/** A stream without its last event. */
export const responseEvents = (model: string, reply: Reply, id = nextId()): string[] => {
  const begun = {
    ...headOf(model, id),
    status: 'in_progress',
    incomplete_details: null,
    output: [],
    usage: null,
  };
  const events: (readonly [string, Json])[] = [
    ['response.created', { response: begun }],
    ['response.in_progress', { response: begun }],
  ];
  for (const [output_index, item] of itemsOf(reply, id).entries())
    events.push(...eventsOfItem(item, output_index, reply));
  return events.map(([type, fields], at) => named(type, { sequence_number: at, ...fields }));
};

/** The last event of a stream: the whole response with usage. */
export const lastEvent = (model: string, reply: Reply, usage: unknown, id?: string): string => {
  const response = responseOf(model, reply, usage, id);
  return named(`response.${String(response['status'])}`, { sequence_number: 1_000_000, response });
};

/** One text delta. */
export const textDelta = (delta: string): string =>
  named('response.output_text.delta', {
    sequence_number: 4,
    item_id: 'msg_sim0',
    output_index: 0,
    content_index: 0,
    delta,
    logprobs: [],
  });

const named = (type: string, fields: Json): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const nextId = (): string => {
  counter += 1;
  return `resp_sim${counter.toString(36).padStart(8, '0')}`;
};

const headOf = (model: string, id: string): Json => ({
  id,
  object: 'response',
  created_at: CREATED,
  error: null,
  model,
  parallel_tool_calls: true,
  tools: [],
  store: false,
});

const itemsOf = (reply: Reply, responseId: string): Json[] => {
  const own = responseId.replace(/^resp_/, '');
  const thought = reply.thoughts.join('');
  const text = reply.pieces.join('');
  return [
    ...(thought === ''
      ? []
      : [
          {
            id: `rs_${own}`,
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: thought }],
            encrypted_content: sealOf('openai-responses', own),
          },
        ]),
    ...(text === '' && reply.calls.length > 0
      ? []
      : [
          {
            id: `msg_${own}`,
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
          },
        ]),
    ...reply.calls.map((call) => ({
      id: `fc_${call.id}`,
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
    })),
  ];
};

const eventsOfItem = (item: Json, output_index: number, reply: Reply): (readonly [string, Json])[] => {
  const place = { item_id: item['id'], output_index };
  const begun = { ...item, status: 'in_progress', content: [], summary: [], arguments: '' };
  const added = ['response.output_item.added', { output_index, item: begun }] as const;
  const done = ['response.output_item.done', { output_index, item }] as const;
  if (item['type'] === 'function_call') {
    const deltas = String(item['arguments']).match(/.{1,12}/gs) ?? [];
    const name = 'response.function_call_arguments';
    return [
      added,
      ...deltas.map((delta) => [`${name}.delta`, { ...place, delta }] as const),
      [`${name}.done`, { ...place, name: item['name'], arguments: item['arguments'] }],
      done,
    ];
  }
  if (item['type'] === 'reasoning') {
    const at = { ...place, summary_index: 0 };
    const name = 'response.reasoning_summary';
    return [
      added,
      [`${name}_part.added`, { ...at, part: { type: 'summary_text', text: '' } }],
      ...reply.thoughts.map((delta) => [`${name}_text.delta`, { ...at, delta }] as const),
      [`${name}_text.done`, { ...at, text: reply.thoughts.join('') }],
      [`${name}_part.done`, { ...at, part: asList(item['summary'])[0] }],
      done,
    ];
  }
  const at = { ...place, content_index: 0 };
  const part = asJson(asList(item['content'])[0]);
  return [
    added,
    ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
    ...reply.pieces.map((delta) => ['response.output_text.delta', { ...at, delta, logprobs: [] }] as const),
    ['response.output_text.done', { ...at, text: part['text'], logprobs: [] }],
    ['response.content_part.done', { ...at, part }],
    done,
  ];
};

/** Usage in this format; other values pass unchanged. */
const usageIn = (usage: unknown): unknown => {
  if (typeof usage !== 'object' || usage === null) return usage ?? null;
  const { prompt_tokens, completion_tokens, total_tokens, prompt_tokens_details, completion_tokens_details } =
    usage as Json;
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: prompt_tokens_details ?? { cached_tokens: 0 },
    output_tokens: completion_tokens,
    output_tokens_details: completion_tokens_details ?? { reasoning_tokens: 0 },
    total_tokens,
  };
};

/** The request as the simulated model reads it. */
const asChat = (body: Json): Json => ({
  ...body,
  max_tokens: body['max_output_tokens'],
  response_format: asJson(body['text'])['format'],
  messages: [
    ...(typeof body['instructions'] === 'string' ? [{ role: 'system', content: body['instructions'] }] : []),
    ...(typeof body['input'] === 'string'
      ? [{ role: 'user', content: body['input'] }]
      : asList(body['input']).map((item) => messageOf(asJson(item)))),
  ],
  tools: asList(body['tools'])
    .map(asJson)
    .filter((tool) => tool['type'] === 'function')
    .map((tool) => ({ type: 'function', function: tool })),
  tool_choice:
    typeof body['tool_choice'] === 'object' ? { function: body['tool_choice'] } : body['tool_choice'],
});

const messageOf = (item: Json): Json => {
  if (item['type'] === 'function_call_output') return { role: 'tool', content: item['output'] };
  return item['type'] === 'function_call' || item['type'] === 'reasoning'
    ? { role: 'assistant', content: item['arguments'] }
    : item;
};
