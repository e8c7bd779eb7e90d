import type { ExpressionBuilder, Kysely } from 'kysely';
import { channelStatus } from '#contract/codes.ts';
import { commaList } from '#contract/text.ts';
import type { ChannelBatchStore } from '#core/channel/channel-batch-store.ts';
import type { ChannelChanges, ChannelRow } from '#core/channel/channel.ts';
import type { ChannelFilter } from '#core/channel/channel-store.ts';
import type { TagRow } from '#core/channel/tag-rows.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { changedColumns, recordColumns } from './channel-columns.ts';
import { channelRow, deleteChannels, matchesChannel } from './channel-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { offsetOf } from '../database/search.ts';

/** The tags of one page, by name, and the total number of tags. */
const tagsOfPage = async (
  { reader }: Database,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<string>> => {
  const tagged = reader
    .selectFrom('channels')
    .where(matchesChannel(filter))
    .where('tag', 'is not', null)
    .where('tag', '!=', '');
  const { total } = await tagged
    .select((is) => is.fn.count<number>('tag').distinct().as('total'))
    .executeTakeFirstOrThrow();
  const tags = tagged.select('tag').groupBy('tag').orderBy('tag');
  const rows = await tags.limit(page.pageSize).offset(offsetOf(page)).execute();
  return { items: rows.map(({ tag }) => tag ?? ''), total };
};

const pageOfTags = async (
  database: Database,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<ChannelRow>> => {
  const { items: tags, total } = await tagsOfPage(database, filter, page);
  if (tags.length === 0) return { items: [], total };
  const children = database.reader
    .selectFrom('channels')
    .select(recordColumns)
    .where('tag', 'in', tags)
    .orderBy('tag');
  const ordered = filter.sortById ? children : children.orderBy('priority', 'desc');
  return { items: (await ordered.orderBy('id', 'desc').execute()).map(channelRow), total };
};

const pageOfTagSums = async (
  database: Database,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<TagRow>> => {
  const { items: tags, total } = await tagsOfPage(database, filter, page);
  if (tags.length === 0) return { items: [], total };
  const channels = database.reader.selectFrom('channels').where('tag', 'in', tags);
  const [sums, lists] = await Promise.all([
    channels.select('tag').select(sumsOfTag).groupBy('tag').orderBy('tag').execute(),
    // Most channels of a tag have the same groups, so this reads few distinct texts instead of many rows.
    channels.select(['tag', 'groups']).groupBy(['tag', 'groups']).orderBy('groups').execute(),
  ]);
  const groupsOf = Map.groupBy(lists, ({ tag }) => tag);
  const items = sums.map(({ tag, tested, testedMs, ...sum }) => ({
    id: sum.id,
    tag: tag ?? '',
    count: sum.count,
    channelIds: [],
    enabled: sum.enabled,
    groups: [...new Set((groupsOf.get(tag) ?? []).flatMap(({ groups }) => commaList(groups)))],
    usedQuotaUnits: sum.quota,
    responseTimeMs: tested === 0 ? 0 : Math.round(Number(testedMs) / tested),
    priority: sum.lowest === sum.highest ? sum.lowest : null,
    weight: sum.lightest === sum.heaviest ? sum.lightest : null,
  }));
  return { items, total };
};

/** What `tagRows` computes, computed by the database. */
const sumsOfTag = ({ fn }: ExpressionBuilder<Schema, 'channels'>) => [
  fn.min<number>('id').as('id'),
  fn.countAll<number>().as('count'),
  fn.countAll<number>().filterWhere('status', '=', channelStatus.enabled).as('enabled'),
  fn.sum<number>('used_quota').as('quota'),
  fn.countAll<number>().filterWhere('response_time_ms', '>', 0).as('tested'),
  fn.sum<number | null>('response_time_ms').filterWhere('response_time_ms', '>', 0).as('testedMs'),
  fn.min<number>('priority').as('lowest'),
  fn.max<number>('priority').as('highest'),
  fn.min<number>('weight').as('lightest'),
  fn.max<number>('weight').as('heaviest'),
];

const updateMany = async (
  writer: Kysely<Schema>,
  ids: readonly number[],
  changes: ChannelChanges,
): Promise<number> => {
  const columns = changedColumns(changes);
  if (ids.length === 0 || Object.keys(columns).length === 0) return 0;
  const { numUpdatedRows } = await writer
    .updateTable('channels')
    .set(columns)
    .where('id', 'in', [...ids])
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

const updateManyAsRead = (
  { writer, engine }: Database,
  rows: readonly ChannelRow[],
  changes: ChannelChanges,
): Promise<boolean> =>
  writer.transaction().execute(async (transaction) => {
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return true;
    const asked = transaction
      .selectFrom('channels')
      .select(['id', 'revision'])
      .where('id', 'in', ids)
      .orderBy('id');
    const found = await (engine === 'postgres' ? asked.forUpdate() : asked).execute();
    const revisions = new Map(found.map(({ id, revision }) => [id, revision]));
    if (rows.some(({ id, revision }) => revisions.get(id) !== revision)) return false;
    await updateMany(transaction, ids, changes);
    return true;
  });

/** Changes to many channels at once, and lists by tag. */
export const createChannelBatchStore = (database: Database): ChannelBatchStore => ({
  pageOfTags: (filter, page) => pageOfTags(database, filter, page),
  pageOfTagSums: (filter, page) => pageOfTagSums(database, filter, page),
  byTag: async (tag) =>
    (
      await database.writer
        .selectFrom('channels')
        .select(recordColumns)
        .where('tag', '=', tag)
        .orderBy('id')
        .execute()
    ).map(channelRow),
  updateMany: (ids, changes) => updateMany(database.writer, ids, changes),
  updateManyAsRead: (rows, changes) => updateManyAsRead(database, rows, changes),
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
