import type { ManagedUserStore } from '#core/user/managed-user-store.ts';
import type { Database } from './database.ts';
import { userOf } from './user-store.ts';

/** Accounts as admins change them. */
export const createManagedUserStore = ({ writer }: Database): ManagedUserStore => {
  const living = (id: number) =>
    writer.updateTable('users').where('id', '=', id).where('deleted_at', 'is', null);
  const done = async (query: {
    executeTakeFirst(): Promise<{ numUpdatedRows: bigint } | undefined>;
  }): Promise<boolean> => ((await query.executeTakeFirst())?.numUpdatedRows ?? 0n) > 0n;
  return {
    find: async (id) => {
      const row = await writer.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? undefined : userOf(row);
    },
    update: (id, { username, displayName, group }) =>
      writer.transaction().execute(async (transaction) => {
        if (username !== undefined) {
          const other = await transaction
            .selectFrom('users')
            .select('id')
            .where('username', '=', username)
            .executeTakeFirst();
          if (other !== undefined && other.id !== id) return 'taken';
        }
        const row = await transaction
          .updateTable('users')
          .set((is) => ({
            username: username ?? is.ref('username'),
            display_name: displayName ?? is.ref('display_name'),
            group_name: group ?? is.ref('group_name'),
          }))
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst();
        return row.numUpdatedRows === 0n ? 'missing' : 'updated';
      }),
    setRole: (id, from, to) => done(living(id).set({ role: to }).where('role', '=', from)),
    setStatus: (id, status) => done(living(id).set({ status })),
    softDelete: (id, nowMs) => done(living(id).set({ deleted_at: nowMs, access_token_hash: null })),
  };
};
