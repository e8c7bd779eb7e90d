import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * Speech at Mistral (docs.mistral.ai/studio/audio/text-to-speech/generate-speech), Qwen
 * (www.alibabacloud.com/help/en/model-studio/qwen-tts) and xAI (docs.x.ai/developers, text to speech), and reranking at NVIDIA
 * (docs.nvidia.com/nim/nemo-retriever/text-reranking) and Cohere (docs.cohere.com/reference/rerank).
 */

const SOUND = Buffer.from('RIFF all is well');
interface Seen {
  readonly call: string;
  readonly authorization: string | undefined;
  readonly body: Json;
}
const seen: Seen[] = [];
let own = '';

const RANKINGS = [
  { index: 1, logit: 2 },
  { index: 0, logit: -2 },
  { index: 2, logit: -8.5 },
];

const answerTo = (path: string, body: Json): readonly [number, Json] => {
  if (path === '/v1/audio/speech') {
    if (body['voice_id'] === 'nobody')
      return [
        404,
        { object: 'error', message: 'Voice not found', type: 'not_found', param: null, code: '1804' },
      ];
    return [200, { audio_data: SOUND.toString('base64') }];
  }
  if (path === '/api/v1/services/aigc/multimodal-generation/generation') {
    const { voice } = body['input'] as Json;
    if (voice === 'nobody')
      return [
        400,
        { code: 'InvalidParameter', message: 'Voice nobody is not supported.', request_id: 'r-1' },
      ];
    const audio = {
      data: '',
      expires_at: 1_767_312_000,
      id: 'audio_1',
      url: `${own}/sound${String(voice)}.wav`,
    };
    return [200, { output: { audio, finish_reason: 'stop' }, usage: { characters: 12 }, request_id: 'r-1' }];
  }
  if (path === '/v1/tts') return [400, { code: 'invalid-argument', error: 'Unknown voice nobody' }];
  if (path === '/v1/ranking')
    return [200, { rankings: RANKINGS, usage: { prompt_tokens: 30, total_tokens: 30 } }];
  if (path === '/v2/rerank')
    return [200, { id: 'r-1', results: [{ index: 1, relevance_score: 0.5 }], meta: { billed_units: {} } }];
  return [404, { detail: 'Not Found' }];
};

const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const body = (text === '' ? {} : JSON.parse(text)) as Json;
    const path = request.url ?? '';
    seen.push({
      call: `${request.method ?? ''} ${path}`,
      authorization: request.headers.authorization,
      body,
    });
    if (path === '/v1/tts' && body['voice_id'] !== 'nobody') {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      return void response.end(SOUND);
    }
    if (path === '/soundCherry.wav') {
      response.writeHead(200, { 'content-type': 'audio/wav' });
      return void response.end(SOUND);
    }
    const [status, answer] = answerTo(path, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
});

let rig: Rig;
beforeAll(async () => {
  own = await listening(upstream);
  const models = [
    'voxtral-mini-tts-3-0',
    'qwen3-tts-flash',
    'nvidia/llama-3.2-nv-rerankqa-1b-v2',
    'grok-tts',
    'rerank-v4.0-pro',
  ] as const;
  rig = await startRig(
    models.map((name, at) => ({
      type: [42, 17, 104, 48, 34][at] ?? 0,
      baseUrl: own,
      encryptedKey: 'sk-of-the-channel',
      models: name,
    })),
    { ModelRatio: Object.fromEntries(models.map((name) => [name, 1])), RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  await new Promise((resolve) => upstream.close(resolve));
});
beforeEach(() => void (seen.length = 0));

const post = async (path: string, body: Json) => {
  const answer = await fetch(rig.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type'), bytes, text: bytes.toString() };
};
const say = (model: string, beside: Json) =>
  post('/v1/audio/speech', { model, input: 'All is well.', ...beside });

test("Mistral's speech is asked for by its voice, and answered by the sound", async () => {
  const said = await say('voxtral-mini-tts-3-0', { voice: 'gb_jane_neutral', response_format: 'wav' });
  expect(said).toMatchObject({ status: 200, type: 'audio/wav', bytes: SOUND });
  expect(seen).toEqual([
    {
      call: 'POST /v1/audio/speech',
      authorization: 'Bearer sk-of-the-channel',
      body: {
        model: 'voxtral-mini-tts-3-0',
        input: 'All is well.',
        voice_id: 'gb_jane_neutral',
        response_format: 'wav',
      },
    },
  ]);
});

test('without a format the answer has the format that callers expect by default', async () => {
  expect(await say('voxtral-mini-tts-3-0', { voice: 'gb_jane_neutral' })).toMatchObject({
    type: 'audio/mpeg',
  });
  expect(seen[0]?.body).toMatchObject({ voice_id: 'gb_jane_neutral', response_format: 'mp3' });
});

test.each([
  ['voxtral-mini-tts-3-0', 404, 'Voice not found'],
  ['qwen3-tts-flash', 400, 'Voice nobody is not supported.'],
  ['grok-tts', 400, 'Unknown voice nobody'],
])('%s: an unknown voice is reported', async (model, status, words) => {
  const said = await say(model, { voice: 'nobody' });
  expect(said.status).toBe(status);
  expect(said.text).toContain(words);
});

test("Qwen's speech is fetched from its address, without the key", async () => {
  const said = await say('qwen3-tts-flash', { voice: 'Cherry', language_type: 'English' });
  expect(said).toMatchObject({ status: 200, type: 'audio/wav', bytes: SOUND });
  expect(seen).toEqual([
    {
      call: 'POST /api/v1/services/aigc/multimodal-generation/generation',
      authorization: 'Bearer sk-of-the-channel',
      body: {
        model: 'qwen3-tts-flash',
        input: { text: 'All is well.', voice: 'Cherry', language_type: 'English' },
      },
    },
    { call: 'GET /soundCherry.wav', authorization: undefined, body: {} },
  ]);
});

test("xAI's speech names no model, but a language", async () => {
  const said = await say('grok-tts', { voice: 'eve', speed: 1.2 });
  expect(said).toMatchObject({ status: 200, type: 'audio/mpeg', bytes: SOUND });
  expect(seen).toEqual([
    {
      call: 'POST /v1/tts',
      authorization: 'Bearer sk-of-the-channel',
      body: {
        text: 'All is well.',
        language: 'auto',
        output_format: { codec: 'mp3' },
        voice_id: 'eve',
        speed: 1.2,
      },
    },
  ]);
});

test('a sound that has vanished is an upstream failure', async () => {
  expect(await say('qwen3-tts-flash', { voice: 'Ethan' })).toMatchObject({ status: 502 });
});

test.each([
  ['qwen3-tts-flash', { response_format: 'mp3' }, 'response_format'],
  ['qwen3-tts-flash', { stream_format: 'sse' }, 'stream_format'],
  ['voxtral-mini-tts-3-0', { stream_format: 'sse' }, 'stream_format'],
  ['grok-tts', { response_format: 'opus' }, 'response_format'],
  ['grok-tts', { instructions: 'softly' }, 'instructions'],
])('%s refuses %o by its name, and is not asked', async (model, beside, param) => {
  const said = await say(model, { voice: 'Cherry', ...beside });
  expect(said.status).toBe(400);
  expect(JSON.parse(said.text)).toMatchObject({ error: { param } });
  expect(seen).toEqual([]);
});

test('NVIDIA reranks documents, answered in the common format', async () => {
  const asked = {
    model: 'nvidia/llama-3.2-nv-rerankqa-1b-v2',
    query: 'q',
    documents: ['a', { text: 'b' }, 'c'],
  };
  const said = await post('/v1/rerank', { ...asked, top_n: 2, return_documents: true });
  expect(seen[0]).toEqual({
    call: 'POST /v1/ranking',
    authorization: 'Bearer sk-of-the-channel',
    body: {
      model: asked.model,
      query: { text: 'q' },
      passages: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
    },
  });
  expect(JSON.parse(said.text)).toEqual({
    model: asked.model,
    results: [
      { index: 1, relevance_score: expect.closeTo(0.8808, 4) as number, document: { text: 'b' } },
      { index: 0, relevance_score: expect.closeTo(0.1192, 4) as number, document: { text: 'a' } },
    ],
    usage: { prompt_tokens: 30, total_tokens: 30 },
  });
});

test('Cohere reranks documents by their texts, and returns them on request', async () => {
  const asked = { model: 'rerank-v4.0-pro', query: 'q', documents: ['a', { text: 'b' }], top_n: 1 };
  const results = [{ index: 1, relevance_score: 0.5 }];
  expect(JSON.parse((await post('/v1/rerank', asked)).text)).toMatchObject({ results });
  const said = await post('/v1/rerank', { ...asked, return_documents: true });
  expect(seen[1]?.body).toEqual({ ...asked, documents: ['a', 'b'] });
  expect(JSON.parse(said.text)).toMatchObject({ results: [{ ...results[0], document: { text: 'b' } }] });
});
