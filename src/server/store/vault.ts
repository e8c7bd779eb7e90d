import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { AppError } from '#core/error.ts';
import type { Vault } from '#core/secrets/vault.ts';
import type { Database } from './database/database.ts';
import { makeFolderOf } from './database/make-folder.ts';
import { closeFile } from './database/private-files.ts';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Encrypted texts begin with the version of their encryption, so that it can be replaced later. */
const VERSION = 'v1.';
const CHECK = 'master_key_check';

export interface VaultConfig {
  /**
   * The master key from the operator: any text of at least 32 characters, whose entropy is the operator's
   * responsibility.
   */
  readonly masterKeyText?: string;
  /** Where the master key is stored if none is given: created on the first start, readable only by its owner. */
  readonly keyFile: string;
}

const derived = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `tollgate ${purpose}`, KEY_BYTES));

const isCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code;

const makeKeyFile = (keyFile: string): void => {
  makeFolderOf(keyFile);
  const file = openSync(keyFile, 'wx', 0o600);
  writeSync(file, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  fsyncSync(file);
  closeSync(file);
};

const unusable = (sentence: string): AppError => new AppError('unavailable', sentence);

/** Reads regular files only: a pipe would block the start, and some devices never end. */
const readRegularFile = (path: string): string => {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a file`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
};

/** A missing file is not replaced once the database has data, which is encrypted under the key that was in it. */
const readKeyFile = (keyFile: string, mayMake: boolean): string => {
  try {
    if (mayMake) makeKeyFile(keyFile);
  } catch (thrown) {
    if (!isCode(thrown, 'EEXIST')) throw thrown;
  }
  try {
    // Read before the mode is changed, so that a folder named by mistake keeps its mode.
    const text = readRegularFile(keyFile).trim();
    closeFile(keyFile);
    return text;
  } catch (cause) {
    throw new AppError('unavailable', `the master key file ${keyFile} of this database cannot be read`, {
      cause,
    });
  }
};

const masterKey = ({ masterKeyText, keyFile }: VaultConfig, mayMake: boolean): Buffer => {
  if (masterKeyText !== undefined) {
    if (masterKeyText.length < KEY_BYTES)
      throw unusable(`the master key must have at least ${KEY_BYTES} characters`);
    return Buffer.from(masterKeyText);
  }
  const text = readKeyFile(keyFile, mayMake);
  if (text.length < KEY_BYTES)
    throw unusable(`the master key file ${keyFile} is damaged; restore it from a backup`);
  return Buffer.from(text);
};

const vaultOf = (master: Buffer): Vault => {
  const sealKey = derived(master, 'encryption');
  const macKey = derived(master, 'lookup');
  return {
    encrypt: (plain, place) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, iv).setAAD(Buffer.from(place));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return VERSION + Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt: (sealed, place) => {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
      if (!sealed.startsWith(VERSION) || bytes.length < IV_BYTES + TAG_BYTES)
        throw new Error('not a sealed text');
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(place))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const body = bytes.subarray(IV_BYTES, -TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    mac: (plain) => createHmac('sha256', macKey).update(plain).digest('base64url'),
  };
};

/**
 * The vault of a database. The first master key a database sees is remembered by a check value.
 * Throws `unavailable` with a sentence for the operator when the key is another one than this database was made with,
 * or when its file is lost.
 */
export const openVault = async (database: Database, config: VaultConfig): Promise<Vault> => {
  const facts = database.writer.selectFrom('facts').select('value').where('key', '=', CHECK);
  const master = masterKey(config, (await facts.executeTakeFirst()) === undefined);
  const check = createHmac('sha256', derived(master, 'check')).update(CHECK).digest('base64url');
  await database.writer
    .insertInto('facts')
    .values({ key: CHECK, value: check })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await facts.executeTakeFirstOrThrow();
  const [known, given] = [Buffer.from(value), Buffer.from(check)];
  if (known.length !== given.length || !timingSafeEqual(known, given)) {
    const source =
      config.masterKeyText === undefined ? `the key file ${config.keyFile}` : 'the configured master key';
    throw unusable(
      `${source} is not the one this database was made with: its keys cannot be opened. Bring back the old key.`,
    );
  }
  return vaultOf(master);
};
