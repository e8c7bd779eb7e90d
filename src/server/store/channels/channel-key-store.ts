import { channelStatus } from '#contract/codes.ts';
import type {
  ChannelKeyChanges,
  ChannelKeyFilter,
  ChannelKeyRow,
  ChannelKeyStore,
  KeyAddTerms,
  NewChannelKey,
} from '#core/channel/channel-key-store.ts';
import type { KeyState, KeyStatus } from '#core/channel/pool.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { onePage } from '../database/one-page.ts';
import type { ChannelKeysTable, Schema } from '../database/schema.ts';
import { contains } from '../database/search.ts';

type Writer = Kysely<Schema>;

/** The rows written by one statement: both engines accept their values. */
const ROWS_AT_ONCE = 500;

const columnOf = {
  label: 'label',
  tail: 'tail',
  encryptedKey: 'key_encrypted',
  keyMac: 'key_mac',
  status: 'status',
  reason: 'reason',
  untilMs: 'until_ms',
  rounds: 'rounds',
  proxy: 'proxy',
  proxyPassword: 'proxy_password',
  weight: 'weight',
  limits: 'limits',
  changedAtMs: 'changed_at',
  testedAtMs: 'tested_at',
} as const satisfies Record<keyof ChannelKeyChanges, keyof ChannelKeysTable>;

const keyRow = (record: Selectable<ChannelKeysTable>): ChannelKeyRow => ({
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

/** Raises the version of a channel's keys. Other transactions that change its keys wait until this one ends. */
const raised = async (writer: Writer, channelId: number): Promise<number | undefined> => {
  const row = await writer
    .updateTable('channels')
    .set({ keys_version: sql<number>`keys_version + 1` })
    .where('id', '=', channelId)
    .returning('keys_version')
    .executeTakeFirst();
  return row?.keys_version;
};

const countOf = async (writer: Writer, channelId: number): Promise<number> => {
  const { count } = await writer
    .selectFrom('channel_keys')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

class Full extends Error {}

const add = async (
  transaction: Writer,
  channelId: number,
  keys: readonly NewChannelKey[],
  { limit, nowMs, replacesAll = false }: KeyAddTerms,
): Promise<number | 'missing'> => {
  const revision = await raised(transaction, channelId);
  if (revision === undefined) return 'missing';
  if (replacesAll) {
    const macs = keys.map(({ keyMac }) => keyMac);
    const own = transaction.deleteFrom('channel_keys').where('channel_id', '=', channelId);
    await own.where('key_mac', 'not in', macs).execute();
  }
  const before = await countOf(transaction, channelId);
  for (let start = 0; start < keys.length; start += ROWS_AT_ONCE) {
    const rows = keys.slice(start, start + ROWS_AT_ONCE).map((key) => ({
      channel_id: channelId,
      label: key.label,
      tail: key.tail,
      key_encrypted: key.encryptedKey,
      key_mac: key.keyMac,
      status: 'enabled',
      reason: '',
      until_ms: 0,
      rounds: 0,
      proxy: '',
      proxy_password: '',
      weight: key.weight,
      limits: '',
      revision,
      created_at: nowMs,
      changed_at: nowMs,
    }));
    await transaction
      .insertInto('channel_keys')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['channel_id', 'key_mac']).doNothing())
      .execute();
  }
  const after = await countOf(transaction, channelId);
  if (after > limit) throw new Full();
  await transaction
    .updateTable('channels')
    .set({ key_encrypted: '', key_mac: '' })
    .where('id', '=', channelId)
    .execute();
  return after - before;
};

const isTaken = async (writer: Writer, channelId: number, id: number, keyMac: string): Promise<boolean> => {
  const others = writer.selectFrom('channel_keys').select('id').where('channel_id', '=', channelId);
  return (await others.where('key_mac', '=', keyMac).where('id', '!=', id).executeTakeFirst()) !== undefined;
};

const change = async (
  transaction: Writer,
  [channelId, id]: readonly [number, number],
  changes: ChannelKeyChanges,
  only: Pick<KeyState, 'status' | 'untilMs'> | undefined,
): Promise<'changed' | 'missing' | 'taken'> => {
  const revision = await raised(transaction, channelId);
  if (revision === undefined) return 'missing';
  if (changes.keyMac !== undefined && (await isTaken(transaction, channelId, id, changes.keyMac)))
    return 'taken';
  const columns: Record<string, string | number> = { revision };
  for (const [field, column] of Object.entries(columnOf)) {
    const value = changes[field as keyof ChannelKeyChanges];
    if (value !== undefined) columns[column] = value;
  }
  let update = transaction
    .updateTable('channel_keys')
    .set(columns)
    .where('channel_id', '=', channelId)
    .where('id', '=', id);
  if (only !== undefined)
    update = update.where('status', '=', only.status).where('until_ms', '=', only.untilMs);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n ? 'changed' : 'missing';
};

const page = (
  { reader }: Database,
  channelId: number,
  { status, keyword = '', keyMac }: ChannelKeyFilter,
  request: Parameters<ChannelKeyStore['page']>[2],
) => {
  let rows = reader.selectFrom('channel_keys').selectAll().where('channel_id', '=', channelId);
  if (status !== undefined) rows = rows.where('status', '=', status);
  if (keyword !== '')
    rows = rows.where((is) =>
      is.or([
        contains<'channel_keys'>(is, 'label', keyword),
        contains<'channel_keys'>(is, 'tail', keyword),
        ...(/^\d{1,15}$/.test(keyword) ? [is('id', '=', Number(keyword))] : []),
        ...(keyMac === undefined ? [] : [is('key_mac', '=', keyMac)]),
      ]),
    );
  return onePage(rows, request, keyRow);
};

const elsewhere = async ({ reader }: Database, channelId: number, keyMacs: readonly string[]) => {
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

const needingHand = async ({ reader }: Database, most: number) => {
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

/** Deletes keys, but never the last one. */
const remove = async (
  transaction: Writer,
  channelId: number,
  ids: readonly number[],
): Promise<number | 'last'> => {
  if (ids.length === 0 || (await raised(transaction, channelId)) === undefined) return 0;
  const own = transaction
    .selectFrom('channel_keys')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId);
  const going = await own.where('id', 'in', [...ids]).executeTakeFirstOrThrow();
  if (Number(going.count) >= (await countOf(transaction, channelId))) return 'last';
  const deleted = transaction.deleteFrom('channel_keys').where('channel_id', '=', channelId);
  return Number((await deleted.where('id', 'in', [...ids]).executeTakeFirst()).numDeletedRows);
};

/** Stores the keys of pools in the database. */
export const createChannelKeyStore = (database: Database): ChannelKeyStore => ({
  ofChannels: async (channelIds) => {
    if (channelIds.length === 0) return [];
    const rows = database.writer
      .selectFrom('channel_keys')
      .selectAll()
      .where('channel_id', 'in', [...channelIds]);
    return (await rows.orderBy('id').execute()).map(keyRow);
  },
  byId: async (channelId, id) => {
    const rows = database.writer.selectFrom('channel_keys').selectAll().where('channel_id', '=', channelId);
    const record = await rows.where('id', '=', id).executeTakeFirst();
    return record && keyRow(record);
  },
  page: (channelId, filter, request) => page(database, channelId, filter, request),
  counts: async (channelId) => {
    const rows = await database.writer
      .selectFrom('channel_keys')
      .select((is) => ['status', is.fn.countAll<number>().as('count')])
      .where('channel_id', '=', channelId)
      .groupBy('status')
      .execute();
    return new Map(rows.map(({ status, count }) => [status as KeyStatus, Number(count)]));
  },
  needingHand: (most) => needingHand(database, most),
  sizes: async (channelIds) => {
    if (channelIds.length === 0) return new Map();
    const rows = await database.reader
      .selectFrom('channel_keys')
      .select((is) => ['channel_id', is.fn.countAll<number>().as('count')])
      .where('channel_id', 'in', [...channelIds])
      .groupBy('channel_id')
      .execute();
    return new Map(rows.map(({ channel_id: id, count }) => [id, Number(count)]));
  },
  elsewhere: (channelId, keyMacs) => elsewhere(database, channelId, keyMacs),
  has: async (channelId, keyMacs) => {
    if (keyMacs.length === 0) return new Set();
    const rows = database.reader
      .selectFrom('channel_keys')
      .select('key_mac')
      .where('channel_id', '=', channelId);
    return new Set(
      (await rows.where('key_mac', 'in', [...keyMacs]).execute()).map(({ key_mac: mac }) => mac),
    );
  },
  add: (channelId, keys, terms) =>
    database.writer
      .transaction()
      .execute((transaction) => add(transaction, channelId, keys, terms))
      .catch((error: unknown) => {
        if (error instanceof Full) return 'full' as const;
        throw error;
      }),
  change: (channelId, id, changes, only) =>
    database.writer
      .transaction()
      .execute((transaction) => change(transaction, [channelId, id], changes, only)),
  delete: (channelId, ids) =>
    database.writer.transaction().execute((transaction) => remove(transaction, channelId, ids)),
});
