import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SECOND_PERSON } from '#contract/price-book.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { ann, bob, cat, openPriceNode, PriceSite, set } from '../testing/price-node.ts';

/** Prices that need a second person: what one alone cannot do, and what an approval is worth. */

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`approvals of prices on ${engine.name}`, () => {
    let opened: TestDatabase;
    let site: PriceSite;
    let one: ReturnType<typeof openPriceNode>;

    beforeEach(async () => {
      opened = await engine.create();
      site = new PriceSite();
      one = openPriceNode(opened.database, site);
      await one.options.setAll(new Map([['ModelPrice', '{"a":1,"b":2}']]), 10, { id: 1, name: 'ann' });
      await one.options.set(SECOND_PERSON, 'true', 10);
    });
    afterEach(() => opened.remove());

    const asked = async (how: { readonly atMs?: number } = {}): Promise<number> => {
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      const outcome = await one.prices.publish(ann, id, {
        base: 1,
        reason: 'dearer',
        atMs: undefined,
        ...how,
      });
      expect(outcome).toEqual({ published: false, version: 1, changedSince: [], waiting: id });
      return id;
    };
    const seenOf = async (id: number) => {
      const { revision, current: base } = await one.drafts.read(id);
      return { revision, base, words: 'seen', isAtOnce: false };
    };

    it('nothing that one person does changes a price, whatever way it goes', async () => {
      await asked();
      await one.prices.change(ann, [set('b', 9)], { reason: 'directly', base: 1, atMs: undefined });
      const restored = { base: 1, reason: 'back', scheduled: undefined };
      await expect(one.prices.restore(ann, 1, restored)).rejects.toMatchObject({ reason: 'price_nothing' });
      const forms = [
        ['ModelPrice', '{"a":0}'],
        ['GroupRatio', '{"default":0}'],
        ['tool_price_setting.prices', '{}'],
        ['QuotaPerUnit', '1'],
        ['Price', '0'],
        [SECOND_PERSON, 'false'],
      ] as const;
      for (const form of forms)
        await expect(one.options.setAll(new Map([form]), 20, { id: 1, name: 'ann' })).rejects.toThrow(
          'second person',
        );
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      expect(await one.store.version()).toBe(1);
      expect((await one.drafts.list()).map(({ state }) => state)).toEqual(['asked', 'asked']);
    });

    it('an approved draft is published at once, and its version says who wrote and who approved it', async () => {
      const id = await asked();
      await expect(one.prices.approve(ann, id, await seenOf(id))).rejects.toMatchObject({
        reason: 'price_own_change',
      });
      expect(site.notices).toEqual(['bob notice_prices_asked_title', 'cat notice_prices_asked_title']);
      expect(await one.prices.approve(bob, id, await seenOf(id))).toMatchObject({
        published: true,
        version: 2,
      });
      expect(await one.modelPrices()).toEqual({ a: 7, b: 2 });
      expect(await one.prices.version(2)).toMatchObject({
        author: 'ann',
        reason: 'dearer',
        writers: [{ id: 1, name: 'ann' }],
        approval: { id: 2, name: 'bob', isApproved: true, atMs: site.nowMs, words: 'seen' },
      });
      expect(site.rows).toEqual([
        expect.stringMatching(/^ann .*asked/),
        expect.stringMatching(/^bob .*approved/),
      ]);
    });

    it('whoever changed it has a part in it, and what was approved is what was looked at', async () => {
      const id = await asked({ atMs: site.nowMs + 5000 });
      const old = await seenOf(id);
      await one.drafts.update(bob, id, { entries: [set('a', 8)] });
      await expect(one.prices.approve(cat, id, old)).rejects.toMatchObject({ reason: 'changed_meanwhile' });
      await expect(one.prices.approve(cat, id, await seenOf(id))).rejects.toMatchObject({
        reason: 'price_not_asked',
      });
      await one.prices.publish(ann, id, { base: 1, reason: 'again', atMs: site.nowMs + 5000 });
      await expect(one.prices.approve(bob, id, await seenOf(id))).rejects.toMatchObject({
        reason: 'price_own_change',
      });
      await one.prices.approve(cat, id, await seenOf(id));
      await expect(one.drafts.update(ann, id, { reason: 'x' })).rejects.toThrow('cancel its schedule');
      // Taken back and scheduled again, it has to be approved again.
      await one.prices.unschedule(ann, id);
      await one.prices.publish(ann, id, { base: 1, reason: 'again', atMs: site.nowMs + 5000 });
      site.nowMs += 5000;
      await one.prices.publishDue();
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'late', verdict: undefined }]);
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
    });

    it('a price that changed beside it since it was looked at keeps it from being approved', async () => {
      const [first, second] = [await asked(), await asked()];
      const seen = await seenOf(second);
      await one.prices.approve(bob, first, await seenOf(first));
      expect(await one.prices.approve(cat, second, seen)).toMatchObject({
        published: false,
        version: 2,
        changedSince: [{ key: 'a', before: 1, after: 7 }],
      });
    });

    it('of two who approve at once, or approve beside an edit or a rejection, one is first', async () => {
      const twice = await asked();
      const seen = await seenOf(twice);
      const both = await Promise.allSettled([bob, cat].map((by) => one.prices.approve(by, twice, seen)));
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await one.store.version()).toBe(2);
      for (const beside of ['edit', 'reject', 'takeBack', 'publish'] as const) {
        const id = await one.drafts.create(ann, '', [set('b', beside.length)]);
        const base = await one.store.version();
        const { b: before } = (await one.modelPrices()) as { b: number };
        await one.prices.publish(ann, id, { base, reason: beside, atMs: undefined });
        const looked = await seenOf(id);
        const acts = {
          edit: () => one.drafts.update(bob, id, { entries: [set('b', 0)] }),
          reject: () => one.prices.reject(bob, id, { revision: looked.revision, words: 'no' }),
          takeBack: () => one.prices.unschedule(ann, id),
          publish: () => one.prices.publish(bob, id, { base, reason: 'mine', atMs: undefined }),
        };
        const [approved] = await Promise.allSettled([one.prices.approve(cat, id, looked), acts[beside]()]);
        const isPublished = approved.status === 'fulfilled';
        expect(await one.store.version()).toBe(isPublished ? base + 1 : base);
        const { b } = (await one.modelPrices()) as { b: number };
        expect(b).toBe(isPublished ? beside.length : before);
      }
    });

    it('what is due without an approval waits, tells admins once, and is published at once if that is said', async () => {
      const id = await asked({ atMs: site.nowMs + 1000 });
      site.notices.length = 0;
      site.nowMs += 1000;
      await one.prices.publishDue();
      await one.prices.publishDue();
      expect(site.notices).toEqual(['ann', 'bob', 'cat'].map((name) => `${name} notice_prices_late_title`));
      const seen = await seenOf(id);
      await expect(one.prices.approve(bob, id, seen)).rejects.toMatchObject({ reason: 'price_time_passed' });
      await one.prices.approve(bob, id, { ...seen, isAtOnce: true });
      expect((await one.prices.version(2)).createdAtMs).toBe(site.nowMs);
    });

    it.each([
      ['writer', 1, 'barred'],
      ['approver', 2, 'late'],
    ])(
      'a %s who is no admin any more when it is due keeps it from being published',
      async (_, who, state) => {
        const id = await asked({ atMs: site.nowMs + 1000 });
        await one.prices.approve(bob, id, await seenOf(id));
        expect(await one.drafts.list()).toMatchObject([{ state: 'due', verdict: { name: 'bob' } }]);
        const person = who === 1 ? ann : bob;
        site.people.set(who, { ...person.user, role: 1 });
        site.nowMs += 1000;
        await one.prices.publishDue();
        expect(await one.drafts.list()).toMatchObject([{ id, state, verdict: undefined }]);
        expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      },
    );

    it('a schedule from before the setting was switched on waits for its approval', async () => {
      await one.store.endApproval();
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      await one.prices.publish(ann, id, { base: 1, reason: 'soon', atMs: site.nowMs + 1000 });
      await one.options.set(SECOND_PERSON, 'true', 20);
      site.nowMs += 1000;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'late' }]);
    });

    it('an old version comes back, and schedules end, only when that is approved', async () => {
      await one.prices.approve(bob, await asked(), { revision: 1, base: 1, words: '', isAtOnce: false });
      const later = await one.drafts.create(bob, '', [set('b', 3)]);
      await one.prices.publish(bob, later, { base: 2, reason: 'later', atMs: site.nowMs + 9000 });
      await one.prices.approve(cat, later, await seenOf(later));
      const back = { base: 2, reason: 'was better', scheduled: 'cancel' as const };
      const { waiting = 0 } = await one.prices.restore(ann, 1, back);
      expect(await one.drafts.list()).toMatchObject([
        { id: waiting, state: 'asked' },
        { id: later, state: 'due' },
      ]);
      expect(await one.drafts.read(waiting)).toMatchObject({
        restoring: { version: 1, endsSchedules: true },
      });
      await one.prices.approve(bob, waiting, await seenOf(waiting));
      expect(await one.prices.version(3)).toMatchObject({ restoredFrom: 1, approval: { name: 'bob' } });
      expect(await one.drafts.list()).toMatchObject([{ id: later, state: 'open', verdict: undefined }]);
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      // With other entries it would be no old version.
      const { waiting: other = 0 } = await one.prices.restore(ann, 2, { ...back, base: 3 });
      await one.drafts.update(ann, other, { entries: [set('a', 9)] });
      expect(await one.drafts.read(other)).toMatchObject({ restoring: undefined, state: 'open' });
    });

    it('a draft whose writers are not known is approved by nobody', async () => {
      const id = await asked();
      await opened.database.writer
        .updateTable('price_drafts')
        .set({ writers: '[{"id":0,"name":""},{"id":1,"name":"ann"}]' })
        .execute();
      await expect(one.prices.approve(bob, id, await seenOf(id))).rejects.toMatchObject({
        reason: 'price_writers_unknown',
      });
    });
  });
}
