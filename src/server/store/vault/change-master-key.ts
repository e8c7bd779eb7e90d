import type { Database } from '../database/database.ts';
import { checkOf, ringText, withNewKey } from './key-ring.ts';
import {
  forgetNextKey,
  type MasterKeyConfig,
  masterKeyOf,
  randomMasterKey,
  takeNextKey,
  unusable,
  writeNextKey,
} from './master-key.ts';
import { CHECK, masterKeyFor, readFacts, RING, ringOf } from './vault.ts';

/**
 * How long after its creation a new key starts to count. Running nodes learn of it within ten seconds, so each can read
 * what another encrypts with it.
 */
export const KEY_COUNTS_AFTER_MS = 60_000;

/** Where the new master key is, and the one before it; undefined if the operator keeps them. */
export type ChangedKey = { readonly keyFile: string; readonly before: string } | undefined;

/**
 * Replaces the master key of a database, also while nodes run. Running nodes keep their keys and learn of a new one,
 * with which everything stored is then encrypted again (`reseal.ts`). The database changes in one step. The new key is
 * written to disk before that step and into the key file after it; if the process is killed in between, the next start
 * completes the change. Throws `unavailable`, worded for the operator.
 * @param newText the new master key; empty for a random one, where the key is in a file
 */
export const changeMasterKey = async (
  database: Pick<Database, 'writer'>,
  config: MasterKeyConfig,
  newText: string,
  nowMs: number,
): Promise<ChangedKey> => {
  const { masterKeyText, keyFile } = config;
  const isInFile = masterKeyText === undefined;
  if (newText === '' && !isInFile)
    throw unusable('the new master key must be given in TOLLGATE_NEW_MASTER_KEY, as this one is given');
  const facts = await readFacts(database);
  const check = facts.get(CHECK);
  if (check === undefined) throw unusable('this database has no master key yet: start the server once');
  const master = masterKeyFor(config, facts);
  const text = newText === '' ? randomMasterKey() : newText;
  const next = masterKeyOf(text);
  if (next.equals(master)) throw unusable('the new master key is the one that is in use');
  const ring = ringOf(facts, master);
  const file = isInFile ? writeNextKey(keyFile, text) : undefined;
  const changed = {
    [RING]: ringText(withNewKey(ring, nowMs + KEY_COUNTS_AFTER_MS), next, nowMs),
    [CHECK]: checkOf(next, CHECK),
  };
  if (!(await replaceFacts(database, check, changed))) {
    if (file !== undefined) forgetNextKey(file);
    throw unusable('the master key was just changed by another command');
  }
  return file === undefined ? undefined : { keyFile, before: takeNextKey(keyFile, file, ring.keys.length) };
};

/** Returns false if the check value was changed since it was read. */
const replaceFacts = (
  { writer }: Pick<Database, 'writer'>,
  check: string,
  changed: Readonly<Record<string, string>>,
): Promise<boolean> =>
  writer.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('facts')
      .set({ value: changed[CHECK] ?? '' })
      .where('key', '=', CHECK)
      .where('value', '=', check)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    await transaction
      .insertInto('facts')
      .values({ key: RING, value: changed[RING] ?? '' })
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((is) => ({ value: is.ref('excluded.value') })),
      )
      .execute();
    return true;
  });
