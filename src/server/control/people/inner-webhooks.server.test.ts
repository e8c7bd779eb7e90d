import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import { idOf, openTaskScene, type TaskScene } from '../../http/testing/task-scene.ts';

/** An operator who uses a model on this machine has not allowed every user to call what else is there. */

let inner: Server;
let address: string;
const heard: string[] = [];
let tasks: TaskScene;

beforeAll(async () => {
  inner = createServer((request, response) => {
    heard.push(request.url ?? '');
    request.resume().on('end', () => response.end('{}'));
  });
  address = await listening(inner);
  tasks = await openTaskScene({ TOLLGATE_ALLOW_PRIVATE_WEBHOOKS: 'false' });
  await tasks.scene.set('MjNotifyEnabled', true);
});
afterAll(async () => {
  await tasks.close();
  hangUp(inner);
});

it('the webhook of a drawing inside the network is not called, and the drawing is made', async () => {
  const { port } = new URL(address);
  for (const host of [
    '127.0.0.1',
    'localhost',
    'localhost.',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ]) {
    const id = idOf(await tasks.imagine('a red fox', { notifyHook: `http://${host}:${port}/${host}` }));
    for (let times = 0; times < 4; times += 1) await tasks.poll();
    expect([host, (await tasks.taskOf(id))['status']]).toEqual([host, 'SUCCESS']);
  }
  await expect
    .poll(() => tasks.log.lines.filter((line) => line.includes('a task hook was not reached')).length)
    .toBeGreaterThanOrEqual(6);
  expect(heard).toEqual([]);
});

it('the webhook of a user inside the network is not saved, and the refusal says what would allow it', async () => {
  const { stage } = tasks.scene;
  const asAlice = stage.caller(await stage.session(tasks.alice));
  for (const host of ['127.0.0.1', 'localhost.', '10.0.0.1', '192.168.0.1', '[fd00::1]', 'db']) {
    const body = { notify_type: 'webhook', webhook_url: `https://${host}/hook` };
    const got = await asAlice('/api/user/setting', { method: 'PUT', body });
    expect([host, got.success, got.message]).toEqual([
      host,
      false,
      expect.stringContaining('TOLLGATE_ALLOW_PRIVATE_WEBHOOKS=true'),
    ]);
  }
});

it('a channel is at an address inside the network all the same', async () => {
  const { stage } = tasks.scene;
  const asRoot = stage.caller(await stage.session(tasks.root));
  const body = { name: 'inner', key: 'sk-inner', models: 'm', base_url: address };
  expect((await asRoot('/api/channel', { method: 'POST', body })).message).toBe('');
});
