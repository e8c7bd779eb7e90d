import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/** What is full for a moment only is waited for, without a queue being asked for; what is full for longer is said at once. */

let scene: Scene;
let upstream: Server;
let key = '';
let made = 0;
const held: ServerResponse[] = [];
/** How it answers a path; one that is not named here answers at once. */
const answers = new Map<string, (response: ServerResponse) => void>();

const good = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN_ANSWER);
const never = (response: ServerResponse): void => void held.push(response);
const broken = (response: ServerResponse): void => void response.writeHead(500).end('{}');

beforeAll(async () => {
  upstream = createServer((request, response) => {
    const path = /^\/[^/]+/.exec(request.url ?? '')?.[0] ?? '';
    request.resume().on('end', () => (answers.get(path) ?? good)(response));
  });
  await listening(upstream);
  scene = await openScene();
  key = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  hangUp(upstream);
  await scene.close();
});
beforeEach(() => void held.splice(0));

interface Wish {
  readonly capacity?: object;
  readonly answer?: (response: ServerResponse) => void;
  readonly keys?: string;
}

/** A model with these channels, the first before the others. @returns its name and the ids of its channels */
const model = async (...wishes: readonly Wish[]) => {
  const name = `model-${String(++made)}`;
  const ratios = Object.fromEntries(Array.from({ length: made }, (_, at) => [`model-${String(at + 1)}`, 1]));
  await scene.set('ModelRatio', JSON.stringify(ratios));
  const url = addressOf(upstream);
  const ids: number[] = [];
  for (const [at, { capacity, answer = good, keys }] of wishes.entries()) {
    const path = `/${name}-${String(at)}`;
    answers.set(path, answer);
    const wish = {
      baseUrl: `${url}${path}`,
      models: name,
      priority: 10 - at,
      setting: JSON.stringify(capacity === undefined ? {} : { capacity }),
    };
    const { id } =
      keys === undefined
        ? await scene.stage.channel(scene.root, wish)
        : await scene.stage.pool(scene.root, { ...wish, key: keys });
    ids.push(id);
  }
  await scene.server.parts.refreshRouting();
  return { name, ids };
};
const limitKeys = async (channel: number | undefined, limits: object): Promise<void> => {
  const path = `/api/channel/${String(channel)}/keys`;
  const { items } = (await scene.asRoot(path)).data as { items: { id: number }[] };
  for (const { id } of items)
    expect(await scene.asRoot(`${path}/${String(id)}`, { method: 'PUT', body: limits })).toMatchObject({
      success: true,
    });
  await scene.server.parts.refreshRouting();
};
const call = async (name: string) => {
  const startMs = performance.now();
  const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hi' }] }),
  });
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after'));
  return { status: response.status, text, retryAfter, ms: performance.now() - startMs };
};
const statusesOf = async (name: string, count: number): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, () => call(name)))).map(({ status }) => status);

/** The statuses of calls that all wait before the first of them is answered. */
const statusesOfBurst = async (name: string, count: number): Promise<number[]> => {
  const statuses = statusesOf(name, count);
  await expect.poll(openHolds).toBe(count);
  for (const path of answers.keys()) if (answers.get(path) === never) answers.set(path, good);
  for (const response of held.splice(0)) good(response);
  return statuses;
};

it('a burst over the calls that may run at once waits for those to end', async () => {
  const { name } = await model({ capacity: { concurrent_calls: 3 }, answer: never });
  expect(await statusesOfBurst(name, 12)).toEqual(Array.from({ length: 12 }, () => 200));
});

it('a burst over the concurrent calls of a channel’s keys waits, too', async () => {
  const { name, ids } = await model({ answer: never, keys: 'sk-a-long-enough-1\nsk-a-long-enough-2' });
  await limitKeys(ids[0], { concurrent: 1 });
  expect(await statusesOfBurst(name, 8)).toEqual(Array.from({ length: 8 }, () => 200));
});

it('a call whose channel failed waits for the next one as well', async () => {
  await scene.set('RetryTimes', 1);
  const { name } = await model({ answer: broken }, { capacity: { concurrent_calls: 1 }, answer: never });
  expect(await statusesOfBurst(name, 4)).toEqual([200, 200, 200, 200]);
});

it('a channel that stays full refuses after two seconds', async () => {
  const { name } = await model({ capacity: { concurrent_calls: 1 }, answer: never });
  const running = call(name);
  await expect.poll(() => held.length).toBe(1);
  const refused = await call(name);
  expect([refused.status, refused.retryAfter]).toEqual([429, 1]);
  expect(refused.text).toContain('at its limit');
  expect(refused.ms).toBeGreaterThan(1900);
  for (const response of held) good(response);
  expect((await running).status).toBe(200);
});

it('an operator who wants no waiting gets none', async () => {
  const { name } = await model({ capacity: { concurrent_calls: 1, queue_calls: 0 }, answer: never });
  const running = call(name);
  await expect.poll(() => held.length).toBe(1);
  expect(await statusesOf(name, 20)).toEqual(Array.from({ length: 20 }, () => 429));
  expect(held).toHaveLength(1);
  for (const response of held) good(response);
  expect((await running).status).toBe(200);
  expect(await queuedRows(name)).toBe(0);
});

it('a longest wait counts where no length of the queue is named', async () => {
  const { name } = await model({ capacity: { concurrent_calls: 1, queue_wait_ms: 30_000 }, answer: never });
  const unasked = await model({ capacity: { concurrent_calls: 1 }, answer: never });
  const calls = [call(name), call(name), call(unasked.name)];
  await expect.poll(openHolds).toBe(3);
  // As long as is waited for unasked: one that began later is refused by then.
  expect((await call(unasked.name)).status).toBe(429);
  expect(held).toHaveLength(2);
  for (const response of held.splice(0)) good(response);
  await expect.poll(() => held.length).toBe(1);
  for (const response of held) good(response);
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
});

it('no call waits for a limit that is full for a minute, and the error states the time, for keys too', async () => {
  const channel = await model({ capacity: { calls_per_minute: 1 } });
  const pool = await model({ keys: 'sk-a-long-enough-3\nsk-a-long-enough-4' });
  await limitKeys(pool.ids[0], { calls_per_minute: 1 });
  expect(await statusesOf(channel.name, 1)).toEqual([200]);
  expect(await statusesOf(pool.name, 2)).toEqual([200, 200]);
  for (const { name } of [channel, pool]) {
    const refused = await call(name);
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(50);
    expect(await queuedRows(name)).toBe(0);
  }
});

const openHolds = async (): Promise<number> => {
  const { writer } = scene.server.parts.stores.database;
  return (await writer.selectFrom('holds').select('id').where('state', '=', 'open').execute()).length;
};

const queuedRows = async (name: string): Promise<number> => {
  const { data } = await scene.asRoot(`/api/log?page_size=50&model_name=${name}`);
  return (data as { items: { other: string }[] }).items.filter(({ other }) => other.includes('"queued"'))
    .length;
};

it('a relay in another thread refuses in the same way and as soon', async () => {
  const other = await openScene({ TOLLGATE_RELAYS: '2' });
  try {
    const { key: otherKey } = await other.spender('agent', 1_000_000_000);
    await other.set('ModelRatio', JSON.stringify({ m: 1 }));
    const baseUrl = `${addressOf(upstream)}/other`;
    const setting = JSON.stringify({ capacity: { calls_per_minute: 1 } });
    await other.stage.channel(other.root, { baseUrl, models: 'm', setting });
    await other.server.parts.refreshRouting();
    const ask = async (): Promise<{ status: number; retryAfter: number }> => {
      const response = await fetch(`${other.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${otherKey}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      });
      await response.text();
      return { status: response.status, retryAfter: Number(response.headers.get('retry-after')) };
    };
    await expect.poll(async () => (await ask()).status).toBe(200);
    // Connections come to either relay: of so many both get some.
    const refused = await Promise.all(Array.from({ length: 24 }, ask));
    expect(refused.filter(({ status, retryAfter }) => status !== 429 || retryAfter < 50)).toEqual([]);
    const { data } = await other.asRoot('/api/log?page_size=50&model_name=m');
    expect(JSON.stringify(data)).not.toContain('queued');
  } finally {
    await other.close();
  }
});
