import { type Kysely, sql } from 'kysely';
import { parsedFields } from '#core/json/fields.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Database } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { keyNumberOf } from './cipher.ts';
import { endPassingOn } from './key-ring.ts';
import { type SealedColumn, sealedColumns, type SealedRow } from './sealed-columns.ts';
import { RING } from './vault.ts';

/** Few enough that nobody waits for a batch. */
const ROWS_AT_ONCE = 200;

export interface Resealed {
  readonly texts: number;
  /** The texts that cannot be decrypted, as `table.column id`. They stay as they are. */
  readonly unreadable: readonly string[];
}

/** The encrypted text of a row, and a function that returns the row's column with another text in its place. */
const sealedIn = (
  { column, field }: SealedColumn,
  row: SealedRow,
): { readonly sealed: string; readonly with: (sealed: string) => string } => {
  const text = String(row[column]);
  if (field === undefined) return { sealed: text, with: (sealed) => sealed };
  const fields = parsedFields(text) ?? {};
  const sealed = fields[field];
  return {
    sealed: typeof sealed === 'string' ? sealed : '',
    with: (other) => JSON.stringify({ ...fields, [field]: other }),
  };
};

/** The next rows that have something encrypted with an earlier key, by their ids. */
const nextRows = async (writer: Kysely<Schema>, one: SealedColumn, after: unknown, number: number) => {
  const { table, id, column, field, of = [] } = one;
  // JSON that another program has stored may have blanks after its colons.
  const [holds, start] = field === undefined ? ['v%', ''] : [`%"${field}"%`, `%"${field}":"`];
  const columns = [...new Set([id, column, ...of])].map((name) => sql.ref(name));
  const { rows } = await sql<SealedRow>`
    SELECT ${sql.join(columns)} FROM ${sql.table(table)}
    WHERE ${sql.ref(id)} > ${after} AND ${sql.ref(column)} LIKE ${holds}
      AND ${sql.ref(column)} NOT LIKE ${`${start}v${number}.%`}
    ORDER BY ${sql.ref(id)} LIMIT ${ROWS_AT_ONCE}`.execute(writer);
  return rows;
};

/** Encrypts the texts of some rows again. Counts those that nobody changed in the meantime. */
const resealRows = (
  writer: Kysely<Schema>,
  vault: Pick<Vault, 'encrypt' | 'decrypt'>,
  one: SealedColumn,
  rows: readonly SealedRow[],
  number: number,
): Promise<Resealed> =>
  writer.transaction().execute(async (transaction) => {
    const { table, id, column, place } = one;
    let texts = 0;
    const unreadable: string[] = [];
    for (const row of rows) {
      const { sealed, with: withSealed } = sealedIn(one, row);
      const by = keyNumberOf(sealed);
      if (by === undefined || by >= number) continue;
      const plain = openOr(() => vault.decrypt(sealed, place(row)));
      if (plain === undefined) {
        unreadable.push(`${table}.${column} ${String(row[id])}`);
        continue;
      }
      const { numAffectedRows } = await sql`
        UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${withSealed(vault.encrypt(plain, place(row)))}
        WHERE ${sql.ref(id)} = ${row[id]} AND ${sql.ref(column)} = ${row[column]}`.execute(transaction);
      texts += Number(numAffectedRows ?? 0n);
    }
    return { texts, unreadable };
  });

/**
 * Encrypts again, with the current key, every text that is encrypted with an earlier one. A text that changes in the
 * meantime is left for the next run. Several nodes may do this at once.
 * @param number of the current key
 */
export const resealAll = async (
  { writer }: Pick<Database, 'writer'>,
  vault: Pick<Vault, 'encrypt' | 'decrypt'>,
  number: number,
): Promise<Resealed> => {
  let texts = 0;
  const unreadable: string[] = [];
  for (const one of sealedColumns) {
    let after: unknown = one.isTextId === true ? '' : 0;
    for (;;) {
      const rows = await nextRows(writer, one, after, number);
      if (rows.length === 0) break;
      after = rows.at(-1)?.[one.id];
      const done = await resealRows(writer, vault, one, rows, number);
      texts += done.texts;
      unreadable.push(...done.unreadable);
    }
  }
  return { texts, unreadable };
};

const openOr = (open: () => string): string | undefined => {
  try {
    return open();
  } catch {
    return undefined;
  }
};

/**
 * Removes the copy of a new key that is encrypted with the previous key, once every node knows the new key and nothing
 * needs the previous one.
 */
export const endChange = async ({ writer }: Pick<Database, 'writer'>): Promise<void> => {
  const facts = writer.selectFrom('facts').select('value').where('key', '=', RING);
  const ring = await facts.executeTakeFirst();
  if (ring === undefined) return;
  await writer
    .updateTable('facts')
    .set({ value: endPassingOn(ring.value) })
    .where('key', '=', RING)
    .where('value', '=', ring.value)
    .execute();
};
