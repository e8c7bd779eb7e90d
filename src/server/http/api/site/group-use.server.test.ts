import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene } from '../../testing/scene.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const use = async (name: string) =>
  (await scene.asRoot(`/api/group/use?name=${encodeURIComponent(name)}`)).data as unknown;

it('says how many accounts, tokens and channels a group has, and no deleted ones', async () => {
  const { asRoot, server, stage } = scene;
  await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1 }));
  expect(await use('class of 26')).toEqual({ users: 0, tokens: 0, channels: 0 });
  const ada = await scene.spender('ada', 1000);
  const bob = await scene.spender('bob', 1000);
  for (const { user } of [ada, bob])
    await asRoot('/api/user', { method: 'PUT', body: { id: user.id, group: 'class of 26' } });
  const token = await stage.token(ada.user, 'of the class');
  await server.parts.tokens.update({ ...ada.user, group: 'class of 26' }, token.id, { group: 'class of 26' });
  await asRoot('/api/channel', {
    method: 'POST',
    body: { type: 1, name: 'c', key: 'sk-c', models: 'gpt-4o', group: 'default,class of 26' },
  });
  expect(await use('class of 26')).toEqual({ users: 2, tokens: 1, channels: 1 });

  await asRoot(`/api/user/${bob.user.id}`, { method: 'DELETE' });
  await server.parts.tokens.delete(ada.user, token.id);
  expect(await use('class of 26')).toEqual({ users: 1, tokens: 0, channels: 1 });
  expect(await use('class')).toEqual({ users: 0, tokens: 0, channels: 0 });
});
