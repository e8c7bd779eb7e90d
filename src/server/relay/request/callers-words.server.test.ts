import { beforeAll, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** What no channel can say is refused by the field its caller sent, in the caller's format. */

const here = callerScene();

beforeAll(async () => {
  const { scene, upstream } = here;
  await scene.stage.channel(scene.root, { type: 14, baseUrl: upstream.url, models: 'claude-like' });
  await scene.stage.channel(scene.root, { type: 24, baseUrl: upstream.url, models: 'gemini-like' });
  await scene.set('ModelRatio', JSON.stringify({ 'claude-like': 1, 'gemini-like': 1 }));
});

const refusal = async (path: string, body: object): Promise<string> => {
  const reply = await here.post(path, body);
  expect(reply.status).toBe(400);
  return reply.text();
};
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

it.each([
  [
    'candidateCount',
    '/v1beta/models/claude-like:generateContent',
    { contents, generationConfig: { candidateCount: 2 } },
    '"field":"generationConfig.candidateCount"',
    "'n'",
  ],
  [
    'candidateCount of a stream',
    '/v1beta/models/claude-like:streamGenerateContent?alt=sse',
    { contents, generationConfig: { candidateCount: 2 } },
    "'generationConfig.candidateCount'",
    "'n'",
  ],
  [
    'a film',
    '/v1beta/models/claude-like:generateContent',
    { contents: [{ parts: [{ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }] }] },
    '"field":"contents[0]"',
    'messages',
  ],
  [
    'sound',
    '/v1/responses',
    {
      model: 'claude-like',
      input: [
        { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }] },
      ],
    },
    '"param":"input.0"',
    'messages',
  ],
  [
    'n',
    '/v1/chat/completions',
    { model: 'claude-like', n: 2, messages: [{ role: 'user', content: 'Hi' }] },
    '"param":"n"',
    'candidateCount',
  ],
])('%s is named as it was sent', async (_, path, body, named, unnamed) => {
  const text = await refusal(path, body);
  expect(text).toContain(named);
  expect(text).not.toContain(unnamed);
  expect(here.upstream.requests).toHaveLength(0);
});
