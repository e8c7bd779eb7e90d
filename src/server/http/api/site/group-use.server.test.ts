import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { optionRow } from '#contract/options.ts';
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
  expect(await use('class of 26')).toEqual({ users: 0, tokens: 0, channels: 0, settings: [] });
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
  await scene.set('AutoGroups', '["default","class of 26"]');
  expect(await use('class of 26')).toEqual({ users: 2, tokens: 1, channels: 1, settings: ['AutoGroups'] });

  await asRoot(`/api/user/${bob.user.id}`, { method: 'DELETE' });
  await server.parts.tokens.delete(ada.user, token.id);
  expect(await use('class of 26')).toMatchObject({ users: 1, tokens: 0, channels: 1 });
  expect(await use('class')).toEqual({ users: 0, tokens: 0, channels: 0, settings: [] });
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
  const used = { name: 'staff', users: 1, tokens: 0, channels: 0, settings: [] };

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
    // Nobody has saved these: what they say of it at first is no use.
    const body = { key: 'GroupRatio', value: '{"default":1,"class of 26":1}' };
    expect((await scene.asRoot('/api/option', { method: 'PUT', body })).success).toBe(true);
  });

  it('a group that settings name is in use, unless the same request takes it out of them', async () => {
    await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1, friends: 1 }));
    await scene.set('GroupServiceTerms', '{"friends":"strip"}');
    await scene.set('GroupGroupRatio', '{"default":{"friends":2}}');
    const options = [{ key: 'GroupRatio', value: '{"default":1,"class of 26":1}' }];
    const send = async () =>
      (await scene.asRoot('/api/option/batch', { method: 'PUT', body: { options } })).message;
    expect(await send()).toMatch(/friends .* settings GroupGroupRatio, GroupServiceTerms\)/);
    options.push({ key: 'GroupGroupRatio', value: '{}' }, { key: 'GroupServiceTerms', value: '{}' });
    expect(await send()).toBe('');
  });
});

describe('a group that does not exist', () => {
  const put = async (...options: readonly (readonly [string, unknown])[]) => {
    const texts = options.map(([key, value]) => ({ key, value: JSON.stringify(value) }));
    return (await scene.asRoot('/api/option/batch', { method: 'PUT', body: { options: texts } })).message;
  };
  const naming = [
    ['UserUsableGroups', { new: '' }],
    ['GroupGroupRatio', { new: { default: 1 } }],
    ['GroupGroupRatio', { default: { new: 1 } }],
    ['GroupServiceTerms', { new: 'strip' }],
    ['cost_setting.below_cost', { new: 'warn' }],
    ['AutoGroups', ['default', 'new']],
    ['group_setting.former_names', { old: 'new' }],
    ['TopupGroupRatio', { new: 2 }],
    ['ModelRequestRateLimitGroup', { new: [1, 1] }],
    ['availability_setting.groups', ['new']],
    ['routing_setting.choice', { groups: { new: { m: 'fastest' } } }],
  ] as const;

  it.each(naming)('is refused in %s, and taken together with the group in any order', async (...option) => {
    const { groupPlace } = optionRow(option[0]);
    expect(groupPlace).toBeDefined();
    const ratios = { default: 1, 'class of 26': 1 };
    await scene.set('GroupRatio', JSON.stringify(ratios));
    expect(await put(option)).toBe(`option ${option[0]} was not saved: there is no group new`);
    expect(await put(option, ['GroupRatio', { ...ratios, new: 1 }])).toBe('');
    expect(await put([option[0], groupPlace === 'items' ? [] : {}])).toBe('');
  });

  it('stays where it is stored, while other names are saved beside it', async () => {
    await scene.server.parts.stores.options.set('GroupServiceTerms', '{"gone":"strip"}', 1);
    expect(await put(['GroupServiceTerms', { gone: 'strip', default: 'pass' }])).toBe('');
    expect(await put(['GroupServiceTerms', { gone: 'strip', wrong: 'pass' }])).toContain('wrong');
  });

  it('is in no draft of prices, but may be in the list of a channel before it is made', async () => {
    const entries = [{ option: 'GroupGroupRatio', key: 'default', value: { missing: 2 } }];
    const draft = await scene.asRoot('/api/price_book/draft', { method: 'POST', body: { entries } });
    expect(draft.message).toContain('there is no group missing');
    const { id } = await scene.stage.channel(scene.root, { groups: 'later' });
    const groupsNow = async () => (await scene.server.parts.stores.channels.byId(id))?.groups;
    expect(await groupsNow()).toBe('later');
    const edit = { id, group: 'default,later', tag: 'blue' };
    expect((await scene.asRoot('/api/channel', { method: 'PUT', body: edit })).success).toBe(true);
    expect(await groupsNow()).toBe('default,later');
    const body = { tag: 'blue', groups: 'later,latest' };
    expect((await scene.asRoot('/api/channel/tag', { method: 'PUT', body })).success).toBe(true);
    expect(await groupsNow()).toBe('later,latest');
  });

  it('is in no new rule of a channel, but a pattern of names is', async () => {
    const { id } = await scene.stage.channel(scene.root);
    const rule = (group: string) => ({ op: 'set', path: 'user', value: 'a', when: { group } });
    const send = async (...groups: string[]) => {
      const setting = JSON.stringify({ overrides: groups.map(rule) });
      return (await scene.asRoot('/api/channel', { method: 'PUT', body: { id, setting } })).message;
    };
    expect(await send('default', 'v*')).toBe('');
    expect(await send('default', 'missing')).toBe('setting.overrides: there is no group missing');
    const setting = JSON.stringify({ overrides: [rule('gone')] });
    await scene.server.parts.stores.channels.update(id, { setting });
    expect(await send('gone', 'v*')).toBe('');
  });

  it('may be a former name in the list of a channel, which then has the present one', async () => {
    await scene.set('GroupRatio', JSON.stringify({ default: 1, 'class of 26': 1, now: 1 }));
    await scene.set('group_setting.former_names', '{"before":"now"}');
    const { id } = await scene.stage.channel(scene.root, { groups: 'before,now,default' });
    expect((await scene.server.parts.stores.channels.byId(id))?.groups).toBe('now,default');
  });
});
