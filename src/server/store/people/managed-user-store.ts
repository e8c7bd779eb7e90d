import { userStatus } from '#contract/codes.ts';
import type { ManagedUserStore, UserChanges } from '#core/user/managed-user-store.ts';
import { nameKey } from '#core/user/name-key.ts';
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import { isNameTakenNow } from '../database/name-taken.ts';
import { orTaken } from '../database/unique-violation.ts';
import type { Schema } from '../database/schema.ts';
import { userOf } from './user-store.ts';
import { holdUser } from './ways-in.ts';

/** @returns how many rows were deleted */
const forget = async (
  transaction: Kysely<Schema>,
  userId: number,
  tables: readonly ('sessions' | 'passkeys' | 'second_factors' | 'backup_codes' | 'usage_links')[],
): Promise<bigint> => {
  let rows = 0n;
  for (const table of tables) {
    const { numDeletedRows } = await transaction
      .deleteFrom(table)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    rows += numDeletedRows;
  }
  return rows;
};
const PROOFS = ['passkeys', 'second_factors', 'backup_codes'] as const;

const ofRole =
  (role: number | undefined) =>
  (is: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> =>
    role === undefined ? is.lit(true) : is('role', '=', role);

const isAsRead =
  ({ username, displayName, group }: UserChanges) =>
  (is: ExpressionBuilder<Schema, 'users'>): Expression<SqlBool> =>
    is.and([
      ...(username === undefined ? [] : [is('username', '=', username)]),
      ...(displayName === undefined ? [] : [is('display_name', '=', displayName)]),
      ...(group === undefined ? [] : [is('group_name', '=', group)]),
    ]);

const update = (
  database: Pick<Database, 'engine' | 'writer'>,
  id: number,
  { username, displayName, group }: UserChanges,
  asRole: number | undefined,
  read: UserChanges,
): Promise<'updated' | 'taken' | 'missing'> =>
  database.writer.transaction().execute(async (transaction) => {
    if (username !== undefined && (await isNameTakenNow(transaction, database, username, id))) return 'taken';
    const row = await transaction
      .updateTable('users')
      .set((is) => ({
        username: username ?? is.ref('username'),
        name_key: username === undefined ? is.ref('name_key') : nameKey(username),
        display_name: displayName ?? is.ref('display_name'),
        group_name: group ?? is.ref('group_name'),
      }))
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(ofRole(asRole))
      .where(isAsRead(read))
      .executeTakeFirst();
    return row.numUpdatedRows === 0n ? 'missing' : 'updated';
  });

/** Stores accounts, for administrators' changes. */
export const createManagedUserStore = ({ engine, writer }: Database): ManagedUserStore => {
  const living = (id: number, asRole?: number) =>
    writer.updateTable('users').where('id', '=', id).where('deleted_at', 'is', null).where(ofRole(asRole));
  const done = async (query: {
    executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | undefined>;
  }): Promise<boolean> => ((await query.executeTakeFirst())?.numUpdatedRows ?? 0n) > 0n;
  return {
    find: async (id) => {
      const row = await writer.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : userOf(row);
    },
    update: (id, changes, asRole, read = {}) =>
      orTaken(update({ engine, writer }, id, changes, asRole, read)),
    setRole: (id, from, to) =>
      done(living(id).set({ role: to, access_token_hash: null }).where('role', '=', from)),
    setPasswordHash: (id, hash, role, by) =>
      done(
        living(id)
          .set({ password_hash: hash, access_token_hash: null })
          .where('role', '=', role)
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('users as actor')
                .select('actor.id')
                .where('actor.id', '=', by.id)
                .where('actor.role', '=', by.role)
                .where('actor.status', '=', userStatus.enabled)
                .where('actor.deleted_at', 'is', null),
            ),
          ),
      ),
    setStatus: (id, status, asRole) =>
      done(
        living(id, asRole).set({
          status,
          ...(status === userStatus.enabled ? {} : { access_token_hash: null }),
        }),
      ),
    resetTwoStep: (id, asRole) =>
      writer.transaction().execute(async (transaction) => {
        // Waits for sign-ins that used what is removed here, so that their sessions exist when sessions are ended.
        const user = await holdUser(transaction, engine, id);
        if (asRole !== undefined && user?.role !== asRole) return false;
        if ((await forget(transaction, id, PROOFS)) === 0n) return false;
        await forget(transaction, id, ['sessions']);
        await transaction
          .updateTable('users')
          .set({ access_token_hash: null })
          .where('id', '=', id)
          .execute();
        return true;
      }),
    softDelete: (id, nowMs, asRole) =>
      writer.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('users')
          .set({ deleted_at: nowMs, access_token_hash: null, password_hash: '' })
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .where(ofRole(asRole))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        // Identities at other services stay, so that a sign-in there learns that the account is deleted.
        await forget(transaction, id, ['sessions', 'usage_links', ...PROOFS]);
        return true;
      }),
  };
};
