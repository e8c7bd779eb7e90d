import type { KeyAddTerms, NewChannelKey } from '#core/channel/keys/channel-key-store.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { changedColumns } from './channel-columns.ts';

type Writer = Kysely<Schema>;

/** The rows written by one statement: both engines accept their values. */
const ROWS_AT_ONCE = 500;

/** Thrown to undo a transaction that would leave a channel with too many keys. */
export class TooManyKeys extends Error {}

/**
 * Raises the version of a channel's keys. Other transactions that change its keys wait until this one ends.
 * @param asRead the channel's revision when it was read, which it must still have
 * @returns undefined if the channel is gone, or has another revision
 */
export const raisedVersion = async (
  writer: Writer,
  channelId: number,
  asRead: number | undefined,
): Promise<number | undefined> => {
  const channel = writer
    .updateTable('channels')
    .set({ keys_version: sql<number>`keys_version + 1` })
    .where('id', '=', channelId);
  const found = asRead === undefined ? channel : channel.where('revision', '=', asRead);
  return (await found.returning('keys_version').executeTakeFirst())?.keys_version;
};

export const countKeys = async (writer: Writer, channelId: number): Promise<number> => {
  const { count } = await writer
    .selectFrom('channel_keys')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Adds keys to a channel, in the transaction of the caller. Throws `TooManyKeys`. @returns how many were added */
export const addKeys = async (
  transaction: Writer,
  channelId: number,
  keys: readonly NewChannelKey[],
  { limit, nowMs, replacesAll = false, channel = {}, asRead }: KeyAddTerms,
): Promise<number | 'missing'> => {
  const revision = await raisedVersion(transaction, channelId, asRead);
  if (revision === undefined) return 'missing';
  if (replacesAll) {
    const macs = keys.map(({ keyMac }) => keyMac);
    const own = transaction.deleteFrom('channel_keys').where('channel_id', '=', channelId);
    await own.where('key_mac', 'not in', macs).execute();
  }
  const before = await countKeys(transaction, channelId);
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
  const after = await countKeys(transaction, channelId);
  if (after > limit) throw new TooManyKeys();
  await transaction
    .updateTable('channels')
    .set({ ...changedColumns(channel), key_encrypted: '', key_mac: '' })
    .where('id', '=', channelId)
    .execute();
  return after - before;
};
