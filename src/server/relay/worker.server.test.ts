import { createServer, type Server } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, listening } from '../outbound/testing/local-server.ts';
import { createSender } from '../outbound/send.ts';
import { AppError } from '#core/error.ts';
import { throughWorker } from '#core/outbound/outbound-worker.ts';
import { idOf, openTaskScene, type TaskScene } from '../http/testing/task-scene.ts';
import { systemClock } from '../system.ts';

/** The operator's worker fetches in this server's place what others have named. */

let tasks: TaskScene;
let worker: Server;
const told: unknown[] = [];

beforeAll(async () => {
  tasks = await openTaskScene();
  worker = createServer((request, response) => {
    void json(request).then((asked) => {
      told.push(asked);
      response.writeHead(200, { 'content-type': 'image/png' }).end('from the worker');
    });
  });
  await listening(worker);
});
afterAll(async () => {
  worker.close();
  await tasks.close();
});

it('fetches the picture of a drawing, over plain http only if that is allowed', async () => {
  const { scene } = tasks;
  const id = idOf(await tasks.imagine('a tree'));
  await expect.poll(async () => (await tasks.poll(), (await tasks.taskOf(id))['status'])).toBe('SUCCESS');
  const picture = () => fetch(`${scene.server.url}/mj/image/${id}`);
  const own = await (await picture()).text();
  await scene.set('WorkerUrl', addressOf(worker));
  await scene.set('WorkerValidKey', 'the worker key');
  expect((await picture()).status).toBe(502);
  expect(told).toEqual([]);
  await scene.set('WorkerAllowHttpImageRequestEnabled', true);
  const fetched = await picture();
  expect([fetched.status, await fetched.text()]).toEqual([200, 'from the worker']);
  expect(told).toEqual([
    {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/) as string,
      key: 'the worker key',
      method: 'GET',
      headers: {},
    },
  ]);
  await scene.set('WorkerUrl', '');
  expect(await (await picture()).text()).toBe(own);
});

it('its key goes to no other host: for another address it must be entered again', async () => {
  const { scene } = tasks;
  const isSet = async (): Promise<boolean> =>
    (await scene.asRoot('/api/option')).text.includes('"WorkerValidKey"');
  await scene.set('WorkerUrl', 'https://worker.example');
  await scene.set('WorkerValidKey', 'the worker key');
  expect(await isSet()).toBe(true);
  await expect(scene.set('WorkerUrl', 'https://other.example')).rejects.toThrow('WorkerValidKey');
  await scene.set('WorkerUrl', '');
  expect(await isSet()).toBe(false);
  expect(scene.server.parts.routing().options.WorkerValidKey).toBe('');
});

it('forwards a webhook with its headers and body, never to an address the guard refuses', async () => {
  told.length = 0;
  const options = () => ({
    WorkerUrl: addressOf(worker),
    WorkerValidKey: 'k',
    WorkerAllowHttpImageRequestEnabled: false,
  });
  const request = {
    method: 'POST',
    url: 'https://hooks.example/a',
    headers: { authorization: 'Bearer hush' },
    body: '{"type":"quota_exceed"}',
  } as const;
  const open = createSender({ clock: systemClock, allowAddress: () => true });
  const anywhere = (): Promise<void> => Promise.resolve();
  const reply = await throughWorker(open, options, anywhere).send(request);
  reply.body.discard();
  expect([reply.status, told]).toEqual([
    200,
    [
      {
        url: 'https://hooks.example/a',
        key: 'k',
        method: 'POST',
        headers: { authorization: 'Bearer hush' },
        body: { type: 'quota_exceed' },
      },
    ],
  ]);
  told.length = 0;
  const inside = (): Promise<void> => Promise.reject(new AppError('upstream_failed', 'not allowed'));
  await expect(throughWorker(open, options, inside).send(request)).rejects.toMatchObject({
    message: 'not allowed',
  });
  expect(told).toEqual([]);
  const guarded = createSender({ clock: systemClock, allowAddress: () => false });
  await expect(throughWorker(guarded, options, anywhere).send(request)).rejects.toMatchObject({
    code: 'upstream_failed',
  });
  await open.close();
  await guarded.close();
});
