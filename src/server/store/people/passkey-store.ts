import type { Kysely, Selectable } from 'kysely';
import type { NewPasskey, Passkey, PasskeyStore } from '#core/user/passkey-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { hasWayInWithout, holdUser } from './ways-in.ts';

const passkeyOf = (row: Selectable<Schema['passkeys']>): Passkey => ({
  id: row.id,
  userId: row.user_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports === '' ? [] : row.transports.split(','),
  name: row.name,
  createdAtMs: row.created_at,
  usedAtMs: row.used_at,
});

/** @returns false if the credential already exists */
const insert = async (transaction: Kysely<Schema>, passkey: NewPasskey): Promise<boolean> => {
  const row = await transaction
    .insertInto('passkeys')
    .values({
      user_id: passkey.userId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(','),
      name: passkey.name,
      created_at: passkey.createdAtMs,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
};

const idsOf = async (transaction: Kysely<Schema>, userId: number): Promise<readonly number[]> => {
  const rows = await transaction.selectFrom('passkeys').select('id').where('user_id', '=', userId).execute();
  return rows.map((row) => row.id);
};

/** Stores passkeys in the database. Changes of one user's passkeys run one after the other. */
export const createPasskeyStore = ({ engine, writer }: Database): PasskeyStore => {
  return {
    add: (passkey, most) =>
      writer.transaction().execute(async (transaction) => {
        if ((await holdUser(transaction, engine, passkey.userId)) === undefined) return 'gone';
        if ((await idsOf(transaction, passkey.userId)).length >= most) return 'full';
        return (await insert(transaction, passkey)) ? 'added' : 'taken';
      }),
    byCredential: async (credentialId) => {
      const row = await writer
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row === undefined ? undefined : passkeyOf(row);
    },
    listOf: async (userId) => {
      const rows = await writer
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute();
      return rows.map(passkeyOf);
    },
    rename: async (userId, id, name) => {
      const { numUpdatedRows } = await writer
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    remove: (userId, id, ways) =>
      writer.transaction().execute(async (transaction) => {
        const user = await holdUser(transaction, engine, userId);
        const ids = await idsOf(transaction, userId);
        if (user === undefined || !ids.includes(id)) return 'missing';
        const isLast = ids.length === 1 && !(await hasWayInWithout(transaction, user, ways, 'passkeys'));
        if (isLast) return 'last';
        await transaction.deleteFrom('passkeys').where('id', '=', id).execute();
        return 'removed';
      }),
    use: async (id, counterBefore, counter, nowMs) => {
      const { numUpdatedRows } = await writer
        .updateTable('passkeys')
        .set({ counter, used_at: nowMs })
        .where('id', '=', id)
        .where('counter', '=', counterBefore)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
};
