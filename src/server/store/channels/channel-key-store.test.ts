import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { logType } from '#contract/codes.ts';
import type { ChannelKeyStore, NewChannelKey } from '#core/channel/keys/channel-key-store.ts';
import { createChannelBatchStore } from './channel-batch-store.ts';
import { createChannelKeyStore } from './channel-key-store.ts';
import { createChannelStore } from './channel-store.ts';
import { createLedger } from '../ledger/ledger.ts';
import { givenCall, givenChannel, givenUser } from '../testing/accounts.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const key = (name: string): NewChannelKey => ({
  label: name,
  tail: name.slice(-4),
  encryptedKey: `sealed ${name}`,
  keyMac: `mac ${name}`,
  weight: 1,
});
const terms = { limit: 1000, nowMs: 5000 };

for (const engine of engines) {
  describe.skipIf(engine.missing !== undefined)(`keys of channels on ${engine.name}`, () => {
    let opened: TestDatabase;
    let keys: ChannelKeyStore;
    let id: number;
    beforeAll(async () => {
      opened = await engine.create();
      keys = createChannelKeyStore(opened.database);
    });
    beforeEach(async () => {
      id = await givenChannel(opened.database);
    });
    afterAll(() => opened.remove());
    const channel = () => createChannelStore(opened.database).byId(id);

    it('move from the channel to the pool when the first is added, and each change raises the version', async () => {
      expect(await channel()).toMatchObject({
        encryptedKey: `sealed for ${id}`,
        keysVersion: 0,
        poolMode: 'in_turn',
      });
      expect(await keys.add(id, [key('a'), key('b'), key('a')], terms)).toBe(2);
      expect(await channel()).toMatchObject({ encryptedKey: '', keysVersion: 1 });
      const [first] = await keys.ofChannels([id]);
      expect(await keys.change(id, first?.id ?? 0, { weight: 7 })).toBe('changed');
      expect([
        (await channel())?.keysVersion,
        (await keys.ofChannels([id])).map(({ revision }) => revision),
      ]).toEqual([2, [2, 1]]);
    });

    it('each add up what was charged by them, to the unit, also with many calls at once; the channel adds up all', async () => {
      await keys.add(id, [key('a'), key('b'), key('unused')], terms);
      const [a, b, unused] = (await keys.ofChannels([id])).map((row) => row.id);
      const ledger = createLedger(opened.database);
      const userId = await givenUser(opened.database, ledger, 1_000_000);
      const call = (at: number, quotaUnits: number, keyId?: number, type: number = logType.consume) =>
        givenCall(ledger, quotaUnits, {
          requestId: `${id} ${at}`,
          userId,
          createdAtMs: 2000 + at,
          channelId: id,
          keyId,
          type,
        });
      await Promise.all([
        ...Array.from({ length: 60 }, (_, at) => call(at, at, at % 2 === 0 ? a : b)),
        // By the channel alone; by a key that is gone; an answer that failed.
        call(60, 1000),
        call(61, 2000, 999_999_999),
        call(62, 0, a, logType.error),
      ]);
      await ledger.close();
      const used = (await keys.ofChannels([id])).map((row) => [row.id, row.usedQuotaUnits]);
      expect(used).toEqual([
        [a, 870],
        [b, 900],
        [unused, 0],
      ]);
      expect((await channel())?.usedQuotaUnits).toBe(870 + 900 + 3000);
    });

    it('are unique and within their limit, however many are added at once', async () => {
      const lists = Array.from({ length: 10 }, (_, n) => [key('same'), key(`own ${n}`)]);
      const added = await Promise.all(lists.map((list) => keys.add(id, list, { ...terms, limit: 6 })));
      expect(added.filter((count) => count === 'full').length).toBe(5);
      expect((await keys.ofChannels([id])).length).toBe(6);
    });

    it('change only if they are still as their editor saw them: of many who try, one succeeds', async () => {
      await keys.add(id, [key('a'), key('b')], terms);
      const [first] = await keys.ofChannels([id]);
      const again = await opened.openAgain();
      const nodes = [keys, createChannelKeyStore(again)] as const;
      const claims = Array.from({ length: 20 }, (_, n) =>
        nodes[n % 2 === 0 ? 0 : 1].change(
          id,
          first?.id ?? 0,
          { untilMs: 9000 + n },
          { status: 'enabled', untilMs: 0 },
        ),
      );
      const outcomes = await Promise.all(claims);
      await again.close();
      expect(outcomes.filter((outcome) => outcome === 'changed').length).toBe(1);
    });

    it('cannot be replaced by another of the channel', async () => {
      await keys.add(id, [key('a'), key('b')], terms);
      const [first] = await keys.ofChannels([id]);
      expect(await keys.change(id, first?.id ?? 0, { keyMac: 'mac b' })).toBe('taken');
      expect(await keys.change(id, first?.id ?? 0, { keyMac: 'mac a' })).toBe('changed');
      expect(await keys.change(id, 99_999, { weight: 1 })).toBe('missing');
    });

    it('never lose the last one, even if all are deleted at once one by one', async () => {
      await keys.add(id, [key('a'), key('b'), key('c')], terms);
      const rows = await keys.ofChannels([id]);
      expect(await keys.delete(id, { ids: rows.map((row) => row.id) })).toBe('last');
      expect((await keys.ofChannels([id])).length).toBe(3);
      const outcomes = await Promise.all(rows.map((row) => keys.delete(id, { ids: [row.id] })));
      expect(outcomes.filter((outcome) => outcome === 'last').length).toBe(1);
      expect((await keys.ofChannels([id])).length).toBe(1);
    });

    it('are switched and deleted by their state, within the channel only', async () => {
      const other = await givenChannel(opened.database);
      await keys.add(id, [key('a'), key('b'), key('c'), key('ab')], terms);
      await keys.add(other, [key('a'), key('b')], terms);
      const [a, b, c, ab] = (await keys.ofChannels([id])).map((row) => row.id);
      const spent = { status: 'spent', untilMs: 7000, reason: 'no money', rounds: 3 } as const;
      for (const one of [a, b]) await keys.change(id, one ?? 0, spent);
      for (const row of await keys.ofChannels([other])) await keys.change(other, row.id, spent);
      const before = (await channel())?.keysVersion ?? 0;
      const on = { status: 'enabled', reason: '', untilMs: 0, rounds: 0, changedAtMs: 9000 } as const;
      expect(await keys.switchAll(id, { status: 'spent' }, on)).toEqual([a, b]);
      expect(await keys.switchAll(id, { status: 'spent' }, on)).toEqual([]);
      expect(await keys.switchAll(id, {}, on)).toEqual([]);
      const rows = await keys.ofChannels([id]);
      expect(rows.map((row) => [row.status, row.untilMs, row.reason, row.rounds, row.changedAtMs])).toEqual([
        ['enabled', 0, '', 0, 9000],
        ['enabled', 0, '', 0, 9000],
        ['enabled', 0, '', 0, 5000],
        ['enabled', 0, '', 0, 5000],
      ]);
      // A relay reads again only keys of another revision.
      expect(rows.map(({ revision }) => revision > before)).toEqual([true, true, false, false]);
      expect((await keys.ofChannels([other])).map(({ status }) => status)).toEqual(['spent', 'spent']);
      expect(await keys.switchAll(id, { keyword: 'A' }, { ...on, status: 'off' })).toEqual([a, ab]);
      expect(await keys.idsOf(id, { status: 'off' })).toEqual([a, ab]);
      expect(await keys.delete(id, { status: 'off' })).toEqual([a, ab]);
      expect(await keys.delete(id, { status: 'off' })).toEqual([]);
      expect((await keys.ofChannels([id])).map((row) => row.id)).toEqual([b, c]);
      expect((await keys.ofChannels([other])).length).toBe(2);
    });

    it('are found by state, name and whole key, and in other channels', async () => {
      const other = await givenChannel(opened.database);
      await keys.add(id, [key('alpha one'), key('beta two')], terms);
      await keys.add(other, [key('alpha one'), key('gamma')], terms);
      const [first] = await keys.ofChannels([id]);
      await keys.change(id, first?.id ?? 0, { status: 'spent', untilMs: 7000, reason: 'no money' });
      const found = async (filter: Parameters<ChannelKeyStore['page']>[1]) =>
        (await keys.page(id, filter, { page: 1, pageSize: 10 })).items.map(({ label }) => label);
      expect(await found({})).toEqual(['beta two', 'alpha one']);
      expect(await found({ status: 'spent' })).toEqual(['alpha one']);
      expect(await found({ keyword: 'BETA' })).toEqual(['beta two']);
      expect(await found({ keyword: 'sk-x', keyMac: 'mac alpha one' })).toEqual(['alpha one']);
      expect(await keys.counts(id)).toEqual(
        new Map([
          ['enabled', 1],
          ['spent', 1],
        ]),
      );
      expect(await keys.elsewhere(id, ['mac alpha one'])).toEqual([
        { channelId: other, keyMac: 'mac alpha one' },
      ]);
      expect([...(await keys.has(id, ['mac alpha one', 'mac gamma']))]).toEqual(['mac alpha one']);
      const channels = createChannelStore(opened.database);
      const whole = { sortById: true, keyword: 'sk-x', keyMac: 'mac gamma' };
      expect((await channels.page(whole, { page: 1, pageSize: 5 })).items.map((row) => row.id)).toEqual([
        other,
      ]);
    });

    it('have twins in channels that send the same key to the same place', async () => {
      const [same, elsewhere] = [await givenChannel(opened.database), await givenChannel(opened.database)];
      await createChannelStore(opened.database).update(elsewhere, { baseUrl: 'https://elsewhere.example' });
      for (const channel of [id, same, elsewhere])
        await keys.add(channel, [key('twin'), key(`of ${channel}`)], terms);
      const twins = await keys.twins({ channelId: id, keyMac: 'mac twin' });
      expect(twins.map(({ channelId, keyMac }) => [channelId, keyMac])).toEqual([[same, 'mac twin']]);
      const [lone, loneElsewhere] = [
        await givenChannel(opened.database),
        await givenChannel(opened.database),
      ];
      await createChannelStore(opened.database).update(lone, { keyMac: 'mac twin' });
      const moved = { keyMac: 'mac twin', baseUrl: 'https://elsewhere.example' };
      await createChannelStore(opened.database).update(loneElsewhere, moved);
      expect(await keys.loneTwins({ channelId: id, keyMac: 'mac twin' })).toEqual([lone]);
      expect(await keys.loneKey(lone)).toEqual({ channelId: lone, keyMac: 'mac twin' });
      expect(await keys.loneKey(id)).toBeUndefined();
    });

    it('go with their channel', async () => {
      await keys.add(id, [key('a'), key('b')], terms);
      await createChannelBatchStore(opened.database).deleteMany([id]);
      expect(await keys.ofChannels([id])).toEqual([]);
      expect(await keys.add(id, [key('a')], terms)).toBe('missing');
    });
  });
}
