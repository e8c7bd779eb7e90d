import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listening } from '../../src/server/outbound/testing/local-server.ts';
import { type Rig, startRig } from '../faults/rig.ts';
import type { Json } from '../../src/server/providers/testing/wire.ts';

/**
 * Volcengine's multimodal embeddings (www.volcengine.com/docs/82379/1523520): one vector for all parts of a call, as an object
 * instead of OpenAI's list.
 */

const MODEL = 'doubao-embedding-vision-250615';
const FOR_TEXTS = 'doubao-embedding-text-240715';
const seen: { readonly path: string; readonly body: Json }[] = [];
let atOnce = 0;
let mostAtOnce = 0;
/** Answers are held back until this many calls have arrived. */
let together = 1;
const held: (() => void)[] = [];

const vectorOf = (body: Json): Json => ({
  id: '021743500074720a',
  created: 1_743_500_074,
  model: MODEL,
  object: 'list',
  data: { object: 'embedding', embedding: [JSON.stringify(body['input']).length, 0.5] },
  usage: { prompt_tokens: 5, total_tokens: 5, prompt_tokens_details: { text_tokens: 5, image_tokens: 0 } },
});

const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Json;
    seen.push({ path: request.url ?? '', body });
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    held.push(() => {
      atOnce -= 1;
      const isRefused = JSON.stringify(body).includes('refused');
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isRefused
            ? {
                error: {
                  code: 'InvalidParameter',
                  message: 'The parameter `input` is not valid',
                  type: 'BadRequest',
                },
              }
            : vectorOf(body),
        ),
      );
    });
    if (held.length >= together) {
      together = 1;
      for (const answer of held.splice(0)) answer();
    }
  });
});

let rig: Rig;

beforeAll(async () => {
  const baseUrl = await listening(upstream);
  rig = await startRig([{ type: 45, baseUrl, models: `${MODEL},${FOR_TEXTS}` }], {
    ModelRatio: { [MODEL]: 1, [FOR_TEXTS]: 1 },
    RetryTimes: 0,
  });
});
afterAll(async () => {
  await rig.stop();
  await new Promise((resolve) => upstream.close(resolve));
});
beforeEach(() => {
  seen.length = 0;
});

const embed = async (body: Json) => {
  const answer = await fetch(`${rig.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
};
const text = (said: string): Json => ({ type: 'text', text: said });

test('a list of texts gets a vector each, in its order, a few calls at a time', async () => {
  together = 8;
  const input = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index + 1));
  const { status, body } = await embed({ model: MODEL, input, dimensions: 1024 });
  expect(status).toBe(200);
  expect(seen[0]).toMatchObject({
    path: '/api/v3/embeddings/multimodal',
    body: { model: MODEL, dimensions: 1024 },
  });
  expect(seen.map((call) => call.body['input'])).toEqual(
    expect.arrayContaining(input.map((said) => [text(said)])),
  );
  expect(seen).toHaveLength(20);
  expect(mostAtOnce).toBe(8);
  expect(body).toMatchObject({ object: 'list', usage: { prompt_tokens: 100, total_tokens: 100 } });
  expect(body['data']).toEqual(
    input.map((said, index) => ({
      object: 'embedding',
      index,
      embedding: [JSON.stringify([text(said)]).length, 0.5],
    })),
  );
});

test('one text is a list of one; parts in its own form are one vector', async () => {
  const one = await embed({ model: MODEL, input: 'hello' });
  expect(one.body['data']).toHaveLength(1);
  const parts = [
    text('a hill'),
    { type: 'image_url', image_url: { url: 'https://pictures.example/hill.png' } },
  ];
  const both = await embed({ model: MODEL, input: parts });
  expect(both.body['data']).toHaveLength(1);
  expect(seen.map((call) => call.body['input'])).toEqual([[text('hello')], parts]);
});

test('what is refused of one is the answer, and nothing more is asked', async () => {
  const { status, body } = await embed({
    model: MODEL,
    input: ['refused', ...Array.from({ length: 50 }, () => 'y')],
  });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain('`input` is not valid');
  expect(seen.length).toBeLessThan(20);
});

test.each([
  [[[1, 2]], 'texts, not tokens'],
  [[1, 2], 'texts, not tokens'],
  [Array.from({ length: 257 }, () => 'y'), 'at most 256 inputs'],
])('input %# it has no form for is refused before it is asked', async (input, words) => {
  const { status, body } = await embed({ model: MODEL, input });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(words)]);
  expect(seen).toEqual([]);
});

test('its models for texts alone are asked as they are', async () => {
  await embed({ model: FOR_TEXTS, input: ['a', 'b'] });
  expect(seen).toMatchObject([{ path: '/api/v3/embeddings', body: { input: ['a', 'b'] } }]);
});
