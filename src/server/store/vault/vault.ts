import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AppError } from '#core/error.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Database } from '../database/database.ts';
import { decryptWith, encryptWith } from './cipher.ts';
import {
  changedAtMs,
  checkOf,
  firstRing,
  type KeyRing,
  learnRing,
  openRing,
  type RingKey,
} from './key-ring.ts';
import { type MasterKeyConfig, nextKeys, readMasterKey, takeNextKey, unusable } from './master-key.ts';

/** Facts of a database: which master key it belongs to, and its keys once that was changed. */
export const CHECK = 'master_key_check';
export const RING = 'key_ring';

/** A vault that follows changes of the master key, which another process may make while this one runs. */
export interface OpenVault extends Vault {
  /**
   * Reads the keys again. A key counts from its time on, so that by then every node can read what it encrypts.
   * @returns the key that counts now
   */
  follow(nowMs: number): Promise<RingKey>;
}

const isSame = (one: string, other: string): boolean => {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** The stored facts, by name. */
export const readFacts = async ({
  writer,
}: Pick<Database, 'writer'>): Promise<ReadonlyMap<string, string>> => {
  const rows = await writer.selectFrom('facts').selectAll().where('key', 'in', [CHECK, RING]).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
};

/**
 * The master key of a database. Completes a change of it that was interrupted after the database had the new key and
 * before the key file had it. Throws `unavailable`, worded for the operator, if the key is another one.
 */
export const masterKeyFor = (config: MasterKeyConfig, facts: ReadonlyMap<string, string>): Buffer => {
  const check = facts.get(CHECK);
  const master = readMasterKey(config, check === undefined);
  if (check === undefined || isSame(check, checkOf(master, CHECK))) return master;
  const { masterKeyText, keyFile } = config;
  const ring = facts.get(RING);
  if (masterKeyText === undefined && ring !== undefined) {
    const next = nextKeys(keyFile).find(({ key }) => isSame(check, checkOf(key, CHECK)));
    if (next !== undefined) {
      takeNextKey(keyFile, next.file, openRing(ring, next.key).keys.length - 1);
      return next.key;
    }
  }
  throw wrongKey(config, ring === undefined ? undefined : new Date(changedAtMs(ring)).toISOString());
};

const wrongKey = ({ masterKeyText, keyFile }: MasterKeyConfig, changedAt: string | undefined): AppError => {
  const source = masterKeyText === undefined ? `the key file ${keyFile}` : 'the configured master key';
  return unusable(
    changedAt === undefined
      ? `${source} is not the one this database was made with: its keys cannot be opened. Bring back the old key.`
      : `${source} is not the one of this database, which has another since ${changedAt}. Bring the new key.`,
  );
};

/** The key ring of a database, opened with its master key. */
export const ringOf = (facts: ReadonlyMap<string, string>, master: Buffer): KeyRing => {
  const text = facts.get(RING);
  return text === undefined ? firstRing(master) : openRing(text, master);
};

/** The newest key that counts at this time. */
const countingAt = ({ keys: [first, ...later] }: KeyRing, nowMs: number): RingKey => {
  if (first === undefined) throw new Error('a ring has at least one key');
  return later.findLast(({ fromMs }) => fromMs <= nowMs) ?? first;
};

const vaultOf = (
  database: Pick<Database, 'writer'>,
  opened: KeyRing,
  text: string | undefined,
): OpenVault => {
  let ring = opened;
  let known = text;
  // No clock is needed here: a key that some nodes may not know yet is still passed on.
  let current = opened.keys.findLast(({ isPassedOn }) => !isPassedOn) ?? countingAt(opened, 0);
  return {
    encrypt: (plain, place) => encryptWith(current, plain, place),
    decrypt: (sealed, place) => decryptWith(ring.keys, sealed, place),
    mac: (plain) => createHmac('sha256', ring.lookup).update(plain).digest('base64url'),
    async follow(nowMs) {
      const stored = (await readFacts(database)).get(RING);
      if (stored !== known && stored !== undefined) {
        ring = learnRing(stored, ring);
        known = stored;
      }
      current = countingAt(ring, nowMs);
      return current;
    },
  };
};

/**
 * The vault of a database. The first master key a database sees is remembered by a check value.
 * Throws `unavailable` with a sentence for the operator when the key is another one, or when its file is lost.
 */
export const openVault = async (
  database: Pick<Database, 'writer'>,
  config: MasterKeyConfig,
): Promise<OpenVault> => {
  let facts = await readFacts(database);
  if (!facts.has(CHECK)) {
    await database.writer
      .insertInto('facts')
      .values({ key: CHECK, value: checkOf(masterKeyFor(config, facts), CHECK) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    // Another node may have been faster, with another key.
    facts = await readFacts(database);
  }
  return vaultOf(database, ringOf(facts, masterKeyFor(config, facts)), facts.get(RING));
};
