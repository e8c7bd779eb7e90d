// Stands alone: what is owed stands among the facts, and in no table of accounts.

import type { Kysely } from 'kysely';
import type { OwedGifts } from '#core/user/user-store.ts';
import type { Schema } from '../database/schema.ts';

const OWED = 'gifts_owed ';
const AT_ONCE = 100;

/** Notes what a new account is to be given, in the transaction that makes it: a crash after that loses no gift. */
export const oweGifts = async (transaction: Kysely<Schema>, owed: OwedGifts): Promise<void> => {
  await transaction
    .insertInto('facts')
    .values({ key: `${OWED}${owed.user.id}`, value: JSON.stringify(owed) })
    .execute();
};

export const owedGifts = async (writer: Kysely<Schema>): Promise<OwedGifts[]> => {
  const facts = writer.selectFrom('facts').select('value').where('key', 'like', `${OWED}%`);
  const rows = await facts.orderBy('key').limit(AT_ONCE).execute();
  return rows.map(({ value }) => JSON.parse(value) as OwedGifts);
};

export const giftsCredited = async (writer: Kysely<Schema>, userId: number): Promise<void> => {
  await writer.deleteFrom('facts').where('key', '=', `${OWED}${userId}`).execute();
};
