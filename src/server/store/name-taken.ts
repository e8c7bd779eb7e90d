import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * A name without what makes it look like another: case, width, one letter for two (`ß`, `ﬁ`). The databases cannot:
 * SQLite folds ASCII alone, PostgreSQL what its locale knows.
 */
export const nameKey = (username: string): string =>
  username.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Whether another account has this name in whatever case, deleted ones included: `Root` must not pass for `root`. */
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
        // Accounts from before there was a key, of which only the first of a name has one.
        sql<boolean>`lower(username) = lower(${username})`,
      ]),
    )
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};
