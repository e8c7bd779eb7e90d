import { beforeAll, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** An answer that tells how likely its words were is asked for no longer than one may be. */

const here = callerScene();
const MODELS = { 1: 'logged-chat', 24: 'logged-gemini' };

beforeAll(async () => {
  const { scene, upstream } = here;
  for (const [type, models] of Object.entries(MODELS))
    await scene.stage.channel(scene.root, { type: Number(type), baseUrl: upstream.url, models });
  await scene.set(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(Object.values(MODELS).map((model) => [model, 1]))),
  );
});

const messages = [{ role: 'user', content: 'Hi' }];
const sent = async (body: object): Promise<unknown> => {
  await (await here.post('/v1/chat/completions', { messages, logprobs: true, ...body })).text();
  return JSON.parse(here.upstream.requests.at(-1)?.body ?? '{}');
};

it.each([
  ['where bytes are repeated', MODELS[1], { max_tokens: 9986 }],
  ['where they are written anew', MODELS[24], { generationConfig: { maxOutputTokens: 9986 } }],
])('%s', async (_, model, length) => {
  expect(await sent({ model, top_logprobs: 20, max_tokens: 16_000 })).toMatchObject(length);
});

it('one that fits goes out as it came', async () => {
  const asked = { model: MODELS[1], top_logprobs: 20, max_tokens: 9000 };
  expect(await sent(asked)).toEqual({ messages, logprobs: true, ...asked });
  expect(await sent({ model: MODELS[1] })).toEqual({ messages, logprobs: true, model: MODELS[1] });
});
