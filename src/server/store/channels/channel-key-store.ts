import type {
  ChannelKeyChanges,
  ChannelKeyFilter,
  ChannelKeyStore,
  KeyAddTerms,
  NewChannelKey,
} from '#core/channel/keys/channel-key-store.ts';
import type { KeyState } from '#core/channel/keys/pool.ts';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ChannelKeysTable, Schema } from '../database/schema.ts';
import { elsewhere, keyCounts, keyPage, keyRow, matchesKey, needingHand } from './find-channel-keys.ts';

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

/** Thrown to undo a transaction. */
class Full extends Error {}
class Last extends Error {}

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

const columnsOf = (changes: ChannelKeyChanges): Record<string, string | number> => {
  const columns: Record<string, string | number> = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value = changes[field as keyof ChannelKeyChanges];
    if (value !== undefined) columns[column] = value;
  }
  return columns;
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
  let update = transaction
    .updateTable('channel_keys')
    .set({ ...columnsOf(changes), revision })
    .where('channel_id', '=', channelId)
    .where('id', '=', id);
  if (only !== undefined)
    update = update.where('status', '=', only.status).where('until_ms', '=', only.untilMs);
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n ? 'changed' : 'missing';
};

const idsIn = (rows: readonly { readonly id: number }[]): readonly number[] =>
  rows.map(({ id }) => id).sort((one, other) => one - other);

const switchAll = async (
  transaction: Writer,
  channelId: number,
  filter: ChannelKeyFilter,
  { status, ...state }: Parameters<ChannelKeyStore['switchAll']>[2],
): Promise<readonly number[]> => {
  const revision = await raised(transaction, channelId);
  if (revision === undefined) return [];
  const switched = await transaction
    .updateTable('channel_keys')
    .set({ ...columnsOf({ status, ...state }), revision })
    .where(matchesKey(channelId, filter))
    .where('status', '!=', status)
    .returning('id')
    .execute();
  return idsIn(switched);
};

const remove = async (
  transaction: Writer,
  channelId: number,
  filter: ChannelKeyFilter,
): Promise<readonly number[] | 'last'> => {
  if ((await raised(transaction, channelId)) === undefined) return [];
  const before = await countOf(transaction, channelId);
  const deleted = await transaction
    .deleteFrom('channel_keys')
    .where(matchesKey(channelId, filter))
    .returning('id')
    .execute();
  if (deleted.length > 0 && deleted.length === before) throw new Last();
  return idsIn(deleted);
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
  page: (channelId, filter, request) => keyPage(database, channelId, filter, request),
  idsOf: async (channelId, filter) => {
    const rows = database.reader.selectFrom('channel_keys').select('id');
    return idsIn(await rows.where(matchesKey(channelId, filter)).execute());
  },
  counts: (channelId) => keyCounts(database, channelId),
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
  switchAll: (channelId, filter, state) =>
    database.writer.transaction().execute((transaction) => switchAll(transaction, channelId, filter, state)),
  delete: (channelId, filter) =>
    database.writer
      .transaction()
      .execute((transaction) => remove(transaction, channelId, filter))
      .catch((error: unknown) => {
        if (error instanceof Last) return 'last' as const;
        throw error;
      }),
});
