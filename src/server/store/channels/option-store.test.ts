import { describe, expect, it } from 'vitest';
import { createLedger } from '../ledger/ledger.ts';
import { createOptionStore } from './option-store.ts';
import { createSessionStore } from '../people/session-store.ts';
import { givenUser } from '../testing/accounts.ts';
import { engines } from '../testing/engines.ts';

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`options and sessions on ${engine.name}`, () => {
    it('starts a new price version, with every price text, when a price is saved, and only then', async () => {
      const opened = await engine.create();
      const options = createOptionStore(opened.database);
      expect(await options.priceVersion()).toBe(0);
      await options.set('ModelRatio', '{"gpt-5":1}', 1);
      await options.set('SystemName', 'Mine', 2);
      expect(await options.priceVersion()).toBe(1);
      await options.set('GroupRatio', '{"vip":0.5}', 3);
      expect(await options.priceVersion()).toBe(2);
      const versions = await opened.database.writer
        .selectFrom('price_versions')
        .select('prices')
        .orderBy('version')
        .execute();
      expect(versions.map(({ prices }) => JSON.parse(prices))).toEqual([
        { ModelRatio: '{"gpt-5":1}' },
        { ModelRatio: '{"gpt-5":1}', GroupRatio: '{"vip":0.5}' },
      ]);
      await options.set('SystemName', 'Yours', 4);
      expect((await options.all()).get('SystemName')).toBe('Yours');
      await opened.remove();
    });

    it('of several nodes that replace the text they read, one succeeds; an unconditional write always does', async () => {
      const opened = await engine.create();
      const again = await opened.openAgain();
      const [one, other] = [createOptionStore(opened.database), createOptionStore(again)];
      for (const key of ['SystemName', 'GroupRatio']) {
        let stored: string | undefined;
        for (let round = 0; round < 10; round += 1) {
          const wrote = await Promise.all(
            Array.from({ length: 6 }, (_, at) =>
              (at % 2 === 0 ? one : other).setAll(
                new Map([[key, `{"g${round}${at}":1}`]]),
                1,
                undefined,
                new Map([
                  [key, stored],
                  ['TopUpLink', undefined],
                ]),
              ),
            ),
          );
          expect(wrote.filter(Boolean)).toHaveLength(1);
          stored = (await other.all()).get(key);
          expect(stored).toBe(`{"g${round}${wrote.indexOf(true)}":1}`);
        }
      }
      await again.close();
      await opened.remove();
    });

    it('ends sessions one by one, all but one, and by time', async () => {
      const opened = await engine.create();
      const ledger = createLedger(opened.database);
      const userId = await givenUser(opened.database, ledger, 0);
      const sessions = createSessionStore(opened.database);
      const session = {
        userId,
        createdAtMs: 1,
        lastSeenAtMs: 1,
        expiresAtMs: 100,
        freshUntilMs: 7,
        ip: '',
        userAgent: '',
      };
      for (const idHash of ['a', 'b', 'c', 'd']) await sessions.create(idHash, session);
      await sessions.touch('a', 50);
      expect(await sessions.find('a')).toEqual({
        userId,
        createdAtMs: 1,
        lastSeenAtMs: 50,
        expiresAtMs: 100,
        freshUntilMs: 7,
      });
      await sessions.end('b');
      await sessions.endAllOf(userId, 'a');
      const left = await Promise.all(['a', 'b', 'c', 'd'].map((idHash) => sessions.find(idHash)));
      expect(left.map((found) => found !== undefined)).toEqual([true, false, false, false]);
      await sessions.deleteExpired(99);
      expect(await sessions.find('a')).toBeDefined();
      await sessions.deleteExpired(100);
      expect(await sessions.find('a')).toBeUndefined();
      await ledger.close();
      await opened.remove();
    });
  });
}
