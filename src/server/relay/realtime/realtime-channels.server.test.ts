import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { addressOf } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Conversations go by the limits and overrides of channels, as chats do. */

const USAGE = { total_tokens: 3000, input_tokens: 2000, output_tokens: 1000 };

let scene: Scene;
let upstream: WebSocketServer;
let key = '';
const opened: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'realtime' });
  upstream.on('connection', (socket, { headers }) => {
    opened.push(headers);
    const say = (event: object): void => socket.send(JSON.stringify(event));
    say({ type: 'session.created', session: {} });
    socket.on('message', () => {
      say({ type: 'response.created', response: { id: 'r' } });
      say({ type: 'response.done', response: { id: 'r', usage: USAGE } });
    });
  });
  scene = await openScene();
  await scene.set('ModelRatio', JSON.stringify({ calls: 1, tokens: 1, places: 1, headers: 1 }));
  key = (await scene.spender('talker', 1_000_000_000)).key;
});
afterAll(async () => {
  await scene.close();
  for (const socket of upstream.clients) socket.terminate();
  upstream.close();
});

const channel = async (model: string, setting: object): Promise<void> => {
  const baseUrl = addressOf(upstream);
  await scene.stage.channel(scene.root, { baseUrl, models: model, setting: JSON.stringify(setting) });
  await scene.server.parts.refreshRouting();
};

/** An open conversation, or the status with which it was refused. */
const converse = async (model: string, by = key) => {
  const url = `${scene.server.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
  const socket = new WebSocket(url, ['realtime'], {
    headers: { authorization: `Bearer sk-${by}`, 'x-app': 'phone', 'openai-beta': 'realtime=v1' },
  });
  let answers = 0;
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  socket.on('message', (data: Buffer) => (answers += data.includes('"response.done"') ? 1 : 0));
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101));
    socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
  });
  return {
    status,
    async ask(): Promise<void> {
      const before = answers;
      socket.send('{"type":"response.create"}');
      await expect.poll(() => answers).toBe(before + 1);
    },
    /** Asks for what is not answered any more, and gives the code of the end. */
    async askInVain(): Promise<number> {
      socket.send('{"type":"response.create"}');
      return closed;
    },
    async close(): Promise<void> {
      socket.close();
      await closed;
    },
  };
};
const statusOf = async (model: string): Promise<number> => {
  const talk = await converse(model);
  if (talk.status === 101) await talk.close();
  return talk.status;
};

it('each answer is a call in the calls a minute of its channel', async () => {
  await channel('calls', { capacity: { calls_per_minute: 4 } });
  const talk = await converse('calls');
  for (let count = 0; count < 4; count += 1) await talk.ask();
  expect(await statusOf('calls')).toBe(429);
  // The conversation that has its place goes on.
  await talk.ask();
  await talk.close();
});

it('what its answers use is counted in the tokens a minute of its channel', async () => {
  await channel('tokens', { capacity: { tokens_per_minute: 20_000 } });
  const talk = await converse('tokens');
  expect(await statusOf('tokens')).toBe(101);
  for (let count = 0; count < 5; count += 1) await talk.ask();
  expect(await statusOf('tokens')).toBe(429);
  await talk.close();
});

it('has a place among the concurrent calls of its channel until it is over', async () => {
  await channel('places', { capacity: { concurrent_calls: 1 } });
  const talk = await converse('places');
  await talk.ask();
  expect(await statusOf('places')).toBe(429);
  await talk.close();
  await expect.poll(() => statusOf('places')).toBe(101);
});

it('is opened with the headers that the channel wants', async () => {
  await channel('headers', {
    overrides: [
      { op: 'set', on: 'header', path: 'x-site', value: 'ours', when: { model: 'headers' } },
      { op: 'pass', on: 'header', path: 'x-app' },
      { op: 'delete', on: 'header', path: 'openai-beta' },
      { op: 'set', on: 'header', path: 'x-vip', value: 'yes', when: { group: 'vip' } },
    ],
  });
  expect(await statusOf('headers')).toBe(101);
  const { 'x-site': site, 'x-app': app, 'x-vip': vip, 'openai-beta': beta } = opened.at(-1) ?? {};
  expect({ site, app, vip, beta }).toEqual({ site: 'ours', app: 'phone', vip: undefined, beta: undefined });
});

it.each(['disable', 'delete'])(
  'a conversation has no further answer once its account is gone: %s',
  async (action) => {
    await channel('calls', {});
    const { user, key: theirs } = await scene.spender(`short-${action}`, 1_000_000_000);
    const talk = await converse('calls', theirs);
    await talk.ask();
    const got = await scene.asRoot('/api/user/manage', { method: 'POST', body: { id: user.id, action } });
    expect(got.message).toBe('');
    expect(await talk.askInVain()).toBe(1008);
  },
);
