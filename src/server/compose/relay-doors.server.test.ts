import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openScene, type Scene } from '../http/testing/scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../http/testing/test-config.ts';
import { startServer } from '../main.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';

/** The doors of three relays on one port. */

const MODEL = 'gpt-4o-mini';
const MOST_CONNECTIONS = 30;
const WRONG_KEYS = 60;

let simulator: RunningSimulator;
let scene: Scene;
const relayThreads: Worker[] = [];
const note = (worker: Worker): void => {
  if (worker.threadName === 'relay') relayThreads.push(worker);
};

beforeAll(async () => {
  process.on('worker', note);
  simulator = await startSimulator({ speed: 50 });
  scene = await openScene({
    TOLLGATE_RELAYS: '3',
    TOLLGATE_CONNECTIONS_PER_ADDRESS: String(MOST_CONNECTIONS),
    TOLLGATE_SHUTDOWN_SECONDS: '30',
  });
  await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
  await scene.stage.channel(scene.root, { baseUrl: simulator.url, models: MODEL });
});
afterAll(async () => {
  process.off('worker', note);
  await scene.close();
  await simulator.stop();
});

/** A call on a connection of its own, from an address of its own. */
const chat = (key: string, localAddress: string, words = 1): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify({
      model: MODEL,
      stream: true,
      messages: [{ role: 'user', content: `say ${'gate '.repeat(words)}` }],
    });
    const headers = {
      authorization: `Bearer sk-${key}`,
      'content-type': 'application/json',
      'content-length': String(text.length),
    };
    const asked = request(`${scene.server.url}/v1/chat/completions`, {
      agent: false,
      localAddress,
      method: 'POST',
      headers,
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end(text);
  });
const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const bytes of response) text += String(bytes);
  return text;
};

/** A connection, and whether it was let in: one that was not is told so, or closed. */
const knock = async (localAddress: string): Promise<{ socket: Socket; isIn: boolean }> => {
  const { hostname: host, port } = new URL(scene.server.url);
  const socket = connect({ host, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  const answered = new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(String(bytes)));
    socket.once('close', () => resolve(''));
  });
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return { socket, isIn: (await answered).startsWith('HTTP/1.1 200') };
};

it('the connections of one address are limited over all relays together', async () => {
  const met = [];
  for (let count = 0; count < 2 * MOST_CONNECTIONS; count += 1) met.push(await knock('127.0.0.5'));
  expect(met.filter(({ isIn }) => isIn)).toHaveLength(MOST_CONNECTIONS);
  expect((await knock('127.0.0.6')).isIn).toBe(true);
  for (const { socket } of met) socket.destroy();
  const isLetIn = async () => {
    const { socket, isIn } = await knock('127.0.0.5');
    socket.destroy();
    return isIn;
  };
  await expect.poll(isLetIn).toBe(true);
});

it('wrong keys of one address are counted by all relays together', async () => {
  const statuses: number[] = [];
  for (let count = 0; count < WRONG_KEYS + 40; count += 1) {
    const response = await chat(`wrong${String(count)}`, '127.0.0.7');
    response.resume();
    statuses.push(response.statusCode ?? 0);
  }
  expect(statuses.slice(0, WRONG_KEYS)).toEqual(Array.from({ length: WRONG_KEYS }, () => 401));
  expect(statuses.slice(WRONG_KEYS)).toEqual(Array.from({ length: 40 }, () => 429));
});

it('a port that is already in use is refused, though it could be shared', async () => {
  const folder = temporaryFolder();
  const { port } = new URL(scene.server.url);
  const environment = { ...testEnvironment(folder.path), PORT: port, TOLLGATE_RELAYS: '2' };
  await expect(startServer(readConfig(environment), { log: keptLog() })).rejects.toThrow('EADDRINUSE');
  folder.remove();
});

it('a relay that fails is restarted each time, and calls meanwhile are served', async () => {
  const { key } = await scene.spender('steady', 1_000_000_000);
  for (let time = 0; time < 2; time += 1) {
    const before = relayThreads.length;
    await relayThreads.at(-1)?.terminate();
    const texts = await Promise.all(
      Array.from({ length: 20 }, async () => textOf(await chat(key, '127.0.0.8'))),
    );
    expect(texts.filter((text) => text.endsWith('data: [DONE]\n\n'))).toHaveLength(20);
    await expect.poll(() => relayThreads.length).toBe(before + 1);
  }
});

it('a stop lets the calls of all relays come to their end', async () => {
  const { key } = await scene.spender('last', 1_000_000_000);
  const streams = await Promise.all(Array.from({ length: 20 }, () => chat(key, '127.0.0.9', 100)));
  const texts = Promise.all(streams.map(textOf));
  await scene.restart();
  for (const text of await texts) expect(text).toMatch(/data: \[DONE\]\n\n$/);
  const open = await scene.server.parts.stores.database.writer
    .selectFrom('holds')
    .select('id')
    .where('state', '=', 'open')
    .execute();
  expect(open).toEqual([]);
});
