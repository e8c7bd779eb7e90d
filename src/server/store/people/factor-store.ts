import type { Kysely } from 'kysely';
import type { FactorStore } from '#core/user/factor-store.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { holdUser } from './ways-in.ts';

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

const confirm = async (
  transaction: Kysely<Schema>,
  {
    userId,
    sealedSecret,
    nowMs,
    backupMacs,
  }: {
    readonly userId: number;
    readonly sealedSecret: string;
    readonly nowMs: number;
    readonly backupMacs: readonly string[];
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('second_factors')
    .set({ confirmed_at: nowMs })
    .where('user_id', '=', userId)
    .where('secret_encrypted', '=', sealedSecret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await replaceCodes(transaction, userId, backupMacs);
  return true;
};

/** Locks the user: if two requests replaced the codes at once, both sets would be valid. */
const renew = async (
  transaction: Kysely<Schema>,
  engine: Database['engine'],
  userId: number,
  macs: readonly string[],
): Promise<boolean> => {
  await holdUser(transaction, engine, userId);
  const isOn = await transaction
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  if (isOn === undefined) return false;
  await replaceCodes(transaction, userId, macs);
  return true;
};

/** Stores second factors in the database. */
export const createFactorStore = ({ engine, writer }: Database): FactorStore => ({
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
  confirm: (userId, sealedSecret, nowMs, backupMacs) =>
    writer.transaction().execute(async (transaction) => {
      // Waits for sign-ins that began without a code, so that their sessions exist when sessions are ended.
      await holdUser(transaction, engine, userId);
      return confirm(transaction, { userId, sealedSecret, nowMs, backupMacs });
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
    writer.transaction().execute((transaction) => renew(transaction, engine, userId, macs)),
  remove: (userId) =>
    writer.transaction().execute(async (transaction) => {
      await holdUser(transaction, engine, userId);
      await transaction.deleteFrom('second_factors').where('user_id', '=', userId).execute();
      await replaceCodes(transaction, userId, []);
    }),
});
