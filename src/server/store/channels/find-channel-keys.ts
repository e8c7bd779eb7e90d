import { channelStatus } from '#contract/codes.ts';
import type { ChannelKeyFilter, ChannelKeyRow, KeyElsewhere } from '#core/channel/keys/channel-key-store.ts';
import type { KeyStatus } from '#core/channel/keys/pool.ts';
import type { Page, PageRequest } from '#core/paging.ts';
import type { Expression, ExpressionBuilder, Selectable, SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage } from '../database/one-page.ts';
import type { ChannelKeysTable, Schema } from '../database/schema.ts';
import { contains } from '../database/search.ts';

/** Converts a record to the form the rest of the server uses. */
export const keyRow = (record: Selectable<ChannelKeysTable>): ChannelKeyRow => ({
  id: record.id,
  channelId: record.channel_id,
  label: record.label,
  tail: record.tail,
  encryptedKey: record.key_encrypted,
  keyMac: record.key_mac,
  // Only this file writes the column.
  status: record.status as KeyStatus,
  reason: record.reason,
  untilMs: record.until_ms,
  rounds: record.rounds,
  proxy: record.proxy,
  proxyPassword: record.proxy_password,
  weight: record.weight,
  limits: record.limits,
  revision: record.revision,
  usedQuotaUnits: record.used_quota,
  createdAtMs: record.created_at,
  changedAtMs: record.changed_at,
  testedAtMs: record.tested_at,
});

type Keys = ExpressionBuilder<Schema, 'channel_keys'>;

const byKeyword = (is: Keys, keyword: string, keyMac: string | undefined): Expression<SqlBool> =>
  is.or([
    contains<'channel_keys'>(is, 'label', keyword),
    contains<'channel_keys'>(is, 'tail', keyword),
    ...(/^\d{1,15}$/.test(keyword) ? [is('id', '=', Number(keyword))] : []),
    ...(keyMac === undefined ? [] : [is('key_mac', '=', keyMac)]),
  ]);

/** Whether a key is one of a channel's that a filter shows. */
export const matchesKey =
  (channelId: number, { ids, status, keyword = '', keyMac }: ChannelKeyFilter) =>
  (is: Keys): Expression<SqlBool> =>
    is.and([
      is('channel_id', '=', channelId),
      ...(ids === undefined ? [] : [is('id', 'in', [...ids])]),
      ...(status === undefined ? [] : [is('status', '=', status)]),
      ...(keyword === '' ? [] : [byKeyword(is, keyword, keyMac)]),
    ]);

/** A page of the keys of a channel. */
export const keyPage = (
  { reader }: Database,
  channelId: number,
  filter: ChannelKeyFilter,
  request: PageRequest,
): Promise<Page<ChannelKeyRow>> =>
  onePage(
    reader.selectFrom('channel_keys').selectAll().where(matchesKey(channelId, filter)),
    request,
    keyRow,
  );

/** How many keys of a channel are in each status, as of now. */
export const keyCounts = async (
  { writer }: Database,
  channelId: number,
): Promise<ReadonlyMap<KeyStatus, number>> => {
  const rows = await writer
    .selectFrom('channel_keys')
    .select((is) => ['status', is.fn.countAll<number>().as('count')])
    .where('channel_id', '=', channelId)
    .groupBy('status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status as KeyStatus, Number(count)]));
};

/** Which of these keys other channels have too. */
export const elsewhere = async ({ reader }: Database, channelId: number, keyMacs: readonly string[]) => {
  if (keyMacs.length === 0) return [];
  const pooled = reader
    .selectFrom('channel_keys')
    .select(['channel_id as channelId', 'key_mac as keyMac'])
    .where('key_mac', 'in', [...keyMacs])
    .where('channel_id', '!=', channelId);
  const alone = reader
    .selectFrom('channels')
    .select(['id as channelId', 'key_mac as keyMac'])
    .where('key_mac', 'in', [...keyMacs])
    .where('id', '!=', channelId);
  return pooled.unionAll(alone).execute();
};

/** The other channels of the same type and address, for the same account. */
const sameHome = ({ writer }: Database, channelId: number) =>
  writer
    .selectFrom('channels')
    .innerJoin('channels as own', (join) =>
      join
        .onRef('own.type', '=', 'channels.type')
        .onRef('own.base_url', '=', 'channels.base_url')
        .onRef('own.organization', '=', 'channels.organization')
        .onRef('own.other', '=', 'channels.other'),
    )
    .where('own.id', '=', channelId)
    .where('channels.id', '!=', channelId);

/** The same key in pools of other channels that send it to the same place. */
export const twins = async (
  database: Database,
  { channelId, keyMac }: KeyElsewhere,
): Promise<readonly ChannelKeyRow[]> => {
  const rows = await sameHome(database, channelId)
    .innerJoin('channel_keys', 'channel_keys.channel_id', 'channels.id')
    .where('channel_keys.key_mac', '=', keyMac)
    .selectAll('channel_keys')
    .orderBy('channel_keys.id')
    .execute();
  return rows.map(keyRow);
};

/** The other channels that send only this key, to the same place. */
export const loneTwins = async (
  database: Database,
  { channelId, keyMac }: KeyElsewhere,
): Promise<readonly number[]> => {
  const rows = await sameHome(database, channelId)
    .where('channels.key_mac', '=', keyMac)
    .select('channels.id')
    .orderBy('channels.id')
    .execute();
  return rows.map(({ id }) => id);
};

/** The only key of a channel. */
export const loneKey = async ({ writer }: Database, channelId: number): Promise<KeyElsewhere | undefined> => {
  const row = await writer
    .selectFrom('channels')
    .select('key_mac')
    .where('id', '=', channelId)
    .executeTakeFirst();
  return row === undefined || row.key_mac === '' ? undefined : { channelId, keyMac: row.key_mac };
};

/** Keys of enabled channels that are revoked or out of money. */
export const needingHand = async ({ reader }: Database, most: number) => {
  const keys = reader
    .selectFrom('channel_keys')
    .innerJoin('channels', 'channels.id', 'channel_keys.channel_id')
    .where('channels.status', '=', channelStatus.enabled)
    .where('channel_keys.status', 'in', ['revoked', 'spent']);
  const [rows, { total }] = await Promise.all([
    keys
      .selectAll('channel_keys')
      .select('channels.name as channel_name')
      .orderBy('channel_keys.changed_at', 'desc')
      .orderBy('channel_keys.id')
      .limit(most)
      .execute(),
    keys.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return {
    total: Number(total),
    keys: rows.map((row) => ({ ...keyRow(row), channelName: row.channel_name })),
  };
};
