import { channelStatus } from '#contract/codes.ts';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { ChannelFilter } from '#core/channel/channel-store.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { channelRow, changedColumns, deleteChannels, matchesChannel } from './channel-store.ts';
import type { Database } from '../database/database.ts';
import { offsetOf } from '../database/search.ts';

const pageOfTags = async (
  database: Database,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<ChannelRow>> => {
  const tagged = database.reader
    .selectFrom('channels')
    .where(matchesChannel(filter))
    .where('tag', 'is not', null)
    .where('tag', '!=', '');
  const { total } = await tagged
    .select((is) => is.fn.count<number>('tag').distinct().as('total'))
    .executeTakeFirstOrThrow();
  const tags = (
    await tagged
      .select('tag')
      .groupBy('tag')
      .orderBy('tag')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute()
  ).map(({ tag }) => tag ?? '');
  if (tags.length === 0) return { items: [], total };
  const children = database.reader.selectFrom('channels').selectAll().where('tag', 'in', tags).orderBy('tag');
  const ordered = filter.sortById ? children : children.orderBy('priority', 'desc');
  return { items: (await ordered.orderBy('id', 'desc').execute()).map(channelRow), total };
};

/** Changes to many channels at once, and lists by tag. */
export const createChannelBatchStore = (database: Database): ChannelBatchStore => ({
  pageOfTags: (filter, page) => pageOfTags(database, filter, page),
  byTag: async (tag) =>
    (
      await database.writer.selectFrom('channels').selectAll().where('tag', '=', tag).orderBy('id').execute()
    ).map(channelRow),
  updateMany: async (ids, changes) => {
    const columns = changedColumns(changes);
    if (ids.length === 0 || Object.keys(columns).length === 0) return 0;
    const { numUpdatedRows } = await database.writer
      .updateTable('channels')
      .set(columns)
      .where('id', 'in', [...ids])
      .executeTakeFirst();
    return Number(numUpdatedRows);
  },
  deleteMany: (ids) => deleteChannels(database, (is) => is('id', 'in', [...ids])),
  deleteDisabled: () =>
    deleteChannels(database, (is) =>
      is('status', 'in', [channelStatus.disabled, channelStatus.autoDisabled]),
    ),
  autoEnable: async (id) => {
    const { numUpdatedRows } = await database.writer
      .updateTable('channels')
      .set({ status: channelStatus.enabled, other_info: '' })
      .where('id', '=', id)
      .where('status', '=', channelStatus.autoDisabled)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
});
