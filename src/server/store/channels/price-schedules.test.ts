import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#core/user/user.ts';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import { createOptionStore } from './option-store.ts';
import { createPriceBookStore } from './price-book-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createPriceBook } from '../../control/wallet/price-book.ts';
import { createPriceDrafts } from '../../control/wallet/price-drafts.ts';

/** When a scheduled version holds, and who must still be allowed to set prices then. */

const editor = (id: number, username: string) => ({
  user: { id, username, role: 100, status: 1, deletedAtMs: null } as User,
  via: 'session' as const,
  freshUntilMs: Infinity,
});
const ann = editor(1, 'ann');
const bob = editor(2, 'bob');
const set = (key: string, value: PriceEntry['value']): PriceEntry => ({ option: 'ModelPrice', key, value });

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`scheduled prices on ${engine.name}`, () => {
    let opened: TestDatabase;
    let nowMs: number;
    let rows: string[];
    let people: Map<number, User>;
    let one: ReturnType<typeof node>;

    const node = ({ database }: TestDatabase) => {
      const deps = {
        priceBook: createPriceBookStore(database),
        users: { byId: async (id: number) => people.get(id) },
        clock: { now: () => nowMs, monotonic: () => nowMs },
        logs: {
          append: async ({ username, content }: { username: string; content: string }) => {
            rows.push(`${username} ${content}`);
          },
        },
        refreshRouting: async () => {},
        log: { info: () => {}, warn: () => {}, error: (text: string) => void rows.push(text) },
      };
      const options = createOptionStore(database);
      return {
        options,
        prices: createPriceBook(deps),
        drafts: createPriceDrafts(deps),
        modelPrices: async () => JSON.parse((await options.all()).get('ModelPrice') ?? '{}') as object,
      };
    };

    beforeEach(async () => {
      [nowMs, rows] = [1_000_000, []];
      people = new Map([ann, bob].map(({ user }) => [user.id, user]));
      opened = await engine.create();
      one = node(opened);
      await one.options.setAll(new Map([['ModelPrice', '{"a":1,"b":2}']]), 10, { id: 1, name: 'ann' });
    });
    afterEach(() => opened.remove());

    it('a version names the time it was due, however late it is written, and none before the version before it', async () => {
      const [first, second] = [
        await one.drafts.create(ann, '', [set('a', 7)]),
        await one.drafts.create(ann, '', [set('b', 7)]),
      ];
      await one.prices.publish(ann, first, { base: 1, reason: 'one', atMs: nowMs + 5000 });
      await one.prices.publish(ann, second, { base: 1, reason: 'two', atMs: nowMs + 6000 });
      nowMs += 5500;
      await one.prices.publishDue();
      expect((await one.prices.version(2)).createdAtMs).toBe(nowMs - 500);
      await one.options.set('ModelPrice', '{"a":8,"b":2}', nowMs + 3000);
      nowMs += 9000;
      await one.prices.publishDue();
      expect((await one.prices.version(4)).createdAtMs).toBe(nowMs - 6000);
    });

    it.each([
      ['demoted', { role: 1 }],
      ['disabled', { status: 2 }],
      ['deleted', { deletedAtMs: 5 }],
      ['gone', undefined],
    ])('what was scheduled by somebody who is %s by then is not published, and says so', async (_, now) => {
      // Somebody else wrote it down: who scheduled it answers for it.
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      await one.prices.publish(bob, id, { base: 1, reason: 'soon', atMs: nowMs + 1000 });
      expect(await one.drafts.list()).toMatchObject([{ author: 'bob', state: 'due' }]);
      if (now === undefined) people.delete(bob.user.id);
      else people.set(bob.user.id, { ...bob.user, ...now });
      nowMs += 1000;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'barred', dueAtMs: undefined }]);
      expect(rows).toMatchObject([/^bob .*log_prices_barred/].map((row) => expect.stringMatching(row)));
      const outcome = await one.prices.publish(ann, id, { base: 1, reason: 'yes', atMs: undefined });
      expect(outcome).toMatchObject({ published: true, version: 2 });
    });
  });
}
