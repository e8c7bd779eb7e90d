import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';

/** Sensitive words, from the settings to the answer, in the format of every caller. */

let upstream: SmallUpstream;
let scene: Scene;
let alice: Spender;

const MODEL = 'gpt-small';
const GIVEN = 10_000_000;
const set: Scene['set'] = (option, value) => scene.set(option, value);

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  alice = await scene.spender('alice', GIVEN, 1000);
  const { stage, root } = scene;
  await stage.channel(root, { baseUrl: upstream.url, models: MODEL });
  await stage.channel(root, { type: 2, baseUrl: upstream.url, models: 'mj_imagine' });
  await stage.channel(root, { type: 36, baseUrl: upstream.url, models: 'suno_music' });
  await set('ModelRatio', JSON.stringify({ [MODEL]: 0.01 }));
  await set('SensitiveWords', 'forbidden phrase\n违禁词');
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});
beforeEach(async () => {
  await set('CheckSensitiveEnabled', true);
  await set('CheckSensitiveOnPromptEnabled', true);
  await set('StopOnSensitiveEnabled', true);
});

const send = (path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer sk-${alice.key}`,
      'Content-Type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(body),
  });

const chat = (text: string): object => ({ model: MODEL, messages: [{ role: 'user', content: text }] });
const parts = (text: string): object[] => [
  { type: 'text', text: 'Tell me' },
  { type: 'text', text },
];

const formats: readonly (readonly [string, string, (text: string) => object])[] = [
  ['a chat', '/v1/chat/completions', chat],
  [
    'a part of a chat message',
    '/v1/chat/completions',
    (text) => ({ model: MODEL, messages: [{ role: 'user', content: parts(text) }] }),
  ],
  [
    'what a tool answered',
    '/v1/chat/completions',
    (text) => ({
      model: MODEL,
      messages: [
        { role: 'user', content: 'Call it' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: text },
      ],
    }),
  ],
  ['a completion', '/v1/completions', (text) => ({ model: MODEL, prompt: text })],
  ['a response', '/v1/responses', (text) => ({ model: MODEL, input: text })],
  [
    'the instructions of a response',
    '/v1/responses',
    (text) => ({ model: MODEL, instructions: text, input: 'Hello' }),
  ],
  ['an Anthropic message', '/v1/messages', (text) => ({ ...chat(text), max_tokens: 9 })],
  [
    'an Anthropic system prompt',
    '/v1/messages',
    (text) => ({ ...chat('Hello'), max_tokens: 9, system: parts(text) }),
  ],
  [
    'a Gemini prompt',
    `/v1beta/models/${MODEL}:generateContent`,
    (text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
  ],
  [
    'a Gemini system instruction',
    `/v1beta/models/${MODEL}:streamGenerateContent`,
    (text) => ({ systemInstruction: { parts: [{ text }] }, contents: [{ parts: [{ text: 'Hello' }] }] }),
  ],
  ['an embedding', '/v1/embeddings', (text) => ({ model: MODEL, input: ['one', text] })],
  ['a picture', '/v1/images/generations', (text) => ({ model: MODEL, prompt: text })],
  ['speech', '/v1/audio/speech', (text) => ({ model: MODEL, input: text, voice: 'alloy' })],
  ['a moderation', '/v1/moderations', (text) => ({ model: MODEL, input: text })],
  ['a ranking', '/v1/rerank', (text) => ({ model: MODEL, query: 'which', documents: ['one', text] })],
  ['an edit', '/v1/edits', (text) => ({ model: MODEL, input: 'one', instruction: text })],
  ['a drawing', '/mj/submit/imagine', (text) => ({ prompt: text })],
  ['a song', '/suno/submit/music', (text) => ({ prompt: text })],
];

it.each(formats)(
  '%s with a listed word is refused, sent nowhere and charged nothing',
  async (_, path, make) => {
    const before = upstream.requests.length;
    for (const text of ['This is a ForBidden PHRASE.', '其中有违禁词。']) {
      const response = await send(path, make(text));
      const said = await response.text();
      expect([response.status, said]).toEqual([400, expect.stringContaining('sensitive words detected')]);
      expect(said.toLowerCase()).not.toContain('forbidden phrase');
    }
    expect(upstream.requests.length).toBe(before);
    expect((await scene.server.parts.stores.users.byId(alice.user.id))?.quotaUnits).toBe(GIVEN);
  },
);

it('the prompt beside an uploaded picture is checked too', async () => {
  const form = new FormData();
  form.set('model', MODEL);
  form.set('image', new Blob(['forbidden phrase']), 'a.png');
  const edit = async (prompt: string): Promise<string> => {
    form.set('prompt', prompt);
    const headers = { Authorization: `Bearer sk-${alice.key}` };
    const response = await fetch(`${scene.server.url}/v1/images/edits`, {
      method: 'POST',
      headers,
      body: form,
    });
    return response.text();
  };
  expect(await edit('a forbidden phrase')).toContain('sensitive words detected');
  expect(await edit('a hat')).not.toContain('sensitive words detected');
});

it('a prompt without one passes, and so does any while checking or stopping is disabled', async () => {
  const ok = async (text: string): Promise<number> => {
    const response = await send('/v1/chat/completions', chat(text));
    await response.text();
    return response.status;
  };
  expect(await ok('a forbidden and a phrase')).toBe(200);
  for (const switched of [
    'CheckSensitiveEnabled',
    'CheckSensitiveOnPromptEnabled',
    'StopOnSensitiveEnabled',
  ]) {
    expect(await ok('a forbidden phrase')).toBe(400);
    await set(switched, false);
    expect(await ok('a forbidden phrase')).toBe(200);
    await set(switched, true);
  }
});
