import { DRAWN_TOGETHER, drawnKey, drawnTogether, nameKey } from '#core/user/name-key.ts';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** The first half of the locks on names; the other is the name. */
const NAMES_LOCK = 7_311_964;

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
        // If old accounts have equal keys, only the first has its key stored.
        sql<boolean>`lower(username) = lower(${username})`,
      ]),
    )
    .where('id', '!=', exceptId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined || hasTwin(database, username, exceptId);
};

/**
 * The same check, in the transaction that stores the name. Names that look alike may have different keys, so no
 * unique index separates them: a second transaction waits until the first is done.
 */
export const isNameTakenNow = async (
  transaction: Kysely<Schema>,
  { engine }: Pick<Database, 'engine'>,
  username: string,
  exceptId = 0,
): Promise<boolean> => {
  // SQLite has one writer.
  if (engine === 'postgres')
    await sql`SELECT pg_advisory_xact_lock(${sql.lit(NAMES_LOCK)}, hashtext(${drawnTogether(drawnKey(username))}))`.execute(
      transaction,
    );
  return isNameTaken(transaction, username, exceptId);
};

/** The key of an account with letters that may look alike replaced by one of them. */
const together = DRAWN_TOGETHER.reduce<RawBuilder<string>>(
  (folded, [from, to]) => sql`replace(${folded}, ${sql.lit(from)}, ${sql.lit(to)})`,
  sql.ref('name_key'),
);

/** Whether readers would confuse the name with another account's. Reads all accounts; new names are rare. */
const hasTwin = async (database: Kysely<Schema>, username: string, exceptId: number): Promise<boolean> => {
  const drawn = drawnKey(username);
  const folded = drawnTogether(drawn);
  // Most names already differ in length.
  const length = Array.from(folded).length;
  const rows = await database
    .selectFrom('users')
    .select('username')
    .where(sql<boolean>`length(name_key) = ${length}`)
    .where(sql<boolean>`${together} = ${folded}`)
    .where('id', '!=', exceptId)
    .execute();
  return rows.some((other) => drawnKey(other.username) === drawn);
};
