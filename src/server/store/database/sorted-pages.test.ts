import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '#core/ledger/ledger.ts';
import type { PageRequest } from '#core/paging.ts';
import { createLedger } from '../ledger/ledger.ts';
import { createTokenStore } from '../people/token-store.ts';
import { createUserStore } from '../people/user-store.ts';
import { givenUser, newToken } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { newRedemption } from '../testing/vouchers.ts';
import { createRedemptionStore } from '../wallet/redemption-store.ts';

const by = (sort: string, page = 1, pageSize = 10): PageRequest => ({
  page,
  pageSize,
  sort: { key: sort.replace('-', ''), isDescending: sort.startsWith('-') },
});

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`sorted lists on ${engine.name}`, () => {
    let opened: TestDatabase;
    let ledger: Ledger & { close(): Promise<void> };
    let rich: number;
    let poor: number;
    beforeAll(async () => {
      opened = await engine.create();
      ledger = createLedger(opened.database);
      poor = await givenUser(opened.database, ledger, 10);
      rich = await givenUser(opened.database, ledger, 1000);
    });
    afterAll(async () => {
      await ledger.close();
      await opened.remove();
    });

    it('are in the asked order over all their pages, alike ones newest first, unknown orders their own', async () => {
      const tokens = createTokenStore(opened.database);
      const limited = { unlimited: false, issuedQuotaUnits: 0 };
      await tokens.create(
        [
          newToken(rich, { ...limited, name: 'b', remainQuotaUnits: 5, expiresAtMs: 3000 }),
          newToken(rich, { ...limited, name: 'A', remainQuotaUnits: 9, expiresAtMs: null }),
          newToken(rich, { name: 'c', expiresAtMs: 2000 }),
          newToken(rich, { ...limited, name: 'B', remainQuotaUnits: 5, expiresAtMs: null }),
        ],
        100,
      );
      const names = async (page: PageRequest) =>
        (await tokens.list(rich, page)).items.map(({ name }) => name).join('');
      expect(await names(by('name'))).toBe('ABbc');
      expect(await names(by('-name'))).toBe('cBbA');
      // What has no end is later than all ends, what has no limit more than all limits.
      expect(await names(by('expires'))).toBe('cbBA');
      expect(await names(by('-expires'))).toBe('BAbc');
      expect(await names(by('quota'))).toBe('BbAc');
      expect(await names(by('-quota', 1, 2))).toBe('cA');
      expect(await names(by('-quota', 2, 2))).toBe('Bb');
      expect(await names(by('key_encrypted'))).toBe('BcAb');
      expect(await names(by('constructor'))).toBe('BcAb');
    });

    it('have every row once, whichever end the pages are read from', async () => {
      const tokens = createTokenStore(opened.database);
      const count = 2310;
      for (let made = 0; made < count; made += 330)
        await tokens.create(
          Array.from({ length: 330 }, (_, at) =>
            newToken(poor, { name: `n${at % 7}`, expiresAtMs: at % 3 === 0 ? null : 2000 + (at % 5) }),
          ),
          count,
        );
      for (const sort of [undefined, ...['name', '-expires'].map((name) => by(name).sort)]) {
        const read = async (page: number, pageSize: number) => {
          const { items, total } = await tokens.list(poor, { page, pageSize, sort });
          expect(total).toBe(count);
          return items.map(({ id }) => id);
        };
        const whole = await read(1, count);
        expect(new Set(whole).size).toBe(count);
        for (const page of [1, 11, 12, 13, 22, 23, 24, 25])
          expect(await read(page, 100)).toEqual(whole.slice((page - 1) * 100, page * 100));
      }
    });

    it('cannot be sorted by what the viewer does not see', async () => {
      const users = createUserStore(opened.database);
      const found = async (sort: string, viewer: { readonly id: number; readonly role: number }) =>
        (await users.search({ keyword: '', group: '', by: viewer }, by(sort))).items.map(({ id }) => id);
      expect(await found('quota', { id: 0, role: 10 })).toEqual([poor, rich]);
      expect(await found('-quota', { id: 0, role: 10 })).toEqual([rich, poor]);
      // Of one's own rank one sees only oneself: whoever else there is comes last or first, by age alone.
      const peer = { id: poor, role: 1 };
      expect(await found('quota', peer)).toEqual([poor, rich]);
      expect(await found('-quota', peer)).toEqual([rich, poor]);
      const other = { id: rich, role: 1 };
      expect(await found('quota', other)).toEqual([rich, poor]);
      expect(await found('-quota', other)).toEqual([poor, rich]);
    });

    it('codes that never end come after those that do', async () => {
      const codes = createRedemptionStore(opened.database);
      await codes.create([
        newRedemption({ name: 'never', expiresAtMs: null, quotaUnits: 1 }),
        newRedemption({ name: 'late', expiresAtMs: 9000, quotaUnits: 3 }),
        newRedemption({ name: 'soon', expiresAtMs: 2000, quotaUnits: 2 }),
      ]);
      const names = async (sort: string) => (await codes.list(by(sort))).items.map(({ name }) => name);
      expect(await names('expires')).toEqual(['soon', 'late', 'never']);
      expect(await names('-quota')).toEqual(['late', 'soon', 'never']);
    });
  });
}
