import { afterAll, beforeAll, expect, it } from 'vitest';
import { drawing } from '#core/task/testing/drawing.ts';
import { openScene, type Scene } from '../testing/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const first = async (path: string, as = scene.asRoot) =>
  ((await as(path)).data as { items: Record<string, unknown>[] }).items[0];

it('a task names its channel to admins, and to nobody once it is deleted', async () => {
  const { asRoot, server, stage } = scene;
  const alice = await stage.person('alice');
  const channel = { type: 1, name: 'the painters', key: 'sk-c', models: 'gpt-4o', group: 'default' };
  await asRoot('/api/channel', { method: 'POST', body: channel });
  const { items } = (await asRoot('/api/channel')).data as { items: { id: number }[] };
  const channelId = items[0]?.id ?? 0;
  const task = { userId: alice.id, username: 'alice', channelId };
  await server.parts.stores.tasks.create(drawing({ ...task, publicId: 'a drawing' }));
  await server.parts.stores.tasks.create(drawing({ ...task, platform: 'suno', publicId: 'a song' }));
  const asAlice = stage.caller(await stage.session(alice));
  for (const path of ['/api/mj', '/api/task']) {
    expect(await first(path)).toMatchObject({ channel_id: channelId, channel_name: 'the painters' });
    expect(await first(`${path}/self`, asAlice)).toMatchObject({ channel_id: 0, channel_name: '' });
  }
  await asRoot(`/api/channel/${channelId}`, { method: 'DELETE' });
  for (const path of ['/api/mj', '/api/task'])
    expect(await first(path)).toMatchObject({ channel_id: channelId, channel_name: '' });
});

it('an account names its inviter, even a deleted one, and is saved as it was read', async () => {
  const { asRoot, stage } = scene;
  const bob = await stage.person('bob');
  const body = { username: 'carol', password: 'correct horse', aff_code: bob.affCode };
  expect((await stage.caller()('/api/user/register', { method: 'POST', body })).success).toBe(true);
  const carol = await first('/api/user/search?keyword=carol');
  expect(carol).toMatchObject({ inviter_id: bob.id, inviter_name: 'bob' });
  const whole = { ...carol, display_name: 'Carol', was: carol };
  expect((await asRoot('/api/user', { method: 'PUT', body: whole })).message).toBe('');
  await asRoot(`/api/user/${bob.id}`, { method: 'DELETE' });
  expect(await first('/api/user/search?keyword=carol')).toMatchObject({
    display_name: 'Carol',
    inviter_name: 'bob',
  });
  expect(await first('/api/user/search?keyword=alice')).toMatchObject({ inviter_id: 0, inviter_name: '' });
});
