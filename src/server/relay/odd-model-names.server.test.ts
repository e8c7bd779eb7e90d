import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../http/testing/small-upstream.ts';

/** Makers call their models as they like, and callers ask for whatever they can type. */

const NAMES = [
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'vendor/name',
  'a/b/c:free',
  'two words',
  'ünï-模型',
];

let upstream: SmallUpstream;
let scene: Scene;
let spender: Spender;
beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, 1]))));
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: NAMES.join(',') });
  spender = await scene.spender('namer', 1_000_000_000);
});
afterAll(async () => {
  await scene.close();
  await upstream.close();
});

const post = (path: string, body: object): Promise<Response> =>
  fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const messages = [{ role: 'user', content: 'hi' }];

describe.each(NAMES)('a model called %s', (model) => {
  it('is served by that name, also where the name stands in the path', async () => {
    const chat = await post('/v1/chat/completions', { model, messages });
    expect([chat.status, await chat.text()]).toEqual([200, expect.stringContaining('Hi.')]);
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    for (const name of [encodeURIComponent(model), encodeURI(model)]) {
      const reply = await post(`/v1beta/models/${name}:generateContent`, { contents });
      expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('Hi.')]);
    }
    const sent = upstream.requests.slice(-3).map(({ body }) => (JSON.parse(body) as { model: string }).model);
    expect(sent).toEqual([model, model, model]);
  });
});

it.each([
  '__proto__',
  'isPrototypeOf',
  '../vendor/name',
  'vendor',
  'two words,constructor',
  '*',
  'constructor\n',
])('nobody has a model called %j, and its caller is told so', async (model) => {
  const reply = await post('/v1/chat/completions', { model, messages });
  expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('model_not_found')]);
});
