import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { User } from '#core/user/user.ts';
import type { Caller } from '../../http/testing/caller.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Users' identities, addresses and belongings are visible only to themselves and to higher ranks. */

const services = ['github', 'wechat', 'telegram', 'linuxdo', 'oidc', 'discord'] as const;

let scene: Scene;
let admin: Caller;
let adminSelf: User;
const canaries = (name: string): string[] => [
  `canary-${name}@site.example`,
  ...services.map((service) => `canary-${service}-${name}`),
];

const person = async (name: string, rank: number): Promise<User> => {
  const { identities, ledger } = scene.server.parts.stores;
  const user = rank === role.root ? scene.root : await scene.stage.person(name, rank);
  await identities.setEmail(user.id, `canary-${name}@site.example`);
  for (const service of services) await identities.setIdentity(user.id, service, `canary-${service}-${name}`);
  const grant = { kind: 'grant', ref: `for ${name}`, reason: '', actorId: 0, nowMs: 1 } as const;
  await ledger.move({ ...grant, userId: user.id, deltaUnits: 77_777 });
  return user;
};

beforeAll(async () => {
  scene = await openScene();
  await person('root', role.root);
  await person('equal', role.admin);
  await person('below', role.user);
  adminSelf = await person('self', role.admin);
  admin = scene.stage.caller(await scene.stage.session(adminSelf));
  const { logs, database } = scene.server.parts.stores;
  for (const { id, username } of [scene.root, adminSelf])
    await logs.append({ createdAtMs: Date.now(), type: 1, userId: id, username, content: '' });
  await database.writer
    .updateTable('logs')
    .set((is) => ({ ip: is.fn('concat', [is.val('198.51.100.'), 'user_id']) }))
    .execute();
});
afterAll(() => scene.close());

const itemsOf = async (call: Caller, path: string) =>
  ((await call(path)).data as { items: Record<string, unknown>[] }).items;

describe('an admin', () => {
  it('sees that accounts of the same or a higher rank exist, but no details of them', async () => {
    const { text } = await admin('/api/user?page_size=100');
    for (const name of ['root', 'equal'])
      expect(canaries(name).filter((canary) => text.includes(canary))).toEqual([]);
    for (const name of ['below', 'self'])
      expect(canaries(name).filter((canary) => !text.includes(canary))).toEqual([]);
    const rows = new Map(
      (await itemsOf(admin, '/api/user?page_size=100')).map((row) => [row['username'], row]),
    );
    expect(rows.get('root')).toMatchObject({
      id: scene.root.id,
      role: role.root,
      status: 1,
      group: 'default',
      is_private: true,
      email: '',
      quota: 0,
      aff_code: '',
      setting: '',
    });
    expect(rows.get('below')).toMatchObject({ is_private: false, quota: 77_777 });
    expect(rows.get('self')).toMatchObject({ is_private: false, quota: 77_777 });
  });

  it.each(['canary-root@', 'canary-equal@site', 'ry-root@site.example'])(
    'finds no account of the same or a higher rank by searching %s',
    async (keyword) => {
      expect(await itemsOf(admin, `/api/user/search?keyword=${encodeURIComponent(keyword)}`)).toEqual([]);
    },
  );

  it('finds lower ranks and themselves by address, and everybody by name', async () => {
    const found = async (keyword: string) =>
      (await itemsOf(admin, `/api/user/search?keyword=${keyword}`))
        .map((row) => String(row['username']))
        .toSorted();
    expect(await found('site.example')).toEqual(['below', 'self']);
    expect(await found('root')).toEqual(['root']);
  });
});

it('the logs of the same or a higher rank do not show an admin the caller’s address', async () => {
  const ipsOf = async (call: Caller) =>
    new Map((await itemsOf(call, '/api/log?page_size=100')).map((row) => [row['user_id'], row['ip']]));
  expect(Object.fromEntries(await ipsOf(admin))).toMatchObject({
    [scene.root.id]: '',
    [adminSelf.id]: `198.51.100.${adminSelf.id}`,
  });
  expect((await ipsOf(scene.asRoot)).get(scene.root.id)).toBe(`198.51.100.${scene.root.id}`);
});

it('the super admin sees everybody', async () => {
  const { text } = await scene.asRoot('/api/user?page_size=100');
  for (const name of ['root', 'equal', 'below', 'self'])
    expect(canaries(name).filter((canary) => !text.includes(canary))).toEqual([]);
  expect((await itemsOf(scene.asRoot, '/api/user/search?keyword=canary-equal@')).length).toBe(1);
});
