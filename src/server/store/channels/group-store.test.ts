import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { RenamedGroup } from '#core/token/group-store.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';
import { givenChannel, newToken, newUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createChannelStore } from './channel-store.ts';
import { createGroupStore } from './group-store.ts';
import { createOptionStore } from './option-store.ts';
import { createPriceBookStore } from './price-book-store.ts';

const edit = { authorId: 1, author: 'ann', reason: 'group', nowMs: 20 };

const options = {
  GroupRatio: '{"default":1,"vip":0.5}',
  GroupGroupRatio: '{"vip":{"vip":0.25,"default":2},"default":{"vip":3}}',
  UserUsableGroups: '{\n  "vip": "for friends",\n  "default": "all"\n}',
  TopupGroupRatio: '{"vip":0.75,"gold":0.1}',
  AutoGroups: '["gold","vip","default"]',
  ModelRequestRateLimitGroup: '{"vip":[10,5]}',
  GroupServiceTerms: '{"vip":"strip"}',
  'cost_setting.below_cost': '{"vip":"warn"}',
  'availability_setting.groups': '["vip"]',
  'routing_setting.choice': '{"models":{"vip":"fastest"},"groups":{"vip":{"m":"cheapest"}}}',
  'group_setting.former_names': '{"gold":"vip","friends":"vip"}',
};

onEachEngine('a group that is renamed', (on) => {
  /** Channels are the last to be renamed. */
  const refuseIron = () =>
    (on.engine.name === 'postgres'
      ? sql`ALTER TABLE channels ADD CONSTRAINT no_iron CHECK (groups NOT LIKE '%iron%')`
      : sql`CREATE TRIGGER no_iron BEFORE UPDATE ON channels WHEN new.groups LIKE '%iron%'
          BEGIN SELECT RAISE(ABORT, 'no iron'); END`
    ).execute(on.database.writer);
  const stores = () => ({
    groups: createGroupStore(on.database),
    users: createUserStore(on.database),
    tokens: createTokenStore(on.database),
    channels: createChannelStore(on.database),
    options: createOptionStore(on.database),
    priceBook: createPriceBookStore(on.database),
  });
  let [member, other, channel, without]: number[] = [];
  let renamed: RenamedGroup | string;
  const rules = (group: string, stars: string) =>
    JSON.stringify({
      proxy: 'vip',
      overrides: [
        { op: 'delete', path: 'a', when: { group, model: 'm' } },
        { op: 'delete', path: 'b', when: { group: stars } },
        { op: 'delete', path: 'c' },
      ],
    });
  const account = async (group: string): Promise<number> => {
    const id = await stores().users.create(newUser({ group }));
    if (id === 'taken') throw new Error('a random name was taken');
    return id;
  };

  beforeAll(async () => {
    const { groups, tokens, channels, options: stored, priceBook } = stores();
    [member, other] = [await account('vip'), await account('default')];
    await tokens.create([newToken(other, { group: 'vip' }), newToken(member)], 1000);
    channel = await givenChannel(on.database);
    without = await givenChannel(on.database);
    await channels.update(channel, { groups: 'default, vip', setting: rules('vip', 'v*') });
    await channels.update(without, { groups: 'default,vip2', setting: '' });
    await stored.setAll(new Map(Object.entries(options)), 10, { id: 1, name: 'ann' });
    const draft = { ...edit, base: 1, writers: [] };
    const entry = { option: 'GroupGroupRatio', key: 'vip', value: { vip: 4 } } as const;
    await priceBook.createDraft({ ...draft, entries: [entry] });
    await priceBook.createDraft({ ...draft, entries: [{ option: 'ModelPrice', key: 'vip', value: 4 }] });
    renamed = await groups.rename({ from: 'vip', to: 'gold' }, edit);
  });

  it('takes accounts, tokens, channels and their rules along, and tells how many', async () => {
    const { users, channels } = stores();
    expect(renamed).toEqual({ version: 2, users: 1, tokens: 1, channels: 1, drafts: 1 });
    expect((await users.byId(member!))?.group).toBe('gold');
    expect((await users.byId(other!))?.group).toBe('default');
    expect(await users.groupUse('gold')).toEqual({ users: 1, tokens: 1 });
    expect(await users.groupUse('vip')).toEqual({ users: 0, tokens: 0 });
    expect(await channels.byId(channel!)).toMatchObject({
      groups: 'default,gold',
      setting: rules('gold', 'v*'),
    });
    expect(await channels.byId(without!)).toMatchObject({ groups: 'default,vip2', setting: '' });
  });

  it('has its new name in every option, and takes nothing over from a group that had that name', async () => {
    expect(Object.fromEntries(await stores().options.all())).toEqual({
      GroupRatio: '{"default":1,"gold":0.5}',
      GroupGroupRatio: '{"gold":{"gold":0.25,"default":2},"default":{"gold":3}}',
      UserUsableGroups: '{\n  "gold": "for friends",\n  "default": "all"\n}',
      TopupGroupRatio: '{"gold":0.75}',
      AutoGroups: '["gold","default"]',
      ModelRequestRateLimitGroup: '{"gold":[10,5]}',
      GroupServiceTerms: '{"gold":"strip"}',
      'cost_setting.below_cost': '{"gold":"warn"}',
      'availability_setting.groups': '["gold"]',
      'routing_setting.choice': '{"models":{"vip":"fastest"},"groups":{"gold":{"m":"cheapest"}}}',
      'group_setting.former_names': '{"friends":"gold","vip":"gold"}',
    });
  });

  it('is a version of the prices; those of the past keep the name', async () => {
    const { priceBook } = stores();
    expect(await priceBook.find(2)).toMatchObject({ author: 'ann', reason: 'group' });
    const changes = await priceBook.changesOf(2, 100);
    expect(changes.filter(({ option }) => option === 'GroupRatio')).toEqual([
      { option: 'GroupRatio', key: 'gold', before: null, after: 0.5 },
      { option: 'GroupRatio', key: 'vip', before: 0.5, after: null },
    ]);
    expect((await priceBook.changesOf(1, 100)).map(({ key }) => key)).toContain('vip');
  });

  it('is renamed in open drafts, which are published as they would have been', async () => {
    const { priceBook } = stores();
    const [ofModel, ofGroup] = await priceBook.drafts();
    expect(await priceBook.draft(ofGroup!.id)).toMatchObject({
      entries: [{ option: 'GroupGroupRatio', key: 'gold', value: { gold: 4 } }],
      base: 2,
      revision: 1,
    });
    expect(await priceBook.draft(ofModel!.id)).toMatchObject({
      entries: [{ key: 'vip', value: 4 }],
      base: 2,
      revision: 0,
    });
  });

  it('changes nothing if it is not there, if somebody has the name already, or if it breaks off at its last step', async () => {
    const { groups, options: stored, channels, users } = stores();
    const before = await stored.all();
    const rename = (from: string, to: string) => groups.rename({ from, to }, { ...edit, nowMs: 30 });
    expect(await rename('vip', 'else')).toBe('missing');
    expect(await rename('gold', 'default')).toBe('exists');
    expect(await rename('gold', 'vip2')).toBe('used');
    await account('ghosts');
    expect(await rename('gold', 'ghosts')).toBe('used');
    await refuseIron();
    await expect(rename('gold', 'iron')).rejects.toThrow();
    expect(await users.byId(member!)).toMatchObject({ group: 'gold' });
    expect(await channels.byId(channel!)).toMatchObject({ groups: 'default,gold' });
    expect(await stored.all()).toEqual(before);
    expect(await stored.priceVersion()).toBe(2);
  });
});
