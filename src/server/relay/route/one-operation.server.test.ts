import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/** An address that fails at one kind of call is left for that, and goes on with the others. */

const CALLS = 40;
let upstream: Server;
let scene: Scene;
let caller = '';
const chats = { broken: 0, sound: 0 };

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const [, name = '', ...path] = (request.url ?? '').split('/');
    const isChat = path.at(-2) === 'chat';
    if (isChat && (name === 'broken' || name === 'sound')) chats[name] += 1;
    const fails = name === 'broken' && !isChat;
    request.resume().on('end', () => {
      response.writeHead(fails ? 500 : 200, { 'content-type': 'application/json' });
      response.end(fails ? JSON.stringify({ error: { message: 'not today' } }) : PLAIN_ANSWER);
    });
  });
  const url = await listening(upstream);
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
  await scene.set('RetryTimes', 1);
  for (const name of ['broken', 'sound'])
    await scene.stage.channel(scene.root, { name, baseUrl: `${url}/${name}`, models: 'm', type: 1 });
  caller = (await scene.spender('caller', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const call = async (path: string, body: object): Promise<number> => {
  const response = await fetch(scene.server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${caller}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...body }),
  });
  await response.text();
  return response.status;
};

it('chats go on where completions of the same model fail, and the live board names the model', async () => {
  for (let n = 0; n < CALLS; n += 1) expect(await call('/v1/completions', { prompt: `hi ${n}` })).toBe(200);
  const { data } = await scene.asRoot('/api/channel/live');
  const { channels } = data as { channels: { name: string; cooling_models: string[] }[] };
  expect(channels.find(({ name }) => name === 'broken')?.cooling_models).toEqual(['m']);
  for (let n = 0; n < CALLS; n += 1)
    expect(await call('/v1/chat/completions', { messages: [{ role: 'user', content: `hi ${n}` }] })).toBe(
      200,
    );
  // Of forty calls fewer than five at one of two has a chance below one in a million.
  expect(chats.broken).toBeGreaterThan(4);
  expect(chats.sound).toBeGreaterThan(4);
});
