import { beforeAll, expect, it } from 'vitest';
import { createIdentityStore } from './identity-store.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { newUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createUserStore } from './user-store.ts';

const rounds = Array.from({ length: 5 }, (_, at) => at);
const ways = { password: true, passkeys: true, services: ['github', 'oidc'] } as const;

onEachEngine('many at once', (on) => {
  beforeAll(async () => {});

  const person = async (changes = {}): Promise<number> =>
    Number(await createUserStore(on.database).create(newUser(changes)));

  it.each([...rounds])('that want one thing: one gets it, the others are refused, round %i', async (at) => {
    const identities = createIdentityStore(on.database);
    const users = createUserStore(on.database);
    const managed = createManagedUserStore(on.database);
    const wants: readonly (readonly [(id: number) => Promise<string>, string])[] = [
      [(id) => identities.setIdentity(id, 'oidc', `sub-${at}`), 'set'],
      [(id) => identities.setEmail(id, `same-${at}@example.com`), 'set'],
      [(id) => users.updateProfile(id, { username: `n${at}` }), 'updated'],
      [(id) => managed.update(id, { username: `m${at}` }), 'updated'],
    ];
    for (const [want, got] of wants) {
      const people = await Promise.all([person(), person(), person(), person()]);
      const outcomes = await Promise.all(people.map(want));
      expect(outcomes.toSorted()).toEqual([got, 'taken', 'taken', 'taken'].toSorted());
    }
  });

  it('a low balance is warned of once in its time, and not again after a clock was put back', async () => {
    const { claimQuotaWarning } = createIdentityStore(on.database);
    const hourMs = 3_600_000;
    const id = await person();
    const claims = [];
    for (const atHour of [100, 101, 99, 100, 101])
      claims.push(await claimQuotaWarning(id, atHour * hourMs, (atHour - 2) * hourMs));
    expect(claims).toEqual([true, false, true, false, true]);
  });

  it.each([...rounds])('ways in that go: the last one stays, round %i', async (at) => {
    const identities = createIdentityStore(on.database);
    const passkeys = createPasskeyStore(on.database);
    const userId = await person({ passwordHash: '' });
    for (const service of ways.services) await identities.setIdentity(userId, service, `last-${at}`);
    const two = await Promise.all(ways.services.map((service) => identities.unbind(userId, service, ways)));
    expect(two.toSorted()).toEqual(['last', 'unbound']);
    const left = two[0] === 'last' ? 'github' : 'oidc';
    const key = { credentialId: `last-${at}`, publicKey: 'AA', counter: 0, transports: [], name: '' };
    await passkeys.add({ ...key, userId, createdAtMs: 1 }, 5);
    const [passkey] = await passkeys.listOf(userId);
    const mixed = await Promise.all([
      identities.unbind(userId, left, ways),
      passkeys.remove(userId, passkey?.id ?? 0, ways),
    ]);
    expect(mixed.filter((outcome) => outcome === 'last')).toHaveLength(1);
  });
});
