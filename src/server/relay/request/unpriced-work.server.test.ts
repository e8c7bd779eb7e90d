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
    'a picture tool that an item of the conversation adds',
    '/v1/responses',
    { model: MODELS[1], input: [{ type: 'additional_tools', tools: [{ type: 'image_generation' }] }] },
    'input.0.tools.0',
  ],
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

/** What Roo Code, Kilo Code and Cline write for OpenRouter, whose address their users may replace by this one's. */
const habits: [string, object][] = [
  ['usage', { usage: { include: true } }],
  ['transforms', { transforms: ['middle-out'] }],
  ['reasoning', { include_reasoning: true, reasoning: { effort: 'high', exclude: false } }],
  ['a budget of thoughts', { reasoning: { max_tokens: 2000 } }],
  ['data collection', { provider: { data_collection: 'deny' } }],
  ['the cheapest', { provider: { data_collection: 'allow', sort: 'price', zdr: true } }],
  ['no other host', { provider: { allow_fallbacks: false, order: [], only: [] } }],
  ['nothing chosen', { provider: { order: null, sort: null } }],
  ['a session', { session_id: 'task-1', user: 'task-1', verbosity: 'low' }],
];

describe('what coding agents write for OpenRouter by habit', () => {
  it.each(habits)('passes: %s', async (_, fields) => {
    const { status, text, asked: sent } = await ask(CHAT, chat(MODELS[8], fields));
    expect([status, sent], text).toEqual([200, 1]);
    expect(JSON.parse(here.upstream.requests.at(-1)?.body ?? '')).toMatchObject(fields);
  });
});
