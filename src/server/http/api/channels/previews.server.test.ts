import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../testing/scene.ts';
import { type PrefixCacheUpstream, startPrefixCache } from '../../../relay/testing/prefix-cache.ts';

/** A preview shows the request byte for byte: for callers of every format, to upstreams of every format. */

let upstream: PrefixCacheUpstream;
let scene: Scene;
let key = '';
const SECRET = 'sk-a-long-enough-secret-key';
const ids: Record<string, number> = {};

/** Names that upstreams' formats have, with the numbers of channels' types. */
const types: Readonly<Record<string, number>> = { openai: 1, anthropic: 14, gemini: 24 };

const said = 'Hi — “quoted” \\ \u{1F600}';
const callers: Readonly<
  Record<string, (model: string) => { readonly path: string; readonly body: Record<string, unknown> }>
> = {
  'openai-chat': (model) => ({
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: said }], max_tokens: 20, seed: 7, user: 'u' },
  }),
  'openai-responses': (model) => ({
    path: '/v1/responses',
    body: { model, input: said, instructions: 'Be brief.', max_output_tokens: 20 },
  }),
  'anthropic-messages': (model) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 20, system: 'Be brief.', messages: [{ role: 'user', content: said }] },
  }),
  gemini: (model) => ({
    path: `/v1beta/models/${model}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: [{ text: said }] }],
      generationConfig: { maxOutputTokens: 20 },
    },
  }),
};

const overrides = [
  { op: 'set', path: 'x_site.of', value: ['ours', 1.5, null] },
  { op: 'append', path: 'x_site.of', value: 'more' },
  { op: 'delete', path: 'user' },
  { op: 'replace', path: 'messages.*.content', find: 'quoted', value: 'said' },
  { op: 'set', path: 'never', value: 1, when: { model: 'other-*' } },
  { op: 'set', on: 'header', path: 'x-site', value: 'ours' },
  { op: 'pass', on: 'header', path: 'x-app-*' },
];

beforeAll(async () => {
  upstream = await startPrefixCache();
  scene = await openScene();
  for (const [models, type] of Object.entries(types)) {
    const row = await scene.stage.channel(scene.root, {
      type,
      key: SECRET,
      baseUrl: upstream.url,
      models,
      modelMapping: JSON.stringify({ [models]: `${models}-upstream` }),
      paramOverride: '{"x_whole":{"kept":true}}',
      setting: JSON.stringify({ overrides }),
    });
    ids[models] = row.id;
  }
  await scene.set('ModelRatio', JSON.stringify({ openai: 1, anthropic: 1, gemini: 1 }));
  ({ key } = await scene.spender('alice', 1_000_000_000));
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

/** Headers that the connection adds, and those that are shown as stars. */
const OWN = new Set([
  'host',
  'accept-encoding',
  'connection',
  'content-length',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
]);
const without = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.has(name)));

it.each(
  Object.keys(callers).flatMap((caller) => Object.keys(types).map((model) => [caller, model] as const)),
)('of a caller who speaks %s, to an upstream that speaks %s', async (dialect, model) => {
  const { path, body } = callers[dialect]!(model);
  const reply = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'x-app-name': 'cli' },
    body: JSON.stringify(body),
  });
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hi.')]);
  const sent = upstream.last();
  expect(sent.body).toContain('"x_site"');
  const { data, message } = await scene.asRoot('/api/channel/preview', {
    method: 'POST',
    body: { id: ids[model], dialect, model, request: body, headers: { 'X-App-Name': 'cli' } },
  });
  expect(message).toBe('');
  const shown = data as { url: string; headers: Record<string, string>; body: string };
  expect(shown.body).toBe(sent.body);
  expect(without(shown.headers)).toEqual(without(sent.headers));
  expect(new URL(shown.url).pathname).toBe(sent.path.split('?')[0]);
  expect(JSON.stringify(data)).not.toContain(SECRET);
});
