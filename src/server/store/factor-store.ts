import type { Kysely } from 'kysely';
import type { FactorStore, Passkey } from '#core/user/factor-store.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

const passkeyOf = (row: {
  id: number;
  credential_id: string;
  user_id: number;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_at: number;
  used_at: number | null;
}): Passkey => ({
  id: row.id,
  credentialId: row.credential_id,
  userId: row.user_id,
  publicKey: row.public_key,
  counter: row.counter,
  transports: row.transports === '' ? [] : row.transports.split(','),
  name: row.name,
  createdAtMs: row.created_at,
  usedAtMs: row.used_at,
});

const replaceCodes = async (
  transaction: Kysely<Schema>,
  userId: number,
  macs: readonly string[],
): Promise<void> => {
  await transaction.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  if (macs.length === 0) return;
  await transaction
    .insertInto('backup_codes')
    .values(macs.map((code_mac) => ({ user_id: userId, code_mac })))
    .execute();
};

type SecondFactors = Omit<
  FactorStore,
  'passkeysOf' | 'passkeyByCredential' | 'addPasskey' | 'notePasskeyUse' | 'removePasskey'
>;

const secondFactors = ({ writer }: Database): SecondFactors => ({
  find: async (userId) => {
    const row = await writer
      .selectFrom('second_factors')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { left } = await writer
      .selectFrom('backup_codes')
      .select((is) => is.fn.countAll<number>().as('left'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return {
      sealedSecret: row.secret_encrypted,
      isConfirmed: row.confirmed_at !== null,
      backupCodesLeft: left,
    };
  },
  begin: async (userId, sealedSecret) => {
    const row = await writer
      .insertInto('second_factors')
      .values({ user_id: userId, secret_encrypted: sealedSecret, confirmed_at: null, last_step: 0 })
      .onConflict((conflict) =>
        conflict
          .column('user_id')
          .doUpdateSet({ secret_encrypted: sealedSecret, last_step: 0 })
          .where('second_factors.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  },
  confirm: (userId, nowMs, backupMacs) =>
    writer.transaction().execute(async (transaction) => {
      await transaction
        .updateTable('second_factors')
        .set({ confirmed_at: nowMs })
        .where('user_id', '=', userId)
        .execute();
      await replaceCodes(transaction, userId, backupMacs);
    }),
  useStep: async (userId, step) => {
    const { numUpdatedRows } = await writer
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  useBackupCode: async (userId, mac) => {
    const { numDeletedRows } = await writer
      .deleteFrom('backup_codes')
      .where('user_id', '=', userId)
      .where('code_mac', '=', mac)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  },
  replaceBackupCodes: (userId, macs) =>
    writer.transaction().execute((transaction) => replaceCodes(transaction, userId, macs)),
  remove: (userId) =>
    writer.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('second_factors').where('user_id', '=', userId).execute();
      await replaceCodes(transaction, userId, []);
    }),
});

/** Second factors and passkeys in the database. */
export const createFactorStore = (database: Database): FactorStore => {
  const { writer } = database;
  return {
    ...secondFactors(database),
    passkeysOf: async (userId) => {
      const rows = await writer
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute();
      return rows.map(passkeyOf);
    },
    passkeyByCredential: async (credentialId) => {
      const row = await writer
        .selectFrom('passkeys')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row === undefined ? undefined : passkeyOf(row);
    },
    addPasskey: async (passkey) => {
      const row = await writer
        .insertInto('passkeys')
        .values({
          credential_id: passkey.credentialId,
          user_id: passkey.userId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: passkey.transports.join(','),
          name: passkey.name,
          created_at: passkey.createdAtMs,
          used_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
    notePasskeyUse: async (id, counter, nowMs) => {
      await writer.updateTable('passkeys').set({ counter, used_at: nowMs }).where('id', '=', id).execute();
    },
    removePasskey: async (userId, id) => {
      const { numDeletedRows } = await writer
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
};
