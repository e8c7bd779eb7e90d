import { nameKey } from '#core/user/name-key.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Whether another account, even a deleted one, has a name that looks the same: `Root` must not pass for `root`. */
export const isNameTaken = async (
  database: Kysely<Schema>,
  username: string,
  exceptId = 0,
): Promise<boolean> => {
  const row = await database
    .selectFrom('users')
    .select('id')
    .where((is) =>
      is.or([
        is('name_key', '=', nameKey(username)),
        // Of old accounts with equal keys only the first has its key stored.
        sql<boolean>`lower(username) = lower(${username})`,
      ]),
    )
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};
