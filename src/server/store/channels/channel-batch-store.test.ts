import { beforeAll, expect, it } from 'vitest';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelFilter, ChannelStore } from '#core/channel/channel-store.ts';
import { tagRows } from '#core/channel/tag-rows.ts';
import { givenChannel } from '../testing/accounts.ts';
import { onEachEngine } from '../testing/on-each-engine.ts';
import { createChannelBatchStore } from './channel-batch-store.ts';
import { createChannelStore } from './channel-store.ts';

onEachEngine('tags of channels', (on) => {
  let channels: ChannelStore;
  let batch: ChannelBatchStore;
  beforeAll(async () => {
    channels = createChannelStore(on.database);
    batch = createChannelBatchStore(on.database);
    const tags = ['blue', 'Red', 'a b', '蓝', '', null];
    for (let at = 0; at < 30; at += 1) {
      const id = await givenChannel(on.database);
      await channels.update(id, {
        tag: tags[at % tags.length] ?? null,
        status: (at % 5) % 3 === 0 ? 1 : 1 + ((at % 5) % 3),
        groups: at % 4 === 0 ? 'vip' : ['default, vip', 'slow', 'vip,default'][at % 3]!,
        responseTimeMs: at % 2 === 0 ? 0 : 1000 + at * 37,
        priority: at % 6 === 0 ? 5 : at % 7,
        weight: at % 6 === 1 ? at : 3,
        type: at % 8 === 0 ? 14 : 1,
      });
      await on.database.writer
        .updateTable('channels')
        .set({ used_quota: 2 ** 40 + at * at })
        .where('id', '=', id)
        .execute();
    }
  });

  it('many channels are changed together by one of several who read them at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const rows = await batch.byTag('blue');
      const names = ['a', 'b', 'c'].map((name) => `${name}${round}`);
      const done = await Promise.all(names.map((name) => batch.updateManyAsRead(rows, { models: name })));
      expect(done.filter(Boolean)).toHaveLength(1);
      const now = new Set((await batch.byTag('blue')).map(({ models }) => models));
      expect([...now]).toEqual([names[done.indexOf(true)]]);
    }
  });

  const both = async (filter: Partial<ChannelFilter>, page: number, pageSize: number) => {
    const whole = { sortById: false, ...filter };
    const listed = await batch.pageOfTags(whole, { page, pageSize });
    const summed = await batch.pageOfTagSums(whole, { page, pageSize });
    const known = tagRows(listed.items).map((row) => ({
      ...row,
      channelIds: [],
      groups: row.groups.toSorted(),
    }));
    return {
      known: { total: listed.total, items: known },
      summed: {
        total: summed.total,
        items: summed.items.map((row) => ({ ...row, groups: row.groups.toSorted() })),
      },
    };
  };

  it.each<[string, Partial<ChannelFilter>, number]>([
    ['of all', {}, 4],
    ['of those with an enabled channel', { status: 'enabled' }, 4],
    ['of a type', { type: 14 }, 2],
    ['of a tag', { tag: 'blue' }, 1],
    ['of none', { group: 'nobody' }, 0],
  ])('add up in the database as they do from their channels: %s', async (_name, filter, total) => {
    const { known, summed } = await both(filter, 1, 10);
    expect(summed).toEqual(known);
    expect(summed.total).toBe(total);
    expect(summed.items).toHaveLength(total);
  });

  it('are paged by tag', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => both({}, page, 3)));
    for (const { known, summed } of pages) expect(summed).toEqual(known);
    expect(pages.map(({ summed }) => [summed.items.length, summed.total])).toEqual([
      [3, 4],
      [1, 4],
      [0, 4],
    ]);
  });

  it('are told apart to the letter when their channels are listed', async () => {
    const of = async (tag: string) =>
      (await channels.page({ sortById: true, tag }, { page: 1, pageSize: 2 })).total;
    expect([await of('Red'), await of('red'), await of('蓝'), await of('a')]).toEqual([5, 0, 5, 0]);
  });
});
