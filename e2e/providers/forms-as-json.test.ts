import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Rig, startRig } from '../faults/rig.ts';
import { type JsonUpstream, startJsonUpstream } from './json-upstream.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * Calls that arrive as forms and go to the upstream as JSON: image edits at xAI (docs.x.ai/developers,
 * image editing), images and transcriptions at OpenRouter (openrouter.ai/docs: generate an image, transcriptions), and
 * images at Gemini (ai.google.dev/gemini-api/docs/openai).
 */

const ANSWERS: Readonly<Record<string, Json>> = {
  '/v1/images/edits': { data: [{ url: 'https://imgen.example/1.jpeg' }] },
  '/v1/images': {
    created: 1748372400,
    data: [{ b64_json: 'AAAA', media_type: 'image/png' }],
    usage: { prompt_tokens: 11, completion_tokens: 4175, total_tokens: 4186, cost: 0.04 },
  },
  '/v1beta/openai/images/generations': { data: [{ b64_json: 'AAAA' }] },
  '/v1/audio/transcriptions': { text: 'All is well.', usage: { seconds: 2, cost: 0.0001 } },
};

let upstream: JsonUpstream;
let rig: Rig;
beforeAll(async () => {
  upstream = await startJsonUpstream((path) => ANSWERS[path] ?? {});
  const baseUrl = upstream.url;
  const channel = (type: number, models: string, upstreamModel: string) => ({
    type,
    baseUrl,
    models,
    modelMapping: JSON.stringify({ [models]: upstreamModel }),
  });
  rig = await startRig(
    [
      channel(48, 'drawing', 'grok-imagine-image'),
      channel(20, 'hearing', 'openai/whisper-1'),
      channel(20, 'painting', 'bytedance-seed/seedream-4.5'),
      channel(24, 'nano', 'gemini-2.5-flash-image'),
    ],
    { ModelRatio: { drawing: 1, hearing: 1, painting: 1, nano: 1 }, RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  await upstream.stop();
});
beforeEach(() => void (upstream.seen.length = 0));

const post = async (path: string, fields: readonly (readonly [string, string | File])[]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const headers = { authorization: `Bearer ${rig.key}` };
  const answer = await fetch(rig.url + path, { method: 'POST', headers, body: form });
  return { status: answer.status, body: (await answer.json()) as Json };
};
const picture = (text: string) => new File([text], `${text}.png`, { type: 'image/png' });

test('a picture to be changed goes as JSON, its file in it, with what the upstream knows', async () => {
  const said = await post('/v1/images/edits', [
    ['model', 'drawing'],
    ['prompt', 'a hat'],
    ['n', '2'],
    ['size', '1024x1024'],
    ['response_format', 'url'],
    ['image', picture('one')],
  ]);
  expect(said).toEqual({ status: 200, body: ANSWERS['/v1/images/edits'] });
  expect(upstream.seen).toEqual([
    {
      path: '/v1/images/edits',
      type: 'application/json',
      body: {
        model: 'grok-imagine-image',
        prompt: 'a hat',
        n: 2,
        response_format: 'url',
        aspect_ratio: '1:1',
        image: { url: `data:image/png;base64,${btoa('one')}`, type: 'image_url' },
      },
    },
  ]);
});

test('several pictures are a list', async () => {
  await post('/v1/images/edits', [
    ['model', 'drawing'],
    ['prompt', 'both'],
    ['image[]', picture('one')],
    ['image[]', picture('two')],
  ]);
  expect(upstream.seen[0]?.body['images']).toEqual(
    ['one', 'two'].map((name) => ({ url: `data:image/png;base64,${btoa(name)}`, type: 'image_url' })),
  );
});

test('a mask is refused by its name', async () => {
  const said = await post('/v1/images/edits', [
    ['model', 'drawing'],
    ['prompt', 'a hat'],
    ['image', picture('one')],
    ['mask', picture('two')],
  ]);
  expect(said).toMatchObject({ status: 400, body: { error: { param: 'mask' } } });
  expect(upstream.seen).toEqual([]);
});

test('a sound to be written down goes as JSON, and its words come back', async () => {
  const said = await post('/v1/audio/transcriptions', [
    ['model', 'hearing'],
    ['language', 'en'],
    ['file', new File(['sound'], 'a.wav', { type: 'audio/wav' })],
  ]);
  expect(said).toMatchObject({ status: 200, body: { text: 'All is well.' } });
  expect(upstream.seen).toEqual([
    {
      path: '/v1/audio/transcriptions',
      type: 'application/json',
      body: {
        model: 'openai/whisper-1',
        language: 'en',
        input_audio: { data: btoa('sound'), format: 'wav' },
      },
    },
  ]);
});

test('a form of answer that the upstream has not is refused by its name', async () => {
  const said = await post('/v1/audio/transcriptions', [
    ['model', 'hearing'],
    ['response_format', 'srt'],
    ['file', new File(['sound'], 'a.wav')],
  ]);
  expect(said).toMatchObject({ status: 400, body: { error: { param: 'response_format' } } });
});

const ask = async (body: Json) => {
  const headers = { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${rig.url}/v1/images/generations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
};

test('pictures of OpenRouter are asked for where it draws them, and paid by the tokens it counts', async () => {
  const said = await ask({
    model: 'painting',
    prompt: 'a hat',
    size: 'auto',
    quality: 'hd',
    style: 'vivid',
    response_format: 'b64_json',
    aspect_ratio: '16:9',
  });
  // What it costs the operator is not told.
  const usage = { prompt_tokens: 11, completion_tokens: 4175, total_tokens: 4186 };
  expect(said).toEqual({ status: 200, body: { ...ANSWERS['/v1/images'], usage } });
  expect(upstream.seen).toEqual([
    {
      path: '/v1/images',
      type: 'application/json',
      body: {
        model: 'bytedance-seed/seedream-4.5',
        prompt: 'a hat',
        quality: 'high',
        aspect_ratio: '16:9',
      },
    },
  ]);
  await expect.poll(rig.openHolds).toBe(0);
  expect((await rig.logs()).at(-1)).toMatchObject({ prompt_tokens: 11, completion_tokens: 4175 });
});

test('pictures to be changed are references there', async () => {
  await post('/v1/images/edits', [
    ['model', 'painting'],
    ['prompt', 'a hat'],
    ['size', '1024x1024'],
    ['image', picture('one')],
  ]);
  expect(upstream.seen).toEqual([
    {
      path: '/v1/images',
      type: 'application/json',
      body: {
        model: 'bytedance-seed/seedream-4.5',
        prompt: 'a hat',
        size: '1024x1024',
        input_references: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${btoa('one')}` } }],
      },
    },
  ]);
});

test('pictures of Gemini are asked for in the format it shares with OpenAI', async () => {
  const said = await ask({ model: 'nano', prompt: 'a hat', n: 1, quality: 'auto', size: '1024x1024' });
  expect(said).toEqual({ status: 200, body: ANSWERS['/v1beta/openai/images/generations'] });
  expect(upstream.seen).toEqual([
    {
      path: '/v1beta/openai/images/generations',
      type: 'application/json',
      body: {
        model: 'gemini-2.5-flash-image',
        prompt: 'a hat',
        n: 1,
        size: '1024x1024',
        response_format: 'b64_json',
      },
    },
  ]);
});

test.each(['painting', 'nano'])('what %s cannot give is refused by its name', async (model) => {
  for (const [param, value] of [
    ['stream', true],
    ['response_format', 'url'],
  ] as const)
    expect(await ask({ model, prompt: 'a hat', [param]: value })).toMatchObject({
      status: 400,
      body: { error: { param } },
    });
  expect(upstream.seen).toEqual([]);
});
