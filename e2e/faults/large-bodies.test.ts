import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from './rig.ts';

/** Bodies parsed in another thread have the same meaning as when parsed here. */

const LONG = 'x'.repeat(600_000);
const ANSWERS = {
  1: {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  },
  14: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  24: { candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] },
} as const;
const RESPONSE = {
  id: 'r',
  object: 'response',
  status: 'completed',
  output: [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok', annotations: [] }] },
  ],
};
const KINDS = [1, 14, 24] as const;

let upstream: Server;
let rig: Rig;
let heard: string[] = [];

const answerAt = (path: string): object => {
  if (path.includes('/messages')) return ANSWERS[14];
  if (path.includes('/responses')) return RESPONSE;
  return path.includes('/v1beta') ? ANSWERS[24] : ANSWERS[1];
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      heard.push(Buffer.concat(pieces).toString());
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answerAt(request.url ?? '')));
    });
  });
  await listening(upstream);
  const { port } = upstream.address() as AddressInfo;
  rig = await startRig(
    KINDS.map((type) => ({
      type,
      baseUrl: `http://127.0.0.1:${port}`,
      models: `m${type}`,
      modelMapping: JSON.stringify({ [`m${type}`]: `their-${type}` }),
    })),
    {
      ModelRatio: Object.fromEntries(KINDS.map((type) => [`m${type}`, 0.001])),
      SensitiveWords: 'forbidden phrase',
      CheckSensitiveEnabled: true,
      CheckSensitiveOnPromptEnabled: true,
      StopOnSensitiveEnabled: true,
    },
  );
});
afterAll(async () => {
  await rig.stop();
  await new Promise((resolve) => upstream.close(resolve));
});

const send = async (path: string, body: object | string) => {
  const response = await fetch(`${rig.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};

const TOOL = {
  name: 'look',
  description: 'looks',
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
};

const callers: Readonly<Record<string, (model: string, text: string) => readonly [string, object]>> = {
  chat: (model, text) => [
    '/v1/chat/completions',
    {
      model,
      max_tokens: 9,
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: text },
      ],
      tools: [{ type: 'function', function: TOOL }],
      stop: ['end'],
    },
  ],
  messages: (model, text) => [
    '/v1/messages',
    {
      model,
      max_tokens: 9,
      system: 'be brief',
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      tools: [{ name: 'look', input_schema: TOOL.parameters }],
    },
  ],
  responses: (model, text) => [
    '/v1/responses',
    { model, max_output_tokens: 9, instructions: 'be brief', input: [{ role: 'user', content: text }] },
  ],
  gemini: (model, text) => [
    `/v1beta/models/${model}:generateContent`,
    {
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { maxOutputTokens: 9 },
    },
  ],
};

const exchange = async (caller: string, type: number, text: string) => {
  heard = [];
  const [path, body] = (callers[caller] ?? (() => ['', {}] as const))(`m${type}`, text);
  const answer = await send(path, body);
  return {
    answer: answer.text.replaceAll(
      /"(?:id|responseId)":"[^"]*"|"created(?:_at)?":\d+|"createTime":"[^"]*"|"[\w]*[tT]okens?[\w]*":\d+/g,
      '',
    ),
    status: answer.status,
    heard: heard.map((told) => told.replace(LONG, 'x')),
  };
};

describe.each(Object.keys(callers))('a large call of %s', (caller) => {
  it.each(KINDS)('reaches an upstream of kind %i, and is answered, as a small one', async (type) => {
    const near = await exchange(caller, type, 'x');
    expect(near).toMatchObject({ status: 200, heard: [expect.stringContaining('brief') as string] });
    expect(await exchange(caller, type, LONG)).toEqual(near);
  });
});

it('a call of many values is large, too', async () => {
  const messages = (count: number) => Array.from({ length: count }, () => ({ role: 'user', content: 'x' }));
  heard = [];
  expect((await send('/v1/chat/completions', { model: 'm14', messages: messages(20_000) })).status).toBe(200);
  expect(JSON.parse(heard[0] ?? '')).toMatchObject({ model: 'their-14' });
});

it('a large call is refused for the same reasons and in the same words as a small one, and nothing is sent', async () => {
  const chat = (text: string, more: object = {}): object => ({
    model: 'm14',
    messages: [{ role: 'user', content: text }],
    ...more,
  });
  const reasons: ((text: string) => object | string)[] = [
    (text) => chat(`${text} a FORBIDDEN\u00a0phrase`),
    (text) =>
      chat(text, { tools: [{ type: 'function', function: { name: 't', description: 'forbidden phrase' } }] }),
    (text) => `{"model":"m14","messages":[{"role":"user","content":"${text}"}],"model":"m1"}`,
    (text) => `{"model":"m14","messages":[{"role":"user","content":"${text}"}]`,
    (text) => `["${text}"]`,
    (text) => chat(text, { max_tokens: -1 }),
    (text) => chat(text, { model: 'unknown' }),
    (text) => chat(text, { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }),
  ];
  heard = [];
  for (const reason of reasons) {
    const near = await send('/v1/chat/completions', reason('x'));
    const far = await send('/v1/chat/completions', reason(LONG));
    const bare = (text: string): string => text.replaceAll(/\(request id: [^)]*\)|"request_id":"[^"]*"/g, '');
    expect.soft({ ...far, text: bare(far.text) }).toEqual({ ...near, text: bare(near.text) });
    expect.soft(near.status).toBeGreaterThanOrEqual(400);
  }
  expect(heard).toEqual([]);
});

it('a large prompt is counted as it is in small', async () => {
  const count = async (text: string): Promise<number> => {
    const answer = await send('/v1/messages/count_tokens', {
      model: 'm14',
      messages: [{ role: 'user', content: text }],
    });
    return (JSON.parse(answer.text) as { input_tokens: number }).input_tokens;
  };
  const words = (times: number): string => 'a few words, '.repeat(times);
  expect((await count(words(100_000))) / (await count(words(1000)))).toBeCloseTo(100, -0.5);
  expect((await send('/v1/messages/count_tokens', '['.repeat(1_000_000))).status).toBe(400);
});
