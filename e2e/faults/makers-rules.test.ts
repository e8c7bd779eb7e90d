import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hangUp, listening } from '../../src/server/outbound/testing/local-server.ts';
import type { DialectName } from '../../src/server/core/chat/request.ts';
import { providerOf } from '../../src/server/providers/registry.ts';
import type { Upstream } from '../../src/server/dialects/upstream.ts';
import { refusedAt, refusedByMaker } from '../../src/simulator/makers/refused-by-maker.ts';
import { asJson } from '../../src/simulator/wire.ts';
import { formats } from '../support/one-format.ts';
import { asChat } from '../support/well-formed/chat.ts';
import { conversations, marksOf, textsOf, type Conversation } from '../support/well-formed/conversation.ts';
import type { Fields } from '../support/well-formed/fields.ts';
import { asGemini } from '../support/well-formed/gemini.ts';
import { asMessages } from '../support/well-formed/messages.ts';
import { asResponses } from '../support/well-formed/responses.ts';
import { startRig, type Rig } from './rig.ts';

/** Whatever a format's callers send, every upstream gets only what its maker accepts, with the full meaning. */

/** Conversations per pair; the environment may ask for more. */
const RUNS = Number(process.env['TOLLGATE_HISTORIES'] ?? 60);

const said: Readonly<Record<DialectName, (conversation: Conversation) => fc.Arbitrary<Fields>>> = {
  'openai-chat': asChat,
  'openai-responses': asResponses,
  'anthropic-messages': asMessages,
  gemini: asGemini,
};

/** Each speaks only one format, for its own maker's models. */
const upstreams: Readonly<
  Record<DialectName, { readonly type: number; readonly models: readonly string[] }>
> = {
  'openai-chat': { type: 1, models: ['gpt-4.1', 'gpt-4-turbo', 'o3', 'gpt-5'] },
  'openai-responses': { type: 1, models: ['gpt-5-codex', 'o3-pro'] },
  'anthropic-messages': {
    type: 14,
    models: ['claude-3-opus-20240229', 'claude-sonnet-4-5', 'claude-opus-4-8'],
  },
  gemini: { type: 24, models: ['gemini-2.0-flash', 'gemini-2.5-pro', 'gemini-3-flash-preview'] },
};

const answers: Readonly<Record<DialectName, object>> = {
  'openai-chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }],
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  'anthropic-messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  gemini: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  },
};

interface Sent {
  readonly body: Fields;
  readonly refused: string | undefined;
}

let server: Server;
let rig: Rig;
let sent: Sent[] = [];

const formatAt = (path: string): DialectName => {
  if (path.includes('generateContent')) return 'gemini';
  if (path.endsWith('/messages')) return 'anthropic-messages';
  return path.endsWith('/responses') ? 'openai-responses' : 'openai-chat';
};

/** Channels of a type that speak only its first format. */
const withoutNatives = (type: number): Upstream | undefined => {
  const provider = providerOf(type);
  if (provider === undefined) return undefined;
  const { natives: _, ...rest } = provider;
  return rest;
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://upstream').pathname;
      const body = asJson(JSON.parse(Buffer.concat(parts).toString()));
      const refused = refusedAt(path, body);
      sent.push({ body, refused });
      response.writeHead(refused === undefined ? 200 : 400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(refused === undefined ? answers[formatAt(path)] : { error: { message: refused } }),
      );
    });
  });
  const baseUrl = await listening(server);
  const models = Object.values(upstreams).flatMap((one) => one.models);
  rig = await startRig(
    Object.values(upstreams).map((one) => ({
      type: one.type,
      baseUrl,
      models: one.models.join(','),
      autoDisable: false,
    })),
    { ModelRatio: Object.fromEntries(models.map((model) => [model, 1])), RetryTimes: 0 },
    undefined,
    withoutNatives,
  );
});
afterAll(async () => {
  await rig.stop();
  hangUp(server);
});

const pathOf: Readonly<Record<DialectName, (model: string) => string>> = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  'anthropic-messages': () => '/v1/messages',
  gemini: (model) => `/v1beta/models/${model}:generateContent`,
};

const ask = async (from: DialectName, model: string, fields: Fields) => {
  sent = [];
  const response = await fetch(rig.url + pathOf[from](model), {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(from === 'gemini' ? fields : { model, ...fields }),
  });
  return { status: response.status, text: await response.text() };
};

/** Contents that a format cannot express, by docs/dialects.md. */
const REFUSALS = /contains sound|the prompt is empty/;

const pairs = formats.flatMap((from) => formats.map((to): [DialectName, DialectName] => [from, to]));

describe.each(pairs)('what a caller of %s may say reaches an upstream of %s', (from, to) => {
  test('as its maker takes it, and whole', async () => {
    const [own = ''] = upstreams[from].models;
    const requests = conversations
      .chain((conversation) => fc.tuple(fc.constant(conversation), said[from](conversation)))
      .filter(([, fields]) => refusedByMaker(from, { model: own, ...withoutEmpties(fields) }) === undefined);
    await fc.assert(
      fc.asyncProperty(requests, fc.constantFrom(...upstreams[to].models), async ([told, fields], model) => {
        if (from === to) fc.pre(refusedByMaker(from, { model, ...fields }) === undefined);
        const { status, text } = await ask(from, model, fields);
        expect(sent.map(({ refused }) => refused)).toEqual(
          status === 400 && sent.length === 0 ? [] : [undefined],
        );
        if (status === 400 && REFUSALS.test(text)) return;
        expect([status, text]).toEqual([200, expect.anything()]);
        const [asked, arrived] = [decoded(fields), decoded(sent[0]?.body)];
        // An object returned by a function of Gemini's is sent to other formats as JSON in a text.
        const isLost = (words: string): boolean =>
          asked.includes(words) && !arrived.includes(words) && !arrived.includes(inJson(words));
        expect(marksOf(told).filter(isLost)).toEqual([]);
        expect(textsOf(told).map(inJson).filter(isLost)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  }, 3_600_000);
});

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A body as JSON, with base64 decoded to text, because text files may be sent either way. */
const decoded = (body: unknown): string => {
  const text = JSON.stringify(body);
  const inBytes = text.match(/[\w+/]{8,}={0,2}/g) ?? [];
  return [text, ...inBytes.map((part) => Buffer.from(part, 'base64').toString())].join('\n');
};

/** Some makers refuse empty lists, and clients send them all the same. */
const withoutEmpties = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0));
