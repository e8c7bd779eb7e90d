import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Whether another account has this name in whatever case, deleted ones included: `Root` must not pass for `root`. */
export const isNameTaken = async (
  database: Kysely<Schema>,
  username: string,
  exceptId = 0,
): Promise<boolean> => {
  const row = await database
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(username) = lower(${username})`)
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};
