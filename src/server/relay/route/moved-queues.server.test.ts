import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/** Who waits for a channel that goes out of service, or gets more room, does not wait on for nothing. */

const WAIT_MS = 60_000;
const CAPACITY = { concurrent_calls: 1, queue_calls: 20, queue_wait_ms: WAIT_MS };

let scene: Scene;
let upstream: Server;
let key = '';
let made = 0;
/** Calls that wait for their answer, by the channel's path. */
const held: { readonly path: string; readonly response: ServerResponse }[] = [];

const release = (): void => {
  for (const { response } of held.splice(0))
    response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN_ANSWER);
};
const heldAt = (path: string): number => held.filter((one) => one.path.startsWith(path)).length;

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => void held.push({ path: request.url ?? '', response }));
  });
  await listening(upstream);
  scene = await openScene();
  key = (await scene.spender('agent', 1_000_000_000)).key;
});
afterAll(async () => {
  release();
  hangUp(upstream);
  await scene.close();
});
beforeEach(release);

/** A model with these channels, the first before the others. @returns its name and the ids of its channels */
const model = async (...capacities: readonly object[]) => {
  const name = `model-${String(++made)}`;
  const ratios = Object.fromEntries(Array.from({ length: made }, (_, at) => [`model-${String(at + 1)}`, 1]));
  await scene.set('ModelRatio', JSON.stringify(ratios));
  const url = addressOf(upstream);
  const ids: number[] = [];
  for (const [at, capacity] of capacities.entries()) {
    const { id } = await scene.stage.channel(scene.root, {
      baseUrl: `${url}/${String(at)}`,
      models: name,
      priority: 10 - at,
      setting: JSON.stringify({ capacity }),
    });
    ids.push(id);
  }
  await scene.server.parts.refreshRouting();
  return { name, ids };
};
const change = async (id: number | undefined, fields: object): Promise<void> => {
  const changed = await scene.asRoot('/api/channel', { method: 'PUT', body: { id, ...fields } });
  expect(changed).toMatchObject({ success: true });
  await scene.server.parts.refreshRouting();
};
const call = (name: string): Promise<Response> =>
  fetch(`${scene.server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: name, messages: [{ role: 'user', content: 'hi' }] }),
  });
const openHolds = async (): Promise<number> =>
  (
    await scene.server.parts.stores.database.writer
      .selectFrom('holds')
      .select('id')
      .where('state', '=', 'open')
      .execute()
  ).length;

it('a queue of a channel that is disabled moves on to another channel', async () => {
  const { name, ids } = await model(CAPACITY, CAPACITY);
  const running = [call(name), call(name)];
  await expect.poll(() => [heldAt('/0'), heldAt('/1')]).toEqual([1, 1]);
  const waiting = [call(name), call(name), call(name)];
  await expect.poll(openHolds).toBe(5);
  await change(ids[0], { status: 2 });
  // The one that runs there ends as it would; nobody follows it.
  for (let done = 0; done < 3; done += 1) {
    release();
    await expect.poll(() => [heldAt('/0'), heldAt('/1')]).toEqual([0, 1]);
  }
  release();
  const statuses = (await Promise.all([...running, ...waiting])).map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});

it('where there is no other channel, those who wait are told at once', async () => {
  const { name, ids } = await model(CAPACITY);
  const running = call(name);
  await expect.poll(() => heldAt('/0')).toBe(1);
  const waiting = [call(name), call(name)];
  await expect.poll(openHolds).toBe(3);
  const startedMs = performance.now();
  await change(ids[0], { status: 2 });
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503]);
  expect(performance.now() - startedMs).toBeLessThan(WAIT_MS / 2);
  release();
  expect((await running).status).toBe(200);
  expect(held).toHaveLength(0);
  await expect.poll(openHolds).toBe(0);
});

it('a limit that is raised lets in those who wait for it', async () => {
  const { name, ids } = await model(CAPACITY);
  const calls = [call(name)];
  await expect.poll(() => heldAt('/0')).toBe(1);
  calls.push(call(name), call(name), call(name));
  await expect.poll(openHolds).toBe(4);
  await change(ids[0], { setting: JSON.stringify({ capacity: { ...CAPACITY, concurrent_calls: 3 } }) });
  await expect.poll(() => heldAt('/0')).toBe(3);
  release();
  await expect.poll(() => heldAt('/0')).toBe(1);
  release();
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it('a channel that is deleted keeps nobody waiting', async () => {
  const { name, ids } = await model(CAPACITY, {});
  const running = call(name);
  await expect.poll(() => heldAt('/0')).toBe(1);
  await change(ids[1], { status: 2 });
  const waiting = call(name);
  await expect.poll(openHolds).toBe(2);
  await change(ids[1], { status: 1 });
  await scene.asRoot(`/api/channel/${String(ids[0])}`, { method: 'DELETE' });
  // It began when the other was disabled, and keeps to what it knew then.
  expect((await waiting).status).toBe(503);
  const later = call(name);
  await expect.poll(() => heldAt('/1')).toBe(1);
  release();
  expect([(await running).status, (await later).status]).toEqual([200, 200]);
});
