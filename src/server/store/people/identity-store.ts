import { type IdentityField, signInServices } from '#contract/sign-in-services.ts';
import type { IdentityStore } from '#core/user/identity-store.ts';
import type { User } from '#core/user/user.ts';
import type { Database } from '../database/database.ts';
import { orTaken } from '../database/unique-violation.ts';
import { userOf } from './user-store.ts';
import { hasWayInWithout, holdUser } from './ways-in.ts';

type Column = IdentityField | 'email';

/** Stores identities in the database. The unique indexes decide if two users bind the same identity at once. */
export const createIdentityStore = ({ engine, writer }: Database): IdentityStore => {
  const find = async (column: Column, value: string): Promise<User | undefined> => {
    if (value === '') return undefined;
    const row = await writer.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst();
    return row === undefined ? undefined : userOf(row);
  };
  const setOnce = (userId: number, column: Column, value: string): Promise<'set' | 'taken' | 'missing'> =>
    writer.transaction().execute(async (transaction) => {
      if (value !== '') {
        const other = await transaction
          .selectFrom('users')
          .select('id')
          .where(column, '=', value)
          .executeTakeFirst();
        if (other !== undefined && other.id !== userId) return 'taken';
      }
      const { numUpdatedRows } = await transaction
        .updateTable('users')
        .set({ [column]: value })
        .where('id', '=', userId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      return numUpdatedRows === 0n ? 'missing' : 'set';
    });
  const set = (userId: number, column: Column, value: string) => orTaken(setOnce(userId, column, value));
  return {
    byIdentity: (service, id) => find(signInServices[service].field, id),
    byEmail: (email) => find('email', email),
    setIdentity: (userId, service, id) => set(userId, signInServices[service].field, id),
    unbind: (userId, service, ways) =>
      writer.transaction().execute(async (transaction) => {
        const user = await holdUser(transaction, engine, userId);
        if (user === undefined) return 'missing';
        if (!(await hasWayInWithout(transaction, user, ways, service))) return 'last';
        const gone = { [signInServices[service].field]: '' };
        await transaction.updateTable('users').set(gone).where('id', '=', userId).execute();
        return 'unbound';
      }),
    setEmail: (userId, email) => set(userId, 'email', email),
    changeSetting: (userId, change) =>
      writer.transaction().execute(async (transaction) => {
        const user = await holdUser(transaction, engine, userId);
        if (user === undefined) return;
        const setting = change(user.setting);
        await transaction.updateTable('users').set({ setting }).where('id', '=', userId).execute();
      }),
    claimQuotaWarning: async (userId, nowMs, notAfterMs) => {
      const { numUpdatedRows } = await writer
        .updateTable('users')
        .set({ quota_warned_at: nowMs })
        .where('id', '=', userId)
        .where('deleted_at', 'is', null)
        // A time in the future comes from a clock that was set back.
        .where((is) => is.or([is('quota_warned_at', '<=', notAfterMs), is('quota_warned_at', '>', nowMs)]))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    releaseQuotaWarning: async (userId, claimedAtMs) => {
      await writer
        .updateTable('users')
        .set({ quota_warned_at: 0 })
        .where('id', '=', userId)
        .where('quota_warned_at', '=', claimedAtMs)
        .execute();
    },
  };
};
