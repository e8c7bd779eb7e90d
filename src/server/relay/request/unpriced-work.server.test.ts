import { beforeAll, describe, expect, it } from 'vitest';
import { callerScene } from '../../http/testing/caller-scene.ts';

/** Work that nobody could be charged for is done for nobody, unless the operator lets callers have it. */

const OPTION = 'global.unpriced_work_enabled';
const here = callerScene();
const MODELS = { 1: 'worked-chat', 8: 'worked-custom', 24: 'worked-gemini' };

beforeAll(async () => {
  const { scene, upstream } = here;
  for (const [type, models] of Object.entries(MODELS)) {
    const baseUrl = type === '8' ? `${upstream.url}/v1/chat/completions` : upstream.url;
    await scene.stage.channel(scene.root, { type: Number(type), baseUrl, models });
  }
  await scene.set(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(Object.values(MODELS).map((model) => [model, 1]))),
  );
});

const ask = async (path: string, body: object) => {
  const before = here.upstream.requests.length;
  const reply = await here.post(path, body);
  return { status: reply.status, text: await reply.text(), asked: here.upstream.requests.length - before };
};
const chat = (model: string, body: object, words = 'Hi') => ({
  model,
  messages: [{ role: 'user', content: words }],
  ...body,
});
const CHAT = '/v1/chat/completions';

const asked: [string, string, object, string][] = [
  ['a search', CHAT, chat(MODELS[1], { enable_search: true }), 'enable_search'],
  ['a search of a channel of any kind', CHAT, chat(MODELS[8], { enable_search: true }), 'enable_search'],
  [
    'a search in a large body',
    CHAT,
    chat(MODELS[1], { enable_search: true }, 'a'.repeat(700_000)),
    'enable_search',
  ],
  ['a dear host', CHAT, chat(MODELS[1], { provider: { order: ['dear'] } }), 'provider.order'],
  [
    'a dear host, for vectors',
    '/v1/embeddings',
    { model: MODELS[1], input: 'Hi', provider: { only: ['dear'] } },
    'provider.only',
  ],
  ['a tool of an upstream', CHAT, chat(MODELS[1], { tools: [{ type: 'browser_search' }] }), 'tools.0'],
  [
    'a search of firms',
    `/v1beta/models/${MODELS[24]}:generateContent`,
    { contents: [{ parts: [{ text: 'Hi' }] }], tools: [{ enterpriseWebSearch: {} }] },
    'tools.0.enterpriseWebSearch',
  ],
];

describe('work without a price', () => {
  it.each(asked)('is refused by its field: %s', async (_, path, body, field) => {
    const { status, text, asked: sent } = await ask(path, body);
    expect([status, sent]).toEqual([400, 0]);
    expect(text).toContain(`'${field}'`);
    expect(text.toLowerCase()).toContain('unpriced_work');
  });

  it('is done where the operator lets callers have it', async () => {
    await here.scene.set(OPTION, true);
    for (const [, path, body] of asked) expect((await ask(path, body)).asked).toBeGreaterThan(0);
    await here.scene.set(OPTION, false);
    expect((await ask(CHAT, chat(MODELS[1], { enable_search: true }))).status).toBe(400);
  });
});
