import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** The permission bits of group and others. */
const OTHERS = 0o077;
/** The sticky bit: a folder shared by everybody, such as `/tmp`. */
const STICKY = 0o1000;
/** Files SQLite creates beside a database, with the database's mode. */
const BESIDE = ['', '-wal', '-shm', '-journal'] as const;

const codes = new Set(['EPERM', 'EROFS', 'ENOTSUP', 'EINVAL']);
const isCode = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.has(String(thrown.code));

/** A symbolic link leads to a file the operator put elsewhere. Its mode is changed only if we own it. */
const isAnothers = (path: string): boolean =>
  lstatSync(path).isSymbolicLink() && statSync(path).uid !== process.getuid?.();

const closeToOthers = (path: string, mode: number): void => {
  if ((statSync(path).mode & OTHERS) === 0 || isAnothers(path)) return;
  try {
    chmodSync(path, mode);
  } catch (thrown) {
    // A mounted secret, or a file system without modes.
    if (!isCode(thrown)) throw thrown;
  }
};

/** Removes everybody's access to a file except the owner's, if permitted. Throws if there is no such file. */
export const closeFile = (file: string): void => closeToOthers(file, FILE_MODE);

/** Creates a database file with access for the owner only, or restricts an existing one and the files beside it. */
export const closeDatabaseFile = (file: string): void => {
  // SQLite reports the failure itself, with the reason and the path.
  if (!existsSync(file)) makeEmpty(file);
  for (const end of BESIDE) if (existsSync(file + end)) closeFile(file + end);
};

const makeEmpty = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
  } catch {
    // SQLite reports this failure itself, too.
  }
};

/**
 * Removes everybody's access to our folder except the owner's. Folders of others, or shared by everybody, stay as
 * they are.
 */
export const closeFolder = (folder: string): void => {
  if (!existsSync(folder) || dirname(folder) === folder) return;
  // Follows links: the mode is the folder's own.
  const { mode, uid } = statSync(folder);
  if ((mode & STICKY) === 0 && uid === process.getuid?.()) closeToOthers(folder, FOLDER_MODE);
};

/** Whether a name is in use, even by a link to a missing file. */
export const isNameTaken = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false }) !== undefined;

/**
 * Gives a completely written file its final name. A file of that name is therefore always complete, even if the process
 * was killed. Replaces nothing: throws `EEXIST` if the name is taken.
 */
export const nameWhole = (part: string, file: string): void => {
  try {
    linkSync(part, file);
    rmSync(part);
  } catch (thrown) {
    // Some file systems have no hard links. On those, a file that gets the name between the check and the renaming is
    // replaced.
    if (isNameTaken(file)) throw thrown;
    renameSync(part, file);
  }
  syncFolder(file);
};

/** Makes new names in the file's folder survive a loss of power. Windows has no call for that. */
export const syncFolder = (file: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(file), constants.O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
