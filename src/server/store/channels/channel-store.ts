import { channelStatus } from '#contract/codes.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type {
  ChannelCounts,
  ChannelFilter,
  ChannelSearch,
  ChannelSort,
  ChannelStore,
  NewChannel,
} from '#core/channel/channel-store.ts';
import { poolModes } from '#core/channel/keys/pool.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage, type Order } from '../database/one-page.ts';
import type { ChannelRecord, NewChannelRecord, Schema } from '../database/schema.ts';
import { contains, likePattern, lowHasText } from '../database/search.ts';
import { addKeys } from './add-channel-keys.ts';
import { changedColumns, recordColumns } from './channel-columns.ts';

/** Converts a record to the form the rest of the server uses. */
export const channelRow = (record: ChannelRecord): ChannelRow => ({
  id: record.id,
  type: record.type,
  name: record.name,
  status: record.status,
  encryptedKey: record.key_encrypted,
  organization: record.organization,
  baseUrl: record.base_url,
  other: record.other,
  models: record.models,
  groups: record.groups,
  modelMapping: record.model_mapping,
  statusCodeMapping: record.status_code_mapping,
  setting: record.setting,
  paramOverride: record.param_override,
  testModel: record.test_model,
  maxInputTokens: record.max_input_tokens,
  priority: record.priority,
  weight: record.weight,
  autoDisable: record.auto_disable === 1,
  tag: record.tag,
  remark: record.remark,
  usedQuotaUnits: record.used_quota,
  balanceUsd: record.balance_usd,
  balanceUpdatedAtMs: record.balance_updated_at,
  responseTimeMs: record.response_time_ms,
  testedAtMs: record.tested_at,
  createdAtMs: record.created_at,
  otherInfo: record.other_info,
  poolMode: poolModes.find((mode) => mode === record.pool_mode) ?? 'in_turn',
  keysVersion: record.keys_version,
  revision: record.revision,
});

const recordOf = (channel: NewChannel): NewChannelRecord => ({
  type: channel.type,
  name: channel.name,
  status: channel.status,
  key_encrypted: '',
  key_mac: channel.keyMac,
  organization: channel.organization,
  base_url: channel.baseUrl,
  other: channel.other,
  models: channel.models,
  groups: channel.groups,
  model_mapping: channel.modelMapping,
  status_code_mapping: channel.statusCodeMapping,
  setting: channel.setting,
  param_override: channel.paramOverride,
  test_model: channel.testModel,
  max_input_tokens: channel.maxInputTokens,
  priority: channel.priority,
  weight: channel.weight,
  auto_disable: channel.autoDisable ? 1 : 0,
  tag: channel.tag,
  remark: channel.remark,
  created_at: channel.createdAtMs,
});

type Channels = ExpressionBuilder<Schema, 'channels'>;

/** Whether a comma-separated list contains an item, ignoring spaces around it. */
const hasItem = (is: Channels, column: 'groups', item: string): Expression<SqlBool> => {
  const list = sql`',' || replace(replace(lower(${is.ref(column)}), ', ', ','), ' ,', ',') || ','`;
  return sql<SqlBool>`${list} LIKE ${`%,${likePattern(item.toLowerCase(), 'start').slice(0, -1)},%`} ESCAPE '\\'`;
};

/** Channels that have the key in their pool. */
const channelsWith = (keyMac: string) =>
  sql<number>`(SELECT channel_id FROM channel_keys WHERE key_mac = ${keyMac})`;

const byKeyword = (is: Channels, keyword: string, keyMac: string | undefined): Expression<SqlBool> =>
  is.or([
    contains<'channels'>(is, 'name', keyword),
    contains<'channels'>(is, 'base_url', keyword),
    contains<'channels'>(is, 'remark', keyword),
    ...(/^\d{1,15}$/.test(keyword) ? [is('id', '=', Number(keyword))] : []),
    ...(keyMac === undefined ? [] : [is('key_mac', '=', keyMac), is('id', 'in', channelsWith(keyMac))]),
  ]);

const statusIs = (is: Channels, status: NonNullable<ChannelFilter['status']>): Expression<SqlBool> => {
  if (status === 'auto') return is('status', '=', channelStatus.autoDisabled);
  if (status === 'manual') return is('status', '=', channelStatus.disabled);
  return is('status', status === 'enabled' ? '=' : '!=', channelStatus.enabled);
};

/** The sort options of a list. */
const sortColumns = {
  name: 'name',
  priority: 'priority',
  weight: 'weight',
  response: 'response_time_ms',
  quota: 'used_quota',
  balance: 'balance_usd',
  created: 'created_at',
} as const satisfies Record<ChannelSort['key'], keyof Schema['channels']>;

/** Whether a channel matches a filter. */
export const matchesChannel =
  ({ keyword, keyMac, group, model, status, type, isUntagged, tag }: Partial<ChannelFilter>) =>
  (is: Channels): Expression<SqlBool> =>
    is.and([
      ...(keyword === undefined || keyword === '' ? [] : [byKeyword(is, keyword, keyMac)]),
      ...(group === undefined || group === '' ? [] : [hasItem(is, 'groups', group)]),
      ...(model === undefined || model === '' ? [] : [lowHasText(is.ref('models_lower'), model)]),
      ...(status === undefined ? [] : [statusIs(is, status)]),
      ...(type === undefined ? [] : [is('type', '=', type)]),
      ...(tag === undefined ? [] : [is('tag', '=', tag)]),
      ...(isUntagged === true ? [is.or([is('tag', 'is', null), is('tag', '=', '')])] : []),
    ]);

const pageOf = (
  { reader }: Database,
  filter: ChannelFilter,
  page: PageRequest,
): Promise<Page<ChannelRow>> => {
  const { sort, sortById } = filter;
  const own: Order[] = [];
  if (sort !== undefined) own.push({ by: sql.ref(sortColumns[sort.key]), isDescending: sort.isDescending });
  if (!sortById) own.push({ by: sql.ref('priority'), isDescending: true });
  const matching = reader.selectFrom('channels').select(recordColumns).where(matchesChannel(filter));
  return onePage(matching, page, channelRow, { own });
};

const byIds = async ({ writer }: Database, ids: readonly number[]): Promise<readonly ChannelRow[]> => {
  if (ids.length === 0) return [];
  const rows = writer
    .selectFrom('channels')
    .select(recordColumns)
    .where('id', 'in', [...ids])
    .orderBy('id');
  return (await rows.execute()).map(channelRow);
};

const counts = async ({ reader }: Database, search: ChannelSearch): Promise<ChannelCounts> => {
  const rows = await reader
    .selectFrom('channels')
    .select((is) => ['status', is.fn.countAll<number>().as('count')])
    .where(matchesChannel(search))
    .groupBy('status')
    .execute();
  const of = (status: number): number => Number(rows.find((row) => row.status === status)?.count ?? 0);
  return {
    enabled: of(channelStatus.enabled),
    disabled: of(channelStatus.disabled),
    autoDisabled: of(channelStatus.autoDisabled),
  };
};

const createPool = async (
  transaction: Kysely<Schema>,
  id: number,
  { mode: poolMode, keys: keysOf, terms }: NonNullable<NewChannel['pool']>,
): Promise<void> => {
  const keys = keysOf(id);
  if (keys.length > 0) await addKeys(transaction, id, keys, terms);
  await transaction.updateTable('channels').set(changedColumns({ poolMode })).where('id', '=', id).execute();
};

const create = (database: Database, channels: readonly NewChannel[]): Promise<readonly number[]> =>
  database.writer.transaction().execute(async (transaction) => {
    const ids: number[] = [];
    for (const channel of channels) {
      const { id } = await transaction
        .insertInto('channels')
        .values(recordOf(channel))
        .returning('id')
        .executeTakeFirstOrThrow();
      const key = { key_encrypted: channel.encryptKey(id) };
      await transaction.updateTable('channels').set(key).where('id', '=', id).execute();
      if (channel.pool !== undefined) await createPool(transaction, id, channel.pool);
      ids.push(id);
    }
    return ids;
  });

/** Deletes channels with all their keys. @returns how many channels there were */
export const deleteChannels = (
  { writer }: Database,
  which: (is: Channels) => Expression<SqlBool>,
): Promise<number> =>
  writer.transaction().execute(async (transaction) => {
    const gone = await transaction.deleteFrom('channels').where(which).returning('id').execute();
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0) await transaction.deleteFrom('channel_keys').where('channel_id', 'in', ids).execute();
    return ids.length;
  });

/** Channels in the database. */
export const createChannelStore = (database: Database): ChannelStore => {
  const one = async (id: number): Promise<ChannelRow | undefined> => {
    const record = await database.writer
      .selectFrom('channels')
      .select(recordColumns)
      .where('id', '=', id)
      .executeTakeFirst();
    return record === undefined ? undefined : channelRow(record);
  };
  return {
    // Read from an index alone.
    revisions: () =>
      database.writer.selectFrom('channels').select(['id', 'revision']).orderBy('id').execute(),
    byIds: (ids) => byIds(database, ids),
    byId: one,
    page: (filter, page) => pageOf(database, filter, page),
    counts: (search) => counts(database, search),
    create: (channels) => create(database, channels),
    update: async (id, changes) => {
      const columns = changedColumns(changes);
      if (Object.keys(columns).length > 0) {
        await database.writer.updateTable('channels').set(columns).where('id', '=', id).execute();
      }
      return one(id);
    },
    updateAsRead: async ({ id, revision, remark }, changes) => {
      const columns = changedColumns(changes);
      const { numUpdatedRows } = await database.writer
        .updateTable('channels')
        // Locks and checks the row even if nothing changes.
        .set(Object.keys(columns).length > 0 ? columns : { id })
        .where('id', '=', id)
        .where('revision', '=', revision)
        // Remarks do not affect calls, so they do not raise the revision.
        .where('remark', '=', remark)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    autoDisable: async (id, reason, nowMs) => {
      const info = JSON.stringify({ status_reason: reason, status_time: Math.floor(nowMs / 1000) });
      const { numUpdatedRows } = await database.writer
        .updateTable('channels')
        .set({ status: channelStatus.autoDisabled, other_info: info })
        .where('id', '=', id)
        .where('status', '=', channelStatus.enabled)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    delete: async (id) => (await deleteChannels(database, (is) => is('id', '=', id))) > 0,
  };
};
