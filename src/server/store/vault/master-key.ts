import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#core/error.ts';
import { makeFolderOf } from '../database/make-folder.ts';
import { closeFile, isNameTaken, nameWhole, syncFolder } from '../database/private-files.ts';

const KEY_BYTES = 32;
/** Stands between the name of the key file and a random ending, in the name of a key that is to replace it. */
const NEXT = '.next-';
/** The same for a file that is still being written. */
const PART = '.part-';

export interface MasterKeyConfig {
  /**
   * The master key from the operator: any text of at least 32 characters, whose entropy is the operator's
   * responsibility.
   */
  readonly masterKeyText?: string;
  /** Where the master key is stored if none is given: created on the first start, readable only by its owner. */
  readonly keyFile: string;
}

export const unusable = (sentence: string, cause?: unknown): AppError =>
  new AppError('unavailable', sentence, { cause });

/**
 * Writes the whole file and flushes it to the disk, or leaves no file: the database may depend on it a moment later.
 */
const writeKeyFile = (file: string, text: string): void => {
  const opened = openSync(file, 'wx', 0o600);
  try {
    // On an almost full disk a single write may write only a part, without an error.
    writeFileSync(opened, `${text}\n`);
    fsyncSync(opened);
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  } finally {
    closeSync(opened);
  }
};

/** Creates the key file in one step, so that it is complete once it has its name. Keeps an existing one. */
const makeKeyFile = (file: string): void => {
  // The file may be mounted in a folder that cannot be written to.
  if (isNameTaken(file)) return;
  makeFolderOf(file);
  const part = `${file}${PART}${randomBytes(4).toString('hex')}`;
  try {
    writeKeyFile(part, randomMasterKey());
    nameWhole(part, file);
  } catch (cause) {
    rmSync(part, { force: true });
    // Another node that starts at the same time has made it.
    if (!isNameTaken(file)) throw unusable(`the master key file ${file} cannot be made`, cause);
  }
};

export const randomMasterKey = (): string => randomBytes(KEY_BYTES).toString('base64url');

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
  if (mayMake) makeKeyFile(keyFile);
  try {
    // Read before the mode is changed, so that a folder named by mistake keeps its mode.
    const text = readRegularFile(keyFile).trim();
    closeFile(keyFile);
    return text;
  } catch (cause) {
    throw unusable(`the master key file ${keyFile} of this database cannot be read`, cause);
  }
};

/** Throws `unavailable` if the text is too short to be a key. */
export const masterKeyOf = (text: string): Buffer => {
  if (text.length < KEY_BYTES) throw unusable(`the master key must have at least ${KEY_BYTES} characters`);
  return Buffer.from(text);
};

/** Throws `unavailable`, worded for the operator, if there is none to be read. */
export const readMasterKey = ({ masterKeyText, keyFile }: MasterKeyConfig, mayMake: boolean): Buffer => {
  if (masterKeyText !== undefined) return masterKeyOf(masterKeyText);
  const text = readKeyFile(keyFile, mayMake);
  if (text.length < KEY_BYTES)
    throw unusable(`the master key file ${keyFile} is damaged; restore it from a backup`);
  return Buffer.from(text);
};

/**
 * Writes a new key beside the key file and flushes it to the disk, before the database depends on it. Returns its file.
 */
export const writeNextKey = (keyFile: string, text: string): string => {
  const next = `${realpathSync(keyFile)}${NEXT}${randomBytes(4).toString('hex')}`;
  try {
    writeKeyFile(next, text);
    syncFolder(next);
  } catch (cause) {
    throw unusable(`the new master key cannot be written to ${next}`, cause);
  }
  return next;
};

/** The keys in files beside the key file that were meant to replace it, by file. */
export const nextKeys = (keyFile: string): readonly { readonly file: string; readonly key: Buffer }[] => {
  const real = realpathSync(keyFile);
  const names = readdirSync(dirname(real)).filter((name) => name.startsWith(basename(real) + NEXT));
  return names.map((name) => {
    const file = join(dirname(real), name);
    return { file, key: Buffer.from(readRegularFile(file).trim()) };
  });
};

/**
 * Replaces the key file. The previous key stays beside it (as `….1` if it was the first), for the backups that need it.
 * A key file exists at every moment, so after a crash this can be repeated.
 * @returns where the previous key is
 */
export const takeNextKey = (keyFile: string, next: string, number: number): string => {
  const real = realpathSync(keyFile);
  let before = `${real}.${number}`;
  // Another command, or a node that is starting, has just done it.
  if (!existsSync(next)) return before;
  if (existsSync(before) && statSync(before).ino !== statSync(real).ino)
    before += `-${randomBytes(4).toString('hex')}`;
  if (!existsSync(before)) keepBeside(real, before);
  renameSync(next, real);
  syncFolder(real);
  return before;
};

/** Gives a file a second name, or copies it if the file system has no hard links. */
const keepBeside = (file: string, name: string): void => {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name, constants.COPYFILE_EXCL);
  }
};

export const forgetNextKey = (next: string): void => rmSync(next, { force: true });
