import { beforeAll, expect, it } from 'vitest';
import type { SignInProof } from '#core/session/session-store.ts';
import { createFactorStore } from './factor-store.ts';
import { createIdentityStore } from './identity-store.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { createPasskeyStore } from './passkey-store.ts';
import { createSessionStore } from './session-store.ts';
import { newUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createUserStore } from './user-store.ts';

const ways = { password: true, passkeys: true, services: ['github'] } as const;
const ROUNDS = 15;

onEachEngine('a session', (on) => {
  let made = 0;
  beforeAll(() => {});

  const stores = () => ({
    users: createUserStore(on.database),
    sessions: createSessionStore(on.database),
    factors: createFactorStore(on.database),
    identities: createIdentityStore(on.database),
    passkeys: createPasskeyStore(on.database),
    managed: createManagedUserStore(on.database),
  });

  /** Somebody with a password, an identity and a passkey. */
  const somebody = async () => {
    const { users, identities, passkeys } = stores();
    const name = `who-${(made += 1)}`;
    const id = Number(await users.create(newUser({ passwordHash: 'of today' })));
    await identities.setIdentity(id, 'github', name);
    const key = { credentialId: name, publicKey: 'AA', counter: 0, transports: [], name: '' };
    await passkeys.add({ ...key, userId: id, createdAtMs: 1 }, 5);
    const [passkey] = await passkeys.listOf(id);
    return { id, identity: { service: 'github' as const, id: name }, passkeyId: passkey?.id ?? 0 };
  };
  const twoStep = async (id: number): Promise<void> => {
    const { factors, sessions } = stores();
    await factors.begin(id, 'sealed');
    await factors.confirm(id, 'sealed', 1, ['code']);
    await sessions.endAllOf(id);
  };
  const start = (userId: number, proof: SignInProof) => {
    const times = { createdAtMs: 1, lastSeenAtMs: 1, expiresAtMs: 9e15, freshUntilMs: 0 };
    return stores().sessions.create(`s-${(made += 1)}`, { userId, ...times, ip: '', userAgent: '' }, proof);
  };
  const alive = async (id: number) => (await stores().sessions.listOf(id, 1)).length;

  it('begins only while the password, the identity or the passkey that proved its owner counts', async () => {
    const { users, identities, passkeys } = stores();
    const { id, identity, passkeyId } = await somebody();
    const proofs: readonly (readonly [SignInProof, () => Promise<unknown>])[] = [
      [{ identity, hasSecond: false }, () => identities.unbind(id, 'github', ways)],
      [{ passkeyId, hasSecond: true }, () => passkeys.remove(id, passkeyId, ways)],
      [{ passwordHash: 'of today', hasSecond: false }, () => users.setPasswordHash(id, 'of tomorrow')],
    ];
    for (const [proof, end] of proofs) {
      expect(await start(id, proof)).toBe(true);
      await end();
      expect([proof, await start(id, proof)]).toEqual([proof, false]);
    }
  });

  it("is not begun with somebody else's passkey or identity", async () => {
    const [ada, eve] = [await somebody(), await somebody()];
    expect(await start(eve.id, { passkeyId: ada.passkeyId, hasSecond: true })).toBe(false);
    expect(await start(eve.id, { identity: ada.identity, hasSecond: false })).toBe(false);
  });

  it('begins without a code only while there is no second step', async () => {
    const { id, identity } = await somebody();
    expect(await start(id, { identity, hasSecond: false })).toBe(true);
    await twoStep(id);
    expect(await start(id, { identity, hasSecond: false })).toBe(false);
    expect(await start(id, { identity, hasSecond: true })).toBe(true);
    await stores().factors.remove(id);
    await stores().factors.begin(id, 'sealed');
    expect(await start(id, { identity, hasSecond: false })).toBe(true);
  });

  it('of one factor is not left over where the second step is switched on at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, identity } = await somebody();
      await Promise.all([
        ...Array.from({ length: 4 }, () => start(id, { identity, hasSecond: false })),
        twoStep(id),
        ...Array.from({ length: 4 }, () => start(id, { identity, hasSecond: false })),
      ]);
      expect(await alive(id)).toBe(0);
    }
  });

  it('of a passkey is not left over where an admin takes away what signs in at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, passkeyId } = await somebody();
      await Promise.all([
        ...Array.from({ length: 4 }, () => start(id, { passkeyId, hasSecond: true })),
        stores().managed.resetTwoStep(id),
        ...Array.from({ length: 4 }, () => start(id, { passkeyId, hasSecond: true })),
      ]);
      expect(await alive(id)).toBe(0);
    }
  });
});
