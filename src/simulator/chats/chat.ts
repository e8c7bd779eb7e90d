import { replyTo, usageOf, type Reply } from './reply.ts';
import {
  asJson,
  DONE,
  event,
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

/** `POST …/chat/completions`, as OpenAI answers it. */
export const answerChat = async (call: Call): Promise<void> => {
  const { body, model, response } = call;
  if (!Array.isArray(body['messages']) || body['messages'].length === 0) {
    sendError(response, 400, {
      message: "Missing required parameter: 'messages'.",
      param: 'messages',
      code: 'missing_required_parameter',
    });
    return;
  }
  const choices = typeof body['n'] === 'number' ? body['n'] : 1;
  const reply = replyTo(body, model);
  if (!call.stream) {
    await pause(response, call.speed === 0 ? 0 : (1000 * reply.pieces.length) / call.speed);
    sendJson(response, 200, wholeReply(model, reply, choices));
    return;
  }
  startStream(response);
  await streamReply(call, reply, choices);
  response.end();
};

export const wholeReply = (model: string, reply: Reply, choices = 1): Json => ({
  id: nextId(),
  object: 'chat.completion',
  created: CREATED,
  model,
  choices: Array.from({ length: choices }, (_, index) => ({
    index,
    message: {
      role: 'assistant',
      content: reply.calls.length > 0 ? null : reply.pieces.join(''),
      refusal: null,
      ...(reply.thoughts.length > 0 && { reasoning_content: reply.thoughts.join('') }),
      ...(reply.calls.length > 0 && {
        tool_calls: reply.calls.map(({ id, name, arguments: text }) => ({
          id,
          type: 'function',
          function: { name, arguments: text },
        })),
      }),
    },
    logprobs: null,
    finish_reason: reply.finish,
  })),
  usage: usageOf(reply, choices),
  system_fingerprint: 'fp_simulated',
});

/** One chunk: deltas of choices, or only usage. */
export const chunkOf = (id: string, model: string, choices: readonly Json[], beside: Json = {}): Json => ({
  id,
  object: 'chat.completion.chunk',
  created: CREATED,
  model,
  system_fingerprint: 'fp_simulated',
  choices,
  ...beside,
});

export const deltaOf = (delta: Json, finish: string | null = null, index = 0): Json => ({
  index,
  delta,
  logprobs: null,
  finish_reason: finish,
});

export const nextId = (): string => {
  counter += 1;
  return `chatcmpl-sim${counter.toString(36).padStart(8, '0')}`;
};

/** Sends a whole stream, with usage and end mark. */
const streamReply = async (call: Call, reply: Reply, choices: number): Promise<void> => {
  const { response, model, body } = call;
  const id = nextId();
  const wantsUsage = asJson(body['stream_options'])['include_usage'] === true;
  const beside: Json = wantsUsage ? { usage: null } : {};
  const gapMs = call.speed === 0 ? 0 : 1000 / call.speed;
  const send = (delta: Json, finish: string | null = null): Promise<void> => {
    const texts = Array.from({ length: choices }, (_, index) =>
      event(chunkOf(id, model, [deltaOf(delta, finish, index)], beside)),
    );
    return write(response, texts.join(''));
  };
  await send({ role: 'assistant', content: '', refusal: null });
  for (const piece of reply.thoughts) {
    await pause(response, gapMs);
    await send({ reasoning_content: piece });
  }
  for (const piece of reply.pieces) {
    if (response.destroyed) return;
    await pause(response, gapMs);
    await send({ content: piece });
  }
  for (const [index, { id: callId, name, arguments: text }] of reply.calls.entries()) {
    await send({ tool_calls: [{ index, id: callId, type: 'function', function: { name, arguments: '' } }] });
    for (const part of text.match(/.{1,12}/gs) ?? []) {
      await pause(response, gapMs);
      await send({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  await send({}, reply.finish);
  if (wantsUsage) await write(response, event(chunkOf(id, model, [], { usage: usageOf(reply, choices) })));
  await write(response, DONE);
};
