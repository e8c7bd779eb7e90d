import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Rig, startRig } from '../faults/rig.ts';
import { type JsonUpstream, startJsonUpstream } from './json-upstream.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * OpenAI's calls translated into the provider's own requests: images at MiniMax
 * (platform.minimaxi.com/docs/api-reference: image-generation-t2i, image-generation-i2i), transcriptions and image edits at
 * Alibaba (www.alibabacloud.com/help/en/model-studio: qwen-asr-api-reference, qwen-image-edit-api).
 */

/** MiniMax's answers by model. */
const minimaxSays = ({ model, response_format: format }: Json): Json => {
  if (model === 'image-01-live')
    return { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } };
  const data =
    format === 'base64' ? { image_base64: ['aGk='] } : { image_urls: ['https://oss.example/1.jpeg'] };
  return {
    id: '03ff',
    data,
    metadata: { success_count: 1, failed_count: 0 },
    base_resp: { status_code: 0, status_msg: 'success' },
  };
};

const HEARD = {
  id: 'chatcmpl-487abe5f',
  object: 'chat.completion',
  created: 1_767_683_986,
  model: 'qwen3-asr-flash',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        content: 'Welcome to Qwen Cloud.',
        annotations: [{ type: 'audio_info', language: 'en', emotion: 'neutral' }],
      },
    },
  ],
  usage: { completion_tokens: 12, prompt_tokens: 42, total_tokens: 54, seconds: 60 },
};

const answerTo = (path: string, body: Json): Json => {
  if (path === '/v1/image_generation') return minimaxSays(body);
  if (path === '/compatible-mode/v1/chat/completions') return HEARD;
  return { output: { choices: [{ message: { content: [{ image: 'https://dashscope.example/1.png' }] } }] } };
};

let upstream: JsonUpstream;
let rig: Rig;
beforeAll(async () => {
  upstream = await startJsonUpstream(answerTo);
  const baseUrl = upstream.url;
  rig = await startRig(
    [
      { type: 35, baseUrl, models: 'image-01,image-01-live,MiniMax-H3-Image' },
      { type: 17, baseUrl, models: 'qwen3-asr-flash,fun-asr-flash,qwen-image-edit-plus' },
    ],
    {
      ModelRatio: { 'qwen3-asr-flash': 1, 'fun-asr-flash': 1, 'MiniMax-H3-Image': 1 },
      ModelPrice: { 'image-01': 0.01, 'image-01-live': 0.01, 'qwen-image-edit-plus': 0.01 },
      RetryTimes: 0,
    },
  );
});
afterAll(async () => {
  await rig.stop();
  await upstream.stop();
});
beforeEach(() => void (upstream.seen.length = 0));

const post = async (path: string, sent: Json | readonly (readonly [string, string | File])[]) => {
  const form = new FormData();
  if (Array.isArray(sent))
    for (const [name, value] of sent as [string, string | File][]) form.append(name, value);
  const answer = await fetch(rig.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${rig.key}`,
      ...(!Array.isArray(sent) && { 'content-type': 'application/json' }),
    },
    body: Array.isArray(sent) ? form : JSON.stringify(sent),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
};
const picture = (text: string) => new File([text], `${text}.png`, { type: 'image/png' });
const sound = new File(['sound'], 'a.wav', { type: 'audio/wav' });

test('a picture of image-01 is asked for in its form and told in the one of OpenAI', async () => {
  const said = await post('/v1/images/generations', {
    model: 'image-01',
    prompt: 'a hill',
    n: 1,
    size: '1024x768',
    response_format: 'b64_json',
    prompt_optimizer: true,
  });
  expect(said).toEqual({ status: 200, body: { data: [{ b64_json: 'aGk=' }] } });
  expect(upstream.seen).toEqual([
    {
      path: '/v1/image_generation',
      type: 'application/json',
      body: {
        model: 'image-01',
        prompt: 'a hill',
        n: 1,
        prompt_optimizer: true,
        response_format: 'base64',
        width: 1024,
        height: 768,
      },
    },
  ]);
});

test('an edit keeps who is on the pictures that come with it', async () => {
  const said = await post('/v1/images/edits', [
    ['model', 'image-01'],
    ['prompt', 'in a library'],
    ['image', picture('one')],
  ]);
  expect(said).toEqual({ status: 200, body: { data: [{ url: 'https://oss.example/1.jpeg' }] } });
  expect(upstream.seen[0]).toMatchObject({
    path: '/v1/image_generation',
    type: 'application/json',
    body: {
      prompt: 'in a library',
      subject_reference: [{ type: 'character', image_file: `data:image/png;base64,${btoa('one')}` }],
    },
  });
});

test('what is refused under status 200 is refused', async () => {
  const said = await post('/v1/images/generations', { model: 'image-01-live', prompt: 'a hill' });
  expect(said.status).toBe(502);
});

test.each([
  ['/v1/images/edits', 'image-01', 'mask', 'mask'],
  ['/v1/images/edits', 'MiniMax-H3-Image', 'image', 'model'],
  ['/v1/images/edits', 'qwen-image-edit-plus', 'mask', 'mask'],
  ['/v1/audio/transcriptions', 'fun-asr-flash', 'file', 'model'],
])('%s with %s: what cannot be said is refused by name (%s)', async (path, model, file, param) => {
  const said = await post(path, [
    ['model', model],
    ['prompt', 'a hat'],
    [file, picture('one')],
  ]);
  expect(said).toMatchObject({ status: 400, body: { error: { param } } });
  expect(upstream.seen).toEqual([]);
});

test('an edit at Alibaba is a message of pictures and words', async () => {
  const said = await post('/v1/images/edits', [
    ['model', 'qwen-image-edit-plus'],
    ['prompt', 'both'],
    ['image[]', picture('one')],
    ['image[]', picture('two')],
  ]);
  expect(said).toMatchObject({ status: 200, body: { data: [{ url: 'https://dashscope.example/1.png' }] } });
  expect(upstream.seen[0]).toMatchObject({
    path: '/api/v1/services/aigc/multimodal-generation/generation',
    body: {
      model: 'qwen-image-edit-plus',
      input: {
        messages: [
          {
            role: 'user',
            content: [
              { image: `data:image/png;base64,${btoa('one')}` },
              { image: `data:image/png;base64,${btoa('two')}` },
              { text: 'both' },
            ],
          },
        ],
      },
    },
  });
});

test('a sound to be written down goes to Alibaba as a chat, and is charged by its seconds', async () => {
  const said = await post('/v1/audio/transcriptions', [
    ['model', 'qwen3-asr-flash'],
    ['language', 'en'],
    ['prompt', 'Qwen Cloud'],
    ['file', sound],
  ]);
  expect(said).toEqual({
    status: 200,
    body: { text: 'Welcome to Qwen Cloud.', usage: { type: 'duration', seconds: 60 } },
  });
  expect(upstream.seen).toEqual([
    {
      path: '/compatible-mode/v1/chat/completions',
      type: 'application/json',
      body: {
        model: 'qwen3-asr-flash',
        stream: false,
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'Qwen Cloud' }] },
          {
            role: 'user',
            content: [
              { type: 'input_audio', input_audio: { data: `data:audio/wav;base64,${btoa('sound')}` } },
            ],
          },
        ],
        asr_options: { language: 'en', enable_itn: false },
      },
    },
  ]);
  await expect.poll(() => rig.openHolds()).toBe(0);
  expect((await rig.logs()).at(-1)).toMatchObject({ quota: 1000 });
});
