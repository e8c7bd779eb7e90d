import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FactorStore } from '#core/user/factor-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createFactorStore } from './factor-store.ts';
import { createUserStore } from './user-store.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`a second factor on ${engine.name}`, () => {
    let opened: TestDatabase;
    let factors: FactorStore;
    beforeAll(async () => {
      opened = await engine.create();
      factors = createFactorStore(opened.database);
    });
    afterAll(() => opened.remove());

    it('is on with the secret whose code was right, not with one begun meanwhile, and once', async () => {
      const user = {
        username: 'ada',
        displayName: '',
        email: '',
        passwordHash: '',
        role: 1,
        group: 'default',
        affCode: 'aff',
        inviterId: 0,
        createdAtMs: 1,
      };
      const id = Number(await createUserStore(opened.database).create(user));
      await factors.begin(id, 'of the first tab');
      await factors.begin(id, 'of the second tab');
      expect(await factors.confirm(id, 'of the first tab', 1, ['a'])).toBe(false);
      expect(await factors.find(id)).toMatchObject({ isConfirmed: false, backupCodesLeft: 0 });
      const both = await Promise.all(
        ['b', 'c'].map((mac) => factors.confirm(id, 'of the second tab', 1, [mac])),
      );
      expect(both.filter(Boolean)).toHaveLength(1);
      expect(await factors.find(id)).toMatchObject({ isConfirmed: true, backupCodesLeft: 1 });
      const kept = both[0] === true ? 'b' : 'c';
      expect(await factors.useBackupCode(id, kept)).toBe(true);
    });
  });
}
