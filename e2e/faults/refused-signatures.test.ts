import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { formats, oneFormatUpstream, typeOfFormat } from '../support/one-format.ts';
import { startRig, type Rig } from './rig.ts';

/** A signature is valid only where it was made: two channels of one format may be two accounts, or two makers. */

const SEAL = 'c2VhbA==';
const SIGNED = { type: 'thinking', thinking: 'hm', signature: SEAL };
const calling = { type: 'tool_use', id: 'c', name: 'f', input: {} };

interface Case {
  readonly path: string;
  readonly body: object;
  /** The error with which the format's maker refuses a signature. */
  readonly refusal: object;
  readonly answer: object;
}

const cases: Partial<Record<DialectName, Case>> = {
  'anthropic-messages': {
    path: '/v1/messages',
    body: {
      max_tokens: 5000,
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [SIGNED, calling] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
      ],
    },
    refusal: {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
      },
    },
    answer: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'done' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  },
  'openai-responses': {
    path: '/v1/responses',
    body: {
      store: false,
      input: [
        { role: 'user', content: 'go' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: SEAL },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'x' },
      ],
    },
    refusal: {
      error: {
        message: 'The encrypted content for item rs_1 could not be verified.',
        type: 'invalid_request_error',
        code: 'invalid_encrypted_content',
      },
    },
    answer: {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }],
      usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
    },
  },
  gemini: {
    path: '/v1beta/models/gemini:generateContent',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'go' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: SEAL }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'x' } } }] },
      ],
    },
    refusal: { error: { code: 400, message: 'Thought signature is not valid', status: 'INVALID_ARGUMENT' } },
    answer: {
      candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1, totalTokenCount: 4 },
    },
  },
};

let server: Server;
let rig: Rig;
const bearsSeal = (text: string): boolean => text.includes(SEAL);
let refuses = bearsSeal;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      asked.push(text);
      const { refusal, answer } = cases[(request.url ?? '').slice(1) as DialectName] ?? {};
      const isRefused = refuses(text);
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRefused ? refusal : answer));
    });
  });
  const url = await listening(server);
  rig = await startRig(
    formats.map((format) => ({ type: typeOfFormat(format), baseUrl: `${url}/${format}`, models: format })),
    { ModelRatio: Object.fromEntries(formats.map((format) => [format, 1])), RetryTimes: 0 },
    1_000_000,
    oneFormatUpstream,
  );
});
beforeEach(() => {
  asked.length = 0;
  refuses = bearsSeal;
});
afterAll(async () => {
  await rig.stop();
  server.close();
});

const ask = ({ path, body }: Case, model: string): Promise<Response> =>
  fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
  });

test.each(Object.entries(cases))(
  '%s: the conversation goes on without a signature that is refused',
  async (model, one) => {
    const response = await ask(one, model);
    expect([response.status, await response.json()]).toEqual([200, one.answer]);
    expect(asked.map(bearsSeal)).toEqual([true, false]);
    // The call and its result are still there.
    expect(asked[1]).toContain('"x"');
  },
);

test.each(Object.entries(cases))(
  '%s: it is retried once; then the refusal is the answer',
  async (model, one) => {
    refuses = () => true;
    const response = await ask(one, model);
    expect([response.status, asked.length]).toEqual([400, 2]);
  },
);

test.each([
  ['empty', { ...SIGNED, signature: '' }],
  ['missing', { type: 'thinking', thinking: 'hm' }],
])(
  'a thought of a look-alike, whose signature is %s, does not end the conversation at Anthropic',
  async (_, thought) => {
    const isRefused = (text: string): boolean => text.includes('"thinking":"hm"');
    refuses = isRefused;
    const one = cases['anthropic-messages'];
    if (one === undefined) throw new Error('there is no case');
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [thought, calling] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] },
    ];
    const response = await ask({ ...one, body: { max_tokens: 5000, messages } }, 'anthropic-messages');
    expect([response.status, asked.map(isRefused)]).toEqual([200, [true, false]]);
  },
);
