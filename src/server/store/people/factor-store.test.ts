import { beforeAll, expect, it } from 'vitest';
import type { FactorStore } from '#core/user/factor-store.ts';
import { newUser } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createFactorStore } from './factor-store.ts';
import { createUserStore } from './user-store.ts';

onEachEngine('a second factor', (on) => {
  let factors: FactorStore;
  beforeAll(() => {
    factors = createFactorStore(on.database);
  });

  const person = async (name: string): Promise<number> =>
    Number(await createUserStore(on.database).create(newUser({ username: name })));

  it('has as many backup codes as were shown last, where two renew them at once, and none once it is off', async () => {
    const id = await person('renewer');
    await factors.begin(id, 'sealed');
    await factors.confirm(id, 'sealed', 1, ['old']);
    for (let round = 0; round < 10; round += 1) {
      const sets = [1, 2, 3].map((at) => [`${round}-${at}-a`, `${round}-${at}-b`]);
      await Promise.all(sets.map((macs) => factors.replaceBackupCodes(id, macs)));
      expect(await factors.find(id)).toMatchObject({ backupCodesLeft: 2 });
    }
    await factors.remove(id);
    expect(await factors.replaceBackupCodes(id, ['late'])).toBe(false);
    await factors.begin(id, 'sealed');
    expect(await factors.find(id)).toMatchObject({ backupCodesLeft: 0 });
  });

  it('is switched on once, with the secret whose code was right, not with one begun meanwhile', async () => {
    const id = await person('ada');
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
