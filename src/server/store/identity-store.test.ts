import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentityStore } from './identity-store.ts';
import { createManagedUserStore } from './managed-user-store.ts';
import { newUser } from './testing/accounts.ts';
import { engines, type TestDatabase } from './testing/engines.ts';
import { createUserStore } from './user-store.ts';

const ROUNDS = 10;

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(
    `what is unique, wanted by many at once, on ${engine.name}`,
    () => {
      let opened: TestDatabase;
      beforeAll(async () => {
        opened = await engine.create();
      });
      afterAll(() => opened.remove());

      const people = (count: number): Promise<number[]> =>
        Promise.all(
          Array.from({ length: count }, async () =>
            Number(await createUserStore(opened.database).create(newUser())),
          ),
        );
      it.each(Array.from({ length: ROUNDS }, (_, at) => at))('belongs to one, round %i', async (at) => {
        const identities = createIdentityStore(opened.database);
        const wants: readonly (readonly [(id: number) => Promise<string>, string])[] = [
          [(id) => identities.setIdentity(id, 'oidc', `sub-${at}`), 'set'],
          [(id) => identities.setEmail(id, `same-${at}@example.com`), 'set'],
          [(id) => createUserStore(opened.database).updateProfile(id, { username: `n${at}` }), 'updated'],
          [(id) => createManagedUserStore(opened.database).update(id, { username: `m${at}` }), 'updated'],
        ];
        for (const [want, got] of wants) {
          const outcomes = await Promise.all((await people(4)).map(want));
          expect(outcomes.toSorted()).toEqual([got, 'taken', 'taken', 'taken'].toSorted());
        }
      });
    },
  );
}
