import { beforeAll, expect, it } from 'vitest';
import { createFactorStore } from './factor-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createSessionStore } from './session-store.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createUserStore } from './user-store.ts';

onEachEngine('deleted accounts', (on) => {
  beforeAll(async () => {});

  /** Somebody with every way in there is. */
  const person = async (name: string): Promise<number> => {
    const { database } = on;
    const users = createUserStore(database);
    const id = Number(
      await users.create({
        username: name,
        displayName: name,
        email: `${name}@example.com`,
        passwordHash: 'a hash',
        role: 1,
        group: 'default',
        affCode: `aff-${name}`,
        inviterId: 0,
        createdAtMs: 1,
      }),
    );
    await users.setAccessTokenHash(id, `access-${name}`);
    await createPasskeyStore(database).add(passkey(id, name), 5);
    const factors = createFactorStore(database);
    await factors.begin(id, 'sealed');
    await factors.confirm(id, 'sealed', 1, [`code-${name}`]);
    await createIdentityStore(database).setIdentity(id, 'github', `gh-${name}`);
    const times = { createdAtMs: 1, lastSeenAtMs: 1, expiresAtMs: 9e15, freshUntilMs: 0 };
    await createSessionStore(database).create(`session-${name}`, {
      userId: id,
      ...times,
      ip: '',
      userAgent: '',
    });
    return id;
  };
  const passkey = (userId: number, name: string) => ({
    userId,
    credentialId: `passkey-${name}`,
    publicKey: 'AA',
    counter: 0,
    transports: [],
    name: 'a key',
    createdAtMs: 1,
  });
  const rowsOf = async (userId: number): Promise<readonly number[]> => {
    const tables = ['sessions', 'passkeys', 'second_factors', 'backup_codes'] as const;
    return Promise.all(
      tables.map(async (table) => {
        const { writer } = on.database;
        const rows = await writer.selectFrom(table).select('user_id').where('user_id', '=', userId).execute();
        return rows.length;
      }),
    );
  };
  const columnsOf = (id: number) =>
    on.database.writer
      .selectFrom('users')
      .select(['username', 'github_id', 'password_hash', 'access_token_hash', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('leave nothing to sign in with, and keep their name and their identities elsewhere', async () => {
    const [leaver, other] = [await person('leaver'), await person('other')];
    expect(await createManagedUserStore(on.database).softDelete(leaver, 5)).toBe(true);
    expect(await rowsOf(leaver)).toEqual([0, 0, 0, 0]);
    expect(await columnsOf(leaver)).toEqual({
      username: 'leaver',
      github_id: 'gh-leaver',
      password_hash: '',
      access_token_hash: null,
      deleted_at: 5,
    });
    expect(await rowsOf(other)).toEqual([1, 1, 1, 1]);
    expect(await columnsOf(other)).toMatchObject({ password_hash: 'a hash', deleted_at: null });
  });

  it('and accounts whose second step is reset lose that, their sessions and their access token, once, and nothing else', async () => {
    const [lost, other] = [await person('lost'), await person('untouched')];
    const managed = createManagedUserStore(on.database);
    expect(await managed.resetTwoStep(lost)).toBe(true);
    expect(await rowsOf(lost)).toEqual([0, 0, 0, 0]);
    expect(await columnsOf(lost)).toEqual({
      username: 'lost',
      github_id: 'gh-lost',
      password_hash: 'a hash',
      access_token_hash: null,
      deleted_at: null,
    });
    expect(await managed.resetTwoStep(lost)).toBe(false);
    expect(await rowsOf(other)).toEqual([1, 1, 1, 1]);
  });

  it('an account whose rank changed since it was read is left alone', async () => {
    const promoted = await person('promoted');
    const managed = createManagedUserStore(on.database);
    expect(await managed.setRole(promoted, 1, 10)).toBe(true);
    const before = [await columnsOf(promoted), await rowsOf(promoted)];
    expect(await managed.setStatus(promoted, 2, 1)).toBe(false);
    expect(await managed.resetTwoStep(promoted, 1)).toBe(false);
    expect(await managed.softDelete(promoted, 5, 1)).toBe(false);
    expect(await managed.update(promoted, { username: 'other-name' }, 1)).toBe('missing');
    expect([await columnsOf(promoted), await rowsOf(promoted)]).toEqual(before);
    expect(await managed.softDelete(promoted, 5, 10)).toBe(true);
  });

  it('are deleted once, and get no new passkey', async () => {
    const gone = await person('gone');
    const managed = createManagedUserStore(on.database);
    expect(await managed.softDelete(gone, 5)).toBe(true);
    expect(await managed.softDelete(gone, 6)).toBe(false);
    expect(await columnsOf(gone)).toMatchObject({ deleted_at: 5 });
    expect(await createPasskeyStore(on.database).add(passkey(gone, 'late'), 5)).toBe('gone');
    expect(await rowsOf(gone)).toEqual([0, 0, 0, 0]);
  });
});
