import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PriceEntry } from '#core/price-book/price-tables.ts';
import type { User } from '#core/user/user.ts';
import { createPriceDrafts } from '../../control/wallet/book/price-drafts.ts';
import { systemClock } from '../../system.ts';
import type { Database } from '../database/database.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { ann, bob, openPriceNode, PriceSite, set } from '../testing/price-node.ts';

/** Changes of prices: drafts, versions, what happens when two want one, and when a time comes. */

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`the price book on ${engine.name}`, () => {
    let opened: TestDatabase;
    let second: Database | undefined;
    let site: PriceSite;
    let one: ReturnType<typeof openPriceNode>;

    beforeEach(async () => {
      second = undefined;
      opened = await engine.create();
      site = new PriceSite();
      one = openPriceNode(opened.database, site);
      await one.options.setAll(new Map([['ModelPrice', '{"a":1,"b":2}']]), 10, { id: 1, name: 'ann' });
    });
    afterEach(async () => {
      await second?.close();
      await opened.remove();
    });

    it('keeps who saved a form of the settings, and what it changed', async () => {
      await one.options.setAll(
        new Map([
          ['ModelPrice', '{"b":3,"c":4}'],
          ['SystemName', 'x'],
        ]),
        20,
        { id: 2, name: 'bob' },
      );
      await one.options.set('SystemName', 'y', 30);
      const { items, total } = await one.prices.versions({ page: 1, pageSize: 10 });
      expect(total).toBe(2);
      expect(items).toEqual([
        {
          version: 2,
          createdAtMs: 20,
          author: 'bob',
          writers: [{ id: 2, name: 'bob' }],
          approval: undefined,
          settings: [],
          reason: 'settings',
          changes: 3,
          restoredFrom: undefined,
        },
        {
          version: 1,
          createdAtMs: 10,
          author: 'ann',
          writers: [{ id: 1, name: 'ann' }],
          approval: undefined,
          settings: [],
          reason: 'settings',
          changes: 2,
          restoredFrom: undefined,
        },
      ]);
      expect((await one.prices.version(2)).diff).toEqual([
        { option: 'ModelPrice', key: 'a', before: 1, after: null },
        { option: 'ModelPrice', key: 'b', before: 2, after: 3 },
        { option: 'ModelPrice', key: 'c', before: null, after: 4 },
      ]);
      await expect(one.prices.version(3)).rejects.toThrow('no such version');
    });

    it('a draft that was looked at while a price changed is not published over that change', async () => {
      const id = await one.drafts.create(bob, '', [set('a', 5)]);
      // It changes once the prices that are shown have been read.
      const texts = async () => {
        const read = await one.store.texts();
        await one.options.set('ModelPrice', '{"a":7,"b":2}', 20);
        return read;
      };
      const drafts = createPriceDrafts({ priceBook: { ...one.store, texts }, clock: systemClock });
      const { diff, current } = await drafts.read(id);
      expect(diff).toEqual([{ option: 'ModelPrice', key: 'a', before: 1, after: 5 }]);
      expect(await one.prices.publish(bob, id, { reason: '', atMs: undefined, base: current })).toMatchObject(
        {
          published: false,
          changedSince: [{ key: 'a', before: 1, after: 7 }],
        },
      );
    });

    it('a draft changes nothing until it is published, then only what it names', async () => {
      const entries = [
        set('a', 5),
        set('b', null),
        { option: 'GroupRatio', key: 'vip', value: 0.5 } as const,
      ];
      const id = await one.drafts.create(bob, '', entries);
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      await one.options.set('CompletionRatio', '{"z":3}', 20);
      const draft = await one.drafts.read(id);
      expect(draft).toMatchObject({ base: 1, current: 2, author: 'bob', state: 'open', entryCount: 3 });
      expect(draft.diff).toEqual([
        { option: 'ModelPrice', key: 'a', before: 1, after: 5 },
        { option: 'ModelPrice', key: 'b', before: 2, after: null },
        { option: 'GroupRatio', key: 'vip', before: 1, after: 0.5 },
      ]);
      expect(draft.changedSince).toEqual([{ option: 'CompletionRatio', key: 'z', before: null, after: 3 }]);
      const now = { reason: 'vip week', atMs: undefined };
      // What was changed since was not looked at.
      expect(await one.prices.publish(bob, id, { ...now, base: 1 })).toEqual({
        published: false,
        version: 2,
        changedSince: draft.changedSince,
      });
      expect(await one.prices.publish(bob, id, { ...now, base: 2 })).toMatchObject({
        published: true,
        version: 3,
      });
      expect(await one.modelPrices()).toEqual({ a: 5 });
      const stored = await one.options.all();
      expect(JSON.parse(stored.get('GroupRatio') ?? '')).toEqual({ default: 1, vip: 0.5, svip: 1 });
      expect(await one.prices.version(3)).toMatchObject({ author: 'bob', reason: 'vip week', changes: 3 });
      expect(await one.drafts.list()).toEqual([]);
      expect([site.refreshes, site.rows.length]).toEqual([1, 1]);
    });

    it('of two who publish at once one does, and the other is told what was changed', async () => {
      second = engine.name === 'postgres' ? await opened.openAgain() : undefined;
      const two = openPriceNode(second ?? opened.database, site);
      const ids = [
        await one.drafts.create(ann, '', [set('a', 10)]),
        await one.drafts.create(bob, '', [set('a', 20)]),
      ] as const;
      const want = { base: 1, reason: 'mine', atMs: undefined };
      const outcomes = await Promise.all([
        one.prices.publish(ann, ids[0], want),
        two.prices.publish(bob, ids[1], want),
      ]);
      expect(outcomes.filter(({ published }) => published)).toHaveLength(1);
      const after = outcomes[0].published ? 10 : 20;
      expect(outcomes.find(({ published }) => !published)).toEqual({
        published: false,
        version: 2,
        changedSince: [{ option: 'ModelPrice', key: 'a', before: 1, after }],
      });
      expect(await one.modelPrices()).toEqual({ a: after, b: 2 });
      expect(await one.store.version()).toBe(2);
      expect(await one.drafts.list()).toHaveLength(1);
    });

    it('what is due is published at its time, once, whichever nodes look and whatever was restarted', async () => {
      const id = await one.drafts.create(ann, '', [set('a', 7)]);
      const at = { base: 1, reason: 'new year', atMs: site.nowMs + 5000 };
      await expect(one.prices.publish(ann, id, { ...at, atMs: site.nowMs })).rejects.toThrow(
        'later than now',
      );
      expect(await one.prices.publish(ann, id, at)).toMatchObject({ published: true, version: 1 });
      expect(await one.drafts.list()).toMatchObject([{ state: 'due', dueAtMs: site.nowMs + 5000 }]);
      await expect(one.drafts.update(ann, id, { reason: 'other' })).rejects.toThrow('cancel its schedule');
      // Calls are told when their prices end.
      expect(site.refreshes).toBe(1);
      expect(await one.options.pricesUntilMs()).toBe(site.nowMs + 5000);
      site.nowMs += 4999;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      // Something else may change meanwhile.
      await one.options.set('ModelPrice', '{"a":1,"b":9}', site.nowMs);
      site.nowMs += 1;
      second = engine.name === 'postgres' ? await opened.openAgain() : undefined;
      const nodes = [
        one,
        openPriceNode(second ?? opened.database, site),
        openPriceNode(opened.database, site),
      ];
      await Promise.all(nodes.map(({ prices }) => prices.publishDue()));
      await Promise.all(nodes.map(({ prices }) => prices.publishDue()));
      expect(await one.modelPrices()).toEqual({ a: 7, b: 9 });
      expect(await one.store.version()).toBe(3);
      expect(await one.prices.version(3)).toMatchObject({ author: 'ann', reason: 'new year', changes: 1 });
      expect(site.refreshes).toBe(2);
      expect(site.rows).toMatchObject(
        ['log_prices_scheduled', '"log_prices"'].map((key) => expect.stringContaining(key)),
      );
      expect(await one.options.pricesUntilMs()).toBeUndefined();
    });

    it('a due draft whose prices were changed meanwhile is not published, and says so', async () => {
      const id = await one.drafts.create(ann, '', [set('a', 7), set('c', 1)]);
      const later = await one.drafts.create(ann, '', [set('d', 1)]);
      for (const each of [id, later])
        await one.prices.publish(ann, each, { base: 1, reason: 'soon', atMs: site.nowMs + 1000 });
      await one.options.set('ModelPrice', '{"a":2,"b":2}', site.nowMs);
      site.nowMs += 1000;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 2, b: 2, d: 1 });
      expect(await one.drafts.list()).toMatchObject([{ id, state: 'conflict', dueAtMs: undefined }]);
      expect(site.rows.filter((row) => row.includes('log_prices_conflict'))).toHaveLength(1);
      // Whoever looks at it again may publish it all the same.
      const outcome = await one.prices.publish(ann, id, { base: 3, reason: 'yes', atMs: undefined });
      expect(outcome).toMatchObject({ published: true, version: 4 });
      expect(await one.modelPrices()).toEqual({ a: 7, b: 2, c: 1, d: 1 });
    });

    it('restoring a version makes a new one with the old prices, also of options that were unset then', async () => {
      await one.options.setAll(
        new Map([
          ['ModelPrice', '{"x":1}'],
          ['GroupRatio', '{"vip":3}'],
        ]),
        20,
      );
      const back = await one.prices.restore(bob, 1, { base: 2, reason: 'a mistake', scheduled: undefined });
      expect(back).toMatchObject({ published: true, version: 3 });
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
      expect(JSON.parse((await one.options.all()).get('GroupRatio') ?? '')).toEqual({
        default: 1,
        vip: 1,
        svip: 1,
      });
      expect(await one.prices.version(3)).toMatchObject({ author: 'bob', restoredFrom: 1, changes: 6 });
      await expect(
        one.prices.restore(bob, 1, { base: 3, reason: 'again', scheduled: undefined }),
      ).rejects.toThrow('changes no price');
      const stale = await one.prices.restore(bob, 2, { base: 2, reason: 'old', scheduled: undefined });
      expect(stale).toMatchObject({ published: false, version: 3 });
    });

    it('restoring a version while a draft is scheduled asks what becomes of the draft', async () => {
      await one.options.set('ModelPrice', '{"a":2,"b":2}', 20);
      const touched = await one.drafts.create(ann, '', [set('a', 7)]);
      const apart = await one.drafts.create(ann, '', [set('z', 7)]);
      const due = { base: 2, reason: 'due', atMs: site.nowMs + 1000 };
      for (const id of [touched, apart]) await one.prices.publish(ann, id, due);
      const back = { base: 2, reason: 'back', scheduled: undefined };
      await expect(one.prices.restore(bob, 1, back)).rejects.toThrow('2 drafts due later');
      expect(await one.prices.restore(bob, 1, { ...back, scheduled: 'keep' })).toMatchObject({
        published: true,
      });
      site.nowMs += 1000;
      await one.prices.publishDue();
      // One changes what was brought back, and waits to be looked at; the other goes on.
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2, z: 7 });
      expect(await one.drafts.list()).toMatchObject([{ id: touched, state: 'conflict' }]);
      await one.prices.publish(ann, touched, { base: 4, reason: 'due', atMs: site.nowMs + 1000 });
      await one.prices.restore(bob, 2, { base: 4, reason: 'back', scheduled: 'cancel' });
      site.nowMs += 1000;
      await one.prices.publishDue();
      expect(await one.modelPrices()).toEqual({ a: 2, b: 2 });
      expect(await one.drafts.list()).toMatchObject([{ id: touched, state: 'open' }]);
    });

    it('refuses what no form of the settings would save, names of JavaScript among models, and changes that are none', async () => {
      const bad: PriceEntry[][] = [
        [set('a', -1)],
        [set('a', { input: 1 })],
        [set('a', Number.POSITIVE_INFINITY)],
        [set('__proto__', 3)],
        [{ option: 'PriceDimensions', key: 'a', value: { contxt: {} } }],
        [{ option: 'GroupGroupRatio', key: 'vip', value: 2 }],
      ];
      for (const entries of bad)
        await expect(one.drafts.create(ann, '', entries)).rejects.toMatchObject({ code: 'invalid_request' });
      const id = await one.drafts.create(ann, '', [set('toString', 3), set('constructor', 4)]);
      await one.prices.publish(ann, id, { base: 1, reason: 'odd names', atMs: undefined });
      expect(await one.prices.version(2)).toMatchObject({ changes: 2 });
      expect(await one.modelPrices()).toMatchObject({ toString: 3, constructor: 4 });
      const same = await one.drafts.create(ann, '', [set('a', 1)]);
      await expect(
        one.prices.publish(ann, same, { base: 2, reason: 'nothing', atMs: undefined }),
      ).rejects.toThrow('changes no price');
    });

    it('an admin must confirm their identity to publish, but not to draft', async () => {
      const admin = {
        user: { id: 3, username: 'eve', role: 10 } as User,
        via: 'session' as const,
        freshUntilMs: 0,
      };
      const id = await one.drafts.create(admin, '', [set('a', 7)]);
      const want = { base: 1, reason: 'mine', atMs: undefined };
      await expect(one.prices.publish(admin, id, want)).rejects.toMatchObject({
        reason: 'fresh_password_needed',
      });
      await expect(one.prices.restore(admin, 1, { ...want, scheduled: undefined })).rejects.toMatchObject({
        code: 'forbidden',
      });
      expect(await one.modelPrices()).toEqual({ a: 1, b: 2 });
    });
  });
}
