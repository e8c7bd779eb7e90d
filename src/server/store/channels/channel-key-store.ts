import type {
  ChannelKeyChanges,
  ChannelKeyFilter,
  ChannelKeyStore,
  KeyChangeTerms,
} from '#core/channel/keys/channel-key-store.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import type { ChannelKeysTable, Schema } from '../database/schema.ts';
import { addKeys, countKeys, raisedVersion, TooManyKeys } from './add-channel-keys.ts';
import {
  elsewhere,
  keyCounts,
  keyPage,
  keyRow,
  loneKey,
  loneTwins,
  matchesKey,
  needingHand,
  twins,
} from './find-channel-keys.ts';

type Writer = Kysely<Schema>;

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

/** Thrown to undo a transaction. */
class Last extends Error {}

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
  { status, untilMs, asRead }: KeyChangeTerms,
): Promise<'changed' | 'missing' | 'taken'> => {
  const revision = await raisedVersion(transaction, channelId, asRead);
  if (revision === undefined) return 'missing';
  if (changes.keyMac !== undefined && (await isTaken(transaction, channelId, id, changes.keyMac)))
    return 'taken';
  let update = transaction
    .updateTable('channel_keys')
    .set({ ...columnsOf(changes), revision })
    .where('channel_id', '=', channelId)
    .where('id', '=', id);
  if (status !== undefined) update = update.where('status', '=', status);
  if (untilMs !== undefined) update = update.where('until_ms', '=', untilMs);
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
  const revision = await raisedVersion(transaction, channelId, undefined);
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
  if ((await raisedVersion(transaction, channelId, undefined)) === undefined) return [];
  const before = await countKeys(transaction, channelId);
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
  twins: (key) => twins(database, key),
  loneTwins: (key) => loneTwins(database, key),
  loneKey: (channelId) => loneKey(database, channelId),
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
      .execute((transaction) => addKeys(transaction, channelId, keys, terms))
      .catch((error: unknown) => {
        if (error instanceof TooManyKeys) return 'full' as const;
        throw error;
      }),
  change: (channelId, id, changes, only = {}) =>
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
