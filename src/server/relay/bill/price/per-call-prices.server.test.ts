import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../../http/testing/small-upstream.ts';

/** A price per call is for one answer: who asks for many in one call pays for many. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;
const UNITS_EACH = 5000;

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  alice = await scene.spender('alice', 100_000_000);
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl: upstream.url, models: 'm,dall-e-3' });
  await scene.set('ModelPrice', JSON.stringify({ m: 0.01, 'dall-e-3': 0.01 }));
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${alice.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const wide = { model: 'dall-e-3', size: '1792x1024' };
it.each<[string, string, object, number]>([
  ['a chat', '/v1/chat/completions', chat, 1],
  ['a chat with three choices', '/v1/chat/completions', { ...chat, n: 3 }, 3],
  ['a chat with as many as there may be', '/v1/chat/completions', { ...chat, n: 128 }, 128],
  ['a chat with three in another word', '/v1/chat/completions', { ...chat, extra_body: { n: 3 } }, 3],
  ['a chat with more than were asked for', '/v1/chat/completions', { ...chat, user: 'a series of 3' }, 3],
  ['a completion', '/v1/completions', { model: 'm', prompt: 'a' }, 1],
  ['completions of two prompts', '/v1/completions', { model: 'm', prompt: ['a', 'b'], n: 2 }, 4],
  ['the best of five', '/v1/completions', { model: 'm', prompt: 'a', best_of: 5 }, 5],
  ['prompts of which the first is a number', '/v1/completions', { model: 'm', prompt: [1, 'b', [2]] }, 3],
  ['a prompt of numbers', '/v1/completions', { model: 'm', prompt: [1, 2, 3] }, 1],
  ['three pictures', '/v1/images/generations', { model: 'm', prompt: 'a', n: 3 }, 3],
  ['pictures in another word', '/v1/images/generations', { model: 'm', prompt: 'a', batch_size: 4 }, 4],
  ['pictures in any case', '/v1/images/generations', { model: 'm', prompt: 'a', Num_Images: '4' }, 4],
  ['pictures in an object', '/v1/images/generations', { model: 'm', prompt: 'a', parameters: { n: 4 } }, 4],
  ['more than were asked for', '/v1/images/generations', { model: 'm', prompt: 'a series of 3' }, 3],
  ['a size, more than asked for', '/v1/images/generations', { ...wide, prompt: 'a series of 3' }, 6],
  [
    'pictures in a series',
    '/v1/images/generations',
    { model: 'm', prompt: 'a', sequential_image_generation_options: { max_images: 15 } },
    15,
  ],
  ['a fine picture', '/v1/images/generations', { model: 'dall-e-3', prompt: 'a', quality: ' HD' }, 2],
])('%s costs its price as often as there are answers', async (_, path, body, times) => {
  expect((await post(path, body)).status).toBe(200);
  const { data } = await scene.asRoot('/api/log/?p=1&page_size=1');
  expect((data as { items: { quota: number }[] }).items[0]?.quota).toBe(times * UNITS_EACH);
});

it.each<[string, string, object]>([
  [
    'two tools that draw',
    '/v1/responses',
    {
      model: 'm',
      input: 'Hi',
      tools: [
        { type: 'image_generation', model: 'm' },
        { type: 'image_generation', model: 'dall-e-3', quality: 'high' },
      ],
    },
  ],
  [
    'answers in a spelling that only some read',
    '/v1beta/models/m:generateContent',
    { contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { CandidateCount: 4 } },
  ],
  [
    'more pictures than a call may have',
    '/v1/images/generations',
    { model: 'm', prompt: 'a', num_images: 999 },
  ],
])('%s are refused, and nobody is asked', async (_, path, body) => {
  const before = upstream.requests.length;
  expect((await post(path, body)).status).toBe(400);
  expect(upstream.requests.length).toBe(before);
});
