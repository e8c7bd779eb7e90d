import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/** Image generation at Alibaba (help.aliyun.com/zh/model-studio/qwen-image-api, the synchronous interface; error codes). */

const URLS = ['https://dashscope-result.example/1.png', 'https://dashscope-result.example/2.png'];
let last: { readonly path: string; readonly key: unknown; readonly body: Json } | undefined;

const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    last = { path: request.url ?? '', key: request.headers.authorization, body };
    const isRefused = JSON.stringify(body).includes('forbidden');
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        isRefused
          ? {
              request_id: '31f808fd-8eef-9004-xxxx',
              code: 'DataInspectionFailed',
              message: 'Input data may contain inappropriate content.',
            }
          : {
              output: {
                choices: URLS.map((image) => ({
                  finish_reason: 'stop',
                  message: { role: 'assistant', content: [{ image }] },
                })),
              },
              usage: { image_count: 2, width: 1328, height: 1328 },
              request_id: '7a270c86-db58-9faf-b403-xxxxxx',
            },
      ),
    );
  });
});

let rig: Rig;

beforeAll(async () => {
  const baseUrl = await listening(upstream);
  rig = await startRig(
    [{ type: 17, baseUrl: `${baseUrl}/compatible-mode/v1`, encryptedKey: 'sk-1', models: 'qwen-image-3.0' }],
    { ModelRatio: { 'qwen-image-3.0': 1 }, RetryTimes: 0 },
  );
});
afterAll(async () => {
  await rig.stop();
  await new Promise((resolve) => upstream.close(resolve));
});

const draw = async (body: Json) => {
  const answer = await fetch(`${rig.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'qwen-image-3.0', ...body }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
};

test('a request of OpenAI is asked in its form, and answered by the addresses of what was drawn', async () => {
  const { status, body } = await draw({
    prompt: 'a hill',
    n: 2,
    size: '1328x1328',
    response_format: 'url',
    quality: 'standard',
    negative_prompt: 'fog',
  });
  expect(last).toEqual({
    path: '/api/v1/services/aigc/multimodal-generation/generation',
    key: 'Bearer sk-1',
    body: {
      model: 'qwen-image-3.0',
      input: { messages: [{ role: 'user', content: [{ text: 'a hill' }] }] },
      parameters: { n: 2, size: '1328*1328', negative_prompt: 'fog' },
    },
  });
  expect(status).toBe(200);
  expect(body).toEqual({ created: expect.any(Number), data: URLS.map((url) => ({ url })) });
});

test('without a size it chooses one itself', async () => {
  await draw({ prompt: 'a hill', size: 'auto' });
  expect(last?.body['parameters']).toEqual({});
});

test('what it refuses is the caller\u2019s to know; streams are not offered', async () => {
  const refused = await draw({ prompt: 'forbidden' });
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('inappropriate content'),
  ]);
  last = undefined;
  expect((await draw({ prompt: 'a hill', stream: true })).status).toBe(400);
  expect(last).toBeUndefined();
});
