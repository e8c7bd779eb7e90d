import { beforeAll, expect, it } from 'vitest';
import type { UserStore } from '#core/user/user-store.ts';
import { newUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { createUserStore } from './user-store.ts';

onEachEngine('users', (on) => {
  let users: UserStore;
  beforeAll(() => {
    users = createUserStore(on.database);
  });

  it('makes the first account once, even when asked twice at the same moment', async () => {
    const asked = [users.createFirst(newUser({ role: 100 })), users.createFirst(newUser({ role: 100 }))];
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(1);
    expect(await users.exists()).toBe(true);
    expect(await users.createFirst(newUser())).toBe('taken');
  });

  it('refuses a username, e-mail or invite code that exists, and lets many have no e-mail', async () => {
    const ada = newUser({ username: 'ada', email: 'ada@example.com' });
    expect(await users.create(ada)).toBeTypeOf('number');
    for (const username of ['ada', 'ADA', 'Ada'])
      expect(await users.create(newUser({ username }))).toBe('taken');
    expect([await users.isNameTaken('aDa'), await users.isNameTaken('ad')]).toEqual([true, false]);
    expect(await users.create(newUser({ email: 'ada@example.com' }))).toBe('taken');
    expect(await users.create(newUser({ affCode: ada.affCode }))).toBe('taken');
    expect(await users.create(newUser())).toBeTypeOf('number');
    expect(await users.create(newUser())).toBeTypeOf('number');
  });

  it.each([
    [
      'one name written in several ways',
      (at: number) => [`Zoë${at}x`, `zoë${at}X`, `ZOË${at}X`, `ｚｏë${at}x`],
    ],
    [
      'names that only look alike',
      (at: number) => [`cl${at}rn`, `c1${at}rn`, `cI${at}rn`, `cl${at}rn`, `CI${at}rn`],
    ],
  ])('of %s at one instant, by several nodes, exactly one is made', async (_, waysOf) => {
    const other = await on.openAgain();
    const nodes = [users, createUserStore(other)];
    const rename = createManagedUserStore(on.database);
    try {
      for (let round = 0; round < 40; round += 1) {
        const ways = waysOf(round);
        const id = Number(await users.create(newUser()));
        const renamed = rename.update(id, { username: ways[2] ?? '' });
        const outcomes = await Promise.all([
          ...ways.map((username, at) => nodes[at % 2]?.create(newUser({ username }))),
          renamed.then((outcome) => (outcome === 'updated' ? id : outcome)),
        ]);
        expect([round, outcomes.filter((outcome) => outcome !== 'taken')]).toEqual([
          round,
          [expect.any(Number)],
        ]);
      }
    } finally {
      await other.close();
    }
  });

  it('finds an account by username before one whose e-mail is the same text', async () => {
    const mail = await users.create(newUser({ email: 'grace' }));
    const name = await users.create(newUser({ username: 'grace', passwordHash: 'of grace' }));
    expect(await users.byLogin('grace')).toMatchObject({ id: name, passwordHash: 'of grace' });
    expect(await users.byId(Number(mail))).toMatchObject({
      email: 'grace',
      quotaUnits: 0,
      deletedAtMs: null,
    });
    expect(await users.byLogin('')).toBeUndefined();
  });

  it('takes the signs of a search literally', async () => {
    const id = await users.create(newUser({ displayName: '100%_done\\' }));
    const search = async (keyword: string) =>
      (await users.search({ keyword, group: '', by: { id: 0, role: 100 } }, { page: 1, pageSize: 10 })).items;
    expect((await search('%_DONE\\')).map((user) => user.id)).toEqual([id]);
    expect(await search('0%d')).toEqual([]);
  });

  it('lists newest first with the total', async () => {
    const all = await users.list({ page: 1, pageSize: 2 });
    const next = await users.list({ page: 2, pageSize: 2 });
    const ids = [...all.items, ...next.items].map((user) => user.id);
    expect(ids).toEqual([...ids].sort((one, other) => other - one));
    expect(all.total).toBeGreaterThan(4);
  });

  it('of those who called and have little left, names who used most, and counts those who are enabled', async () => {
    const spend = async (quota: number, used: number, more: object = {}): Promise<number> => {
      const id = Number(await users.create(newUser()));
      const row = { quota, used_quota: used, ...more };
      await on.database.writer.updateTable('users').set(row).where('id', '=', id).execute();
      return id;
    };
    await spend(0, 0);
    await spend(10, 900);
    await spend(9, 900, { held: 1 });
    await spend(0, 900, { status: 2 });
    await spend(0, 900, { deleted_at: 5 });
    const ids = [await spend(9, 5), await spend(0, 7), await spend(0, 6)];
    const { total, items } = await users.withLittleQuota(10, 2);
    expect(total).toBe(3);
    expect(items.map(({ id, quotaUnits }) => [id, quotaUnits])).toEqual([
      [ids[1], 0],
      [ids[2], 0],
    ]);
  });

  it("renames, unless the name is another account's", async () => {
    const id = Number(await users.create(newUser()));
    expect(await users.updateProfile(id, { username: 'ada' })).toBe('taken');
    expect(await users.updateProfile(id, { username: 'alan', displayName: 'Alan' })).toBe('updated');
    expect(await users.byId(id)).toMatchObject({ username: 'alan', displayName: 'Alan' });
    expect(await users.updateProfile(999_999, { displayName: 'x' })).toBe('missing');
  });
});
