import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModelLists } from '../../src/server/control/channels/checks/upstreams.ts';
import { Secret } from '../../src/server/core/secrets/secret.ts';
import { chatDialects } from '../../src/server/dialects/chat-dialects.ts';
import { providerOf } from '../../src/server/providers/registry.ts';
import { createSender } from '../../src/server/outbound/send.ts';
import { channelOf } from '../../src/server/core/channel/testing/channel.ts';
import { systemClock as clock } from '../../src/server/system.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import { eventsOf, saidIn } from '../support/said.ts';
import { geminiPage, messagesPage } from '../../src/server/providers/testing/chat-pages.ts';
import { lookAlike } from '../../src/server/providers/testing/openai-like.ts';
import { startScriptedWires } from './scripted-wires.ts';
import { json, type Json, TEXT, type Wire } from '../../src/server/providers/testing/wire.ts';

/** Vertex (cloud.google.com/vertex-ai/generative-ai/docs), under a service account, with a region for each model. */

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const REGIONS = '{"default":"us-central1","claude-haiku-4-5-20251001":"us-east5","gemini-2.5-pro":"global"}';
const PROJECT = '/v1/projects/project-1/locations';
const googleError = (status: number, word: string, message: string, reason: string) => ({
  status,
  body: [{ error: { code: status, message, status: word, details: [{ reason }] } }],
});

const wires: Wire[] = [];
const base = {
  type: 41,
  reference: 'cloud.google.com/vertex-ai',
  other: REGIONS,
  before: { path: '/token', body: { access_token: 'ya29.one', expires_in: 3599 } },
  headers: { authorization: 'Bearer ya29.one' },
  offersTools: true,
  tellsUsage: true,
  // These errors come from Google for models of every maker, because the address and account are Google's.
  badKey: googleError(403, 'PERMISSION_DENIED', 'This API method requires billing.', 'BILLING_DISABLED'),
  rateLimit: googleError(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for model.', 'RATE_LIMIT_EXCEEDED'),
};
const kindsOf = (key: string): Wire[] => {
  const google = `${PROJECT}/global/publishers/google/models/gemini-2.5-pro`;
  const express = '/v1/publishers/google/models/gemini-2.5-flash';
  const mistral = `${PROJECT}/us-central1/publishers/mistralai/models/mistral-small-2503@001`;
  const claude = `${PROJECT}/us-east5/publishers/anthropic/models/claude-haiku-4-5@20251001`;
  const open = lookAlike({
    ...base,
    name: 'an open model',
    key,
    model: 'deepseek-ai/deepseek-v3.1-maas',
    chat: `${PROJECT}/us-central1/endpoints/openapi/chat/completions`,
    models: false,
  });
  return [
    {
      ...base,
      name: 'Gemini',
      key,
      model: 'gemini-2.5-pro',
      chat: `${google}:generateContent`,
      streamed: `${google}:streamGenerateContent?alt=sse`,
      asks: { generationConfig: { maxOutputTokens: 100 } },
      answer: geminiPage,
      models: {
        path: '/v1beta1/publishers/*/models?pageSize=1000',
        body: {
          publisherModels: [
            { name: 'publishers/google/models/gemini-2.5-pro' },
            { name: 'publishers/google/models/imagen-4.0-generate-001' },
            { name: 'publishers/anthropic/models/claude-haiku-4-5' },
            { name: 'publishers/hf-someone/models/other' },
            { name: 'publishers/mistralai/models/mistral-small-2503' },
            { name: 'publishers/mistralai/models/mistral-ocr-2505' },
            { name: 'publishers/meta/models/llama-3.3-70b-instruct-maas' },
          ],
        },
        names: [
          'claude-haiku-4-5',
          'gemini-2.5-pro',
          'meta/llama-3.3-70b-instruct-maas',
          'mistral-small-2503',
        ],
      },
    },
    {
      ...base,
      name: 'Claude',
      key,
      model: 'claude-haiku-4-5-20251001',
      chat: `${claude}:rawPredict`,
      streamed: `${claude}:streamRawPredict`,
      asks: { anthropic_version: 'vertex-2023-10-16', max_tokens: 100 },
      answer: messagesPage,
    },
    { ...open, before: base.before },
    {
      ...open,
      name: 'Mistral',
      before: base.before,
      model: 'mistral-small-2503@001',
      chat: `${mistral}:rawPredict`,
      streamed: `${mistral}:streamRawPredict`,
      asks: { model: 'mistral-small-2503', max_tokens: 100 },
    },
    {
      ...open,
      name: 'Llama, by its name alone',
      before: base.before,
      model: 'llama-4-maverick-17b-128e-instruct-maas',
      asks: { model: 'meta/llama-4-maverick-17b-128e-instruct-maas', max_tokens: 100 },
    },
    {
      ...base,
      name: 'Gemini, under a key of the express mode',
      key: 'express-key',
      model: 'gemini-2.5-flash',
      headers: { 'x-goog-api-key': 'express-key' },
      chat: `${express}:generateContent`,
      streamed: `${express}:streamGenerateContent?alt=sse`,
      asks: { generationConfig: { maxOutputTokens: 100 } },
      answer: geminiPage,
    },
  ];
};

/** Embeddings (text embeddings API, predict), two numbers per text. */
const predicted = (path: string, body: Json) =>
  path.endsWith(':predict')
    ? json({
        predictions: (body['instances'] as readonly unknown[]).map((_, index) => ({
          embeddings: { values: [0.5, index], statistics: { truncated: false, token_count: 3 } },
        })),
        metadata: { billableCharacterCount: 9 },
      })
    : undefined;

let upstream: Awaited<ReturnType<typeof startScriptedWires>>;
let rig: Rig;
let key = '';
const sender = createSender({ clock, allowAddress: () => true });

beforeAll(async () => {
  upstream = await startScriptedWires(wires, predicted);
  key = JSON.stringify({
    type: 'service_account',
    project_id: 'project-1',
    private_key: privateKey,
    client_email: 'one@project-1.iam.example',
    token_uri: `${upstream.addressOf(0, 'good')}/token`,
  });
  wires.push(...kindsOf(key));
  const channels = wires.flatMap(({ model, key: own, other = '' }, index) =>
    (['good', 'bad', 'rate'] as const).map((mood) => ({
      type: 41,
      baseUrl: upstream.addressOf(index, mood),
      encryptedKey: own,
      other,
      // With an express-mode key, the address would have no project.
      models: `${mood}-${String(index)}${own === key ? ',embed' : ''}`,
      modelMapping: JSON.stringify({ [`${mood}-${String(index)}`]: model, embed: 'text-embedding-005' }),
      priority: mood === 'good' ? 1 : 0,
    })),
  );
  const other = wires[5];
  channels.push({
    type: 41,
    baseUrl: upstream.addressOf(5, 'good'),
    encryptedKey: other?.key ?? '',
    other: '',
    models: 'express-claude',
    modelMapping: JSON.stringify({ 'express-claude': 'claude-haiku-4-5' }),
    priority: 0,
  });
  const names = [...channels.map(({ models }) => models.replace(/,.*/, '')), 'embed'];
  rig = await startRig(channels, {
    ModelRatio: Object.fromEntries(names.map((name) => [name, 1])),
    RetryTimes: 0,
    AutomaticDisableChannelEnabled: true,
  });
});
afterAll(async () => {
  await rig.stop();
  await sender.close();
  await upstream.stop();
});

const post = (path: string, body: Json): Promise<Response> =>
  fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const ask = (model: string, stream = false): Promise<Response> =>
  post('/v1/chat/completions', {
    model,
    stream,
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Is all well?' }],
  });

describe.each([
  ['Gemini', 0],
  ['Claude', 1],
  ['an open model', 2],
  ['Mistral', 3],
  ['Llama, by its name alone', 4],
  ['Gemini, under a key of the express mode', 5],
])('%s at Vertex', (_, index) => {
  const wireOf = (): Wire => {
    const wire = wires[index];
    if (wire === undefined) throw new Error('not started');
    return wire;
  };

  test.each([false, true])('answers where its region is, under a token (stream: %s)', async (stream) => {
    const response = await ask(`good-${String(index)}`, stream);
    expect(response.status).toBe(200);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(saidIn(await eventsOf(chatDialects['openai-chat'], bytes, { stream })).text).toBe(TEXT);
    const { path, headers, body } = upstream.last();
    expect(path).toBe(stream ? (wireOf().streamed ?? wireOf().chat) : wireOf().chat);
    expect(headers).toMatchObject(wireOf().headers as Record<string, string>);
    expect(body).toMatchObject(wireOf().asks);
  });

  test("an error in Google's words is read as such, whoever made the model", async () => {
    expect((await ask(`rate-${String(index)}`)).status).toBe(429);
    expect((await ask(`bad-${String(index)}`)).status).toBe(502);
    expect(rig.disabled.map(({ id }) => id)).toContain(index * 3 + 2);
    expect(rig.disabled.map(({ id }) => id)).not.toContain(index * 3 + 3);
  });
});

describe('embeddings at Vertex', () => {
  test("are predictions there and OpenAI's list here, and what they used is charged", async () => {
    const before = await rig.balance();
    const response = await post('/v1/embeddings', { model: 'embed', input: ['a', 'b'], dimensions: 2 });
    expect(await response.json()).toEqual({
      object: 'list',
      model: 'embed',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, 0] },
        { object: 'embedding', index: 1, embedding: [0.5, 1] },
      ],
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    const { path, body } = upstream.last();
    expect(path).toBe(`${PROJECT}/us-central1/publishers/google/models/text-embedding-005:predict`);
    expect(body).toEqual({
      instances: [{ content: 'a' }, { content: 'b' }],
      parameters: { outputDimensionality: 2 },
    });
    await expect.poll(async () => (await rig.balance()).used - before.used).toBe(6);
  });

  test('come in base64 to those who ask for that, as some clients do unasked', async () => {
    const response = await post('/v1/embeddings', { model: 'embed', input: 'a', encoding_format: 'base64' });
    const { data } = (await response.json()) as { readonly data: readonly [{ readonly embedding: string }] };
    const bytes = Buffer.from(data[0].embedding, 'base64');
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.5, 0]);
  });

  test('of tokens are refused by the name of the field', async () => {
    const response = await post('/v1/embeddings', { model: 'embed', input: [[1, 2]] });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('input');
  });
});

test('the list of models has the publishers’ names that calls use', async () => {
  const upstreams = createModelLists({ upstreamOf: providerOf, sender, checkUrl: () => undefined, clock });
  const channel = channelOf(41, {
    baseUrl: upstream.addressOf(0, 'good'),
    key: new Secret(key),
    other: REGIONS,
  });
  expect(await upstreams.listModels(channel)).toEqual(wires[0]?.models?.names);
  expect(upstream.last().path).toBe(wires[0]?.models?.path);
});

test("a key of the express mode reaches Google's own models only", async () => {
  const response = await ask('express-claude');
  expect(response.status).toBe(502);
  expect((await rig.logs()).at(-1)?.content).not.toContain('express-key');
});
