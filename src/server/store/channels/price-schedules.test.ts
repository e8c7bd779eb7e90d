import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../database/database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { ann, bob, openPriceNode, PriceSite, set } from '../testing/price-node.ts';

/** When a scheduled version holds, and who must still be allowed to set prices then. */

/** Until a statement waits for what another holds. SQLite begins none meanwhile. */
const somethingWaits = async ({ engine, reader }: Database): Promise<void> => {
  if (engine === 'sqlite') return;
  const waiting = sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(reader)).rows).toHaveLength(1);
};

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`scheduled prices on ${engine.name}`, () => {
    let opened: TestDatabase;
    let site: PriceSite;
    let one: ReturnType<typeof openPriceNode>;

    beforeEach(async () => {
      opened = await engine.create();
      site = new PriceSite();
      one = openPriceNode(opened.database, site);
      await one.options.setAll(new Map([['ModelPrice', '{"a":1,"b":2}']]), 10, { id: 1, name: 'ann' });
    });
    afterEach(() => opened.remove());

    it('a version has the time it was due, however late it is written, but never before its predecessor', async () => {
      const [first, second] = [
        await one.drafts.create(ann, '', [set('a', 7)]),
        await one.drafts.create(ann, '', [set('b', 7)]),
      ];
      await one.prices.publish(ann, first, { base: 1, reason: 'one', atMs: site.nowMs + 5000 });
      await one.prices.publish(ann, second, { base: 1, reason: 'two', atMs: site.nowMs + 6000 });
      site.nowMs += 5500;
      await one.prices.publishDue();
      expect((await one.prices.version(2)).createdAtMs).toBe(site.nowMs - 500);
      await one.options.set('ModelPrice', '{"a":8,"b":2}', site.nowMs + 3000);
      site.nowMs += 9000;
      await one.prices.publishDue();
      expect((await one.prices.version(4)).createdAtMs).toBe(site.nowMs - 6000);
    });

    it('everything that is due takes effect, even if the log cannot be written', async () => {
      for (const [at, key] of ['a', 'b'].entries()) {
        const id = await one.drafts.create(ann, '', [set(key, 7)]);
        await one.prices.publish(ann, id, { base: 1, reason: key, atMs: site.nowMs + 1000 + at });
      }
      site.nowMs += 2000;
      [site.isLogAway, site.refreshes] = [true, 0];
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 7, b: 7 });
      expect(site.refreshes).toBe(1);
      expect(site.rows.slice(2)).toEqual(Array(2).fill(expect.stringMatching('could not be written')));
    });

    it('a group is removed at its time only if nobody is in it, or if that was agreed to when it was scheduled', async () => {
      await one.options.set('GroupRatio', '{"default":1,"quiet":1,"agreed":1}', 20);
      const removing = (key: string) =>
        one.drafts.create(ann, '', [{ option: 'GroupRatio', key, value: null }]);
      const [quiet, agreed] = [await removing('quiet'), await removing('agreed')];
      site.joined.add('agreed');
      const later = { base: 2, reason: 'fewer groups', atMs: site.nowMs + 1000 };
      expect(await one.prices.publish(ann, quiet, later)).toMatchObject({ published: true });
      expect(await one.prices.publish(ann, agreed, later)).toMatchObject({ published: false });
      await one.prices.publish(ann, agreed, { ...later, mayRemove: ['agreed'] });
      // Somebody joins the other one before it goes.
      site.joined.add('quiet');
      site.nowMs += 1000;
      await one.prices.publishDue();
      const groups = JSON.parse((await one.options.all()).get('GroupRatio') ?? '') as object;
      expect(groups).toEqual({ default: 1, quiet: 1 });
      expect(await one.drafts.list()).toMatchObject([{ id: quiet, state: 'used', dueAtMs: undefined }]);
      expect(site.rows.filter((row) => row.includes('log_prices_used'))).toHaveLength(1);
      // Whoever looks at it again is asked, and may edit it.
      const now = { base: 3, reason: 'all the same', atMs: undefined };
      expect(await one.prices.publish(ann, quiet, now)).toMatchObject({
        published: false,
        groupsInUse: [{ name: 'quiet', users: 1 }],
      });
      await one.drafts.update(ann, quiet, { reason: 'looked at' });
      expect(await one.prices.publish(ann, quiet, { ...now, mayRemove: ['quiet'] })).toMatchObject({
        published: true,
      });
    });

    it('a draft that another admin has changed since it was read is not published', async () => {
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      const { edition } = await one.drafts.read(id);
      await one.drafts.update(ann, id, { entries: [set('a', 0)] }, edition);
      const now = { base: 1, reason: 'what I saw', edition };
      for (const atMs of [undefined, site.nowMs + 1000])
        await expect(one.prices.publish(bob, id, { ...now, atMs })).rejects.toMatchObject({
          reason: 'changed_meanwhile',
        });
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'open' }]);
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      const read = await one.drafts.read(id);
      await one.prices.publish(bob, id, { ...now, edition: read.edition, atMs: undefined });
      expect(await one.modelPrices()).toEqual({ a: 0, b: 2 });
    });

    it('a schedule is cancelled or was published, never both', async () => {
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      await one.prices.publish(ann, id, { base: 1, reason: 'soon', atMs: site.nowMs + 1000 });
      const cancelled = await one.store.edit(async (book) => {
        await book.draft(id);
        const cancel = one.store.changeDraft(id, ['due'], { state: 'open', dueAtMs: null }, site.nowMs);
        await somethingWaits(opened.database);
        await book.removeDraft(id);
        return { cancel };
      });
      expect(await cancelled.cancel).toBe(false);
    });

    it.each([
      ['demoted', { role: 1 }],
      ['disabled', { status: 2 }],
      ['deleted', { deletedAtMs: 5 }],
      ['gone', undefined],
    ])('what was scheduled by somebody who is %s by then is not published, and says so', async (_, now) => {
      // Somebody else wrote it down: who scheduled it answers for it.
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      await one.prices.publish(bob, id, { base: 1, reason: 'soon', atMs: site.nowMs + 1000 });
      expect(await one.drafts.list()).toMatchObject([{ author: 'bob', state: 'due' }]);
      if (now === undefined) site.people.delete(bob.user.id);
      else site.people.set(bob.user.id, { ...bob.user, ...now });
      site.nowMs += 1000;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'barred', dueAtMs: undefined }]);
      expect(site.rows).toMatchObject(
        [/^bob .*log_prices_scheduled/, /^bob .*log_prices_barred/].map((row) => expect.stringMatching(row)),
      );
      const outcome = await one.prices.publish(ann, id, { base: 1, reason: 'yes', atMs: undefined });
      expect(outcome).toMatchObject({ published: true, version: 2 });
    });
  });
}
