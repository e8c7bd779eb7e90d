import { beforeAll, expect, it } from 'vitest';
import type { PasskeyStore } from '#core/user/passkey-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createUserStore } from './user-store.ts';

const byPasskeyOnly = { password: true, passkeys: true, services: [] };

onEachEngine('passkeys', (on) => {
  let passkeys: PasskeyStore;
  let made = 0;
  beforeAll(() => {
    passkeys = createPasskeyStore(on.database);
  });

  const person = async (): Promise<number> => {
    const id = await createUserStore(on.database).create({
      username: `p${(made += 1)}`,
      displayName: '',
      email: '',
      passwordHash: '',
      role: 1,
      group: 'default',
      affCode: `aff-${made}`,
      inviterId: 0,
      createdAtMs: 1,
    });
    return Number(id);
  };
  const passkey = (userId: number, credentialId: string) => ({
    userId,
    credentialId,
    publicKey: 'AA',
    counter: 0,
    transports: ['internal', 'hybrid'],
    name: 'a key',
    createdAtMs: 1000,
  });
  const withTwo = async (): Promise<readonly [number, number, number]> => {
    const user = await person();
    await passkeys.add(passkey(user, `one-${user}`), 5);
    await passkeys.add(passkey(user, `two-${user}`), 5);
    const [newer, older] = await passkeys.listOf(user);
    return [user, newer?.id ?? 0, older?.id ?? 0];
  };

  it('are kept once, and only so many of one user however many come at once', async () => {
    const user = await person();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, at) => passkeys.add(passkey(user, `c${at}-${user}`), 4)),
    );
    expect(outcomes.toSorted()).toEqual(['added', 'added', 'added', 'added', 'full', 'full']);
    const other = await person();
    const [known] = await passkeys.listOf(user);
    expect(await passkeys.add(passkey(other, known?.credentialId ?? ''), 4)).toBe('taken');
    expect(await passkeys.byCredential(known?.credentialId ?? '')).toMatchObject({
      userId: user,
      transports: ['internal', 'hybrid'],
      usedAtMs: null,
    });
  });

  it('of two removed at once the last stays, where it must', async () => {
    const [user, newer, older] = await withTwo();
    const both = await Promise.all([newer, older].map((id) => passkeys.remove(user, id, byPasskeyOnly)));
    expect(both.toSorted()).toEqual(['last', 'removed']);
    const [left] = await passkeys.listOf(user);
    const byName = { ...byPasskeyOnly, services: ['github'] } as const;
    expect(await passkeys.remove(user, left?.id ?? 0, byName)).toBe('last');
    await createIdentityStore(on.database).setIdentity(user, 'github', `gh-${user}`);
    expect(await passkeys.remove(user, left?.id ?? 0, byPasskeyOnly)).toBe('last');
    expect(await passkeys.remove(user, left?.id ?? 0, byName)).toBe('removed');
  });

  it('can be named and removed by their owner only', async () => {
    const [user, newer] = await withTwo();
    const other = await person();
    expect(await passkeys.rename(other, newer, 'mine')).toBe(false);
    expect(await passkeys.remove(other, newer, byPasskeyOnly)).toBe('missing');
    expect((await passkeys.listOf(user)).map(({ name }) => name)).toEqual(['a key', 'a key']);
    expect(await passkeys.rename(user, newer, 'desk')).toBe(true);
    expect((await passkeys.listOf(user))[0]?.name).toBe('desk');
  });

  it('of many uses of one counter at once, one is accepted', async () => {
    const [user, newer] = await withTwo();
    const uses = await Promise.all(Array.from({ length: 5 }, () => passkeys.use(newer, 0, 1, 2000)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect((await passkeys.listOf(user))[0]).toMatchObject({ counter: 1, usedAtMs: 2000 });
  });
});
