import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a group in use is removed only by its name', () => {
  const ratios = async () => JSON.parse((await stored()).get('GroupRatio') ?? '{}') as object;
  const stored = () => scene.server.parts.stores.options.all();
  const version = () => scene.server.parts.stores.priceBook.version();
  /** A draft that removes the group `staff`. */
  const draft = async (): Promise<number> => {
    const entries = [{ option: 'GroupRatio', key: 'staff', value: null }];
    const { data } = await scene.asRoot('/api/price_book/draft', { method: 'POST', body: { entries } });
    return (data as { id: number }).id;
  };
  const publish = async (id: number, more: object = {}) =>
    (
      await scene.asRoot(`/api/price_book/draft/${id}/publish`, {
        method: 'POST',
        body: { base: await version(), reason: 'fewer groups', ...more },
      })
    ).data;
  const used = { name: 'staff', users: 1, tokens: 0, channels: 0 };

  beforeAll(async () => {
    await scene.set('GroupRatio', JSON.stringify({ default: 1, staff: 1, 'class of 26': 1 }));
    const carol = await scene.spender('carol', 1000);
    await scene.asRoot('/api/user', { method: 'PUT', body: { id: carol.user.id, group: 'staff' } });
  });

  it('by an option, alone or among others', async () => {
    const body = { key: 'GroupRatio', value: '{"default":1,"class of 26":1}' };
    const refused = await scene.asRoot('/api/option', { method: 'PUT', body });
    expect(refused).toMatchObject({ status: 200, success: false });
    expect(refused.message).toContain('staff');
    const options = [{ key: 'RetryTimes', value: '4' }, body];
    expect((await scene.asRoot('/api/option/batch', { method: 'PUT', body: { options } })).success).toBe(
      false,
    );
    expect(await ratios()).toHaveProperty('staff');
    expect((await stored()).get('RetryTimes')).toBeUndefined();
    const other = { ...body, remove_groups: ['class of 26'] };
    expect((await scene.asRoot('/api/option', { method: 'PUT', body: other })).success).toBe(false);
    const named = { ...body, remove_groups: ['staff'] };
    expect((await scene.asRoot('/api/option', { method: 'PUT', body: named })).success).toBe(true);
    expect(await ratios()).toEqual({ default: 1, 'class of 26': 1 });
  });

  it('by a draft of prices, at once or later, and by an old version that is brought back', async () => {
    await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1, staff: 2 }));
    const withStaff = await version();
    const id = await draft();
    const refusal = {
      published: false,
      version: withStaff,
      changed_since: [],
      draft: null,
      groups_in_use: [used],
    };
    expect(await publish(id)).toEqual(refusal);
    expect(await publish(id, { at: 4_000_000_000 })).toEqual(refusal);
    expect(await ratios()).toHaveProperty('staff');
    expect(await publish(id, { remove_groups: ['staff'] })).toMatchObject({
      published: true,
      groups_in_use: [],
    });
    expect(await ratios()).not.toHaveProperty('staff');

    const without = await version();
    await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1, staff: 3 }));
    const restore = async (more: object) =>
      (
        await scene.asRoot(`/api/price_book/version/${without}/restore`, {
          method: 'POST',
          body: { base: await version(), reason: 'as it was', ...more },
        })
      ).data;
    expect(await restore({})).toMatchObject({ published: false, groups_in_use: [used] });
    expect(await ratios()).toHaveProperty('staff');
    expect(await restore({ remove_groups: ['staff'] })).toMatchObject({ published: true });
    expect(await ratios()).not.toHaveProperty('staff');
  });

  it('a group that nobody uses needs no name', async () => {
    await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1, idle: 1 }));
    const body = { key: 'GroupRatio', value: '{"default":1,"class of 26":1}' };
    expect((await scene.asRoot('/api/option', { method: 'PUT', body })).success).toBe(true);
  });
});
