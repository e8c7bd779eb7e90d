import { chmodSync, closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** The bits of everybody but the owner. */
const OTHERS = 0o077;
/** Folders that belong to everybody, `/tmp` among them. */
const STICKY = 0o1000;
/** What SQLite makes beside a database; each gets the mode of the database when it is made. */
const BESIDE = ['', '-wal', '-shm', '-journal'] as const;

const codes = new Set(['EPERM', 'EROFS', 'ENOTSUP', 'EINVAL']);
const isCode = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && codes.has(String(thrown.code));

const closeToOthers = (path: string, mode: number): void => {
  if ((statSync(path).mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode);
  } catch (thrown) {
    // Somebody else looks after it: a mounted secret, a system without modes.
    if (!isCode(thrown)) throw thrown;
  }
};

/** Takes a file from everybody but its owner, where it may. Throws where there is none. */
export const closeFile = (file: string): void => closeToOthers(file, FILE_MODE);

/** Makes the file of a database, or closes the one that is there, so that all that SQLite keeps is its owner's alone. */
export const closeDatabaseFile = (file: string): void => {
  // What cannot be made is told by SQLite, which knows why and where.
  if (!existsSync(file)) makeEmpty(file);
  for (const end of BESIDE) if (existsSync(file + end)) closeFile(file + end);
};

const makeEmpty = (file: string): void => {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
  } catch {
    // As above.
  }
};

/** Takes a folder of ours from everybody else; one that is another's, or everybody's, stays as it is. */
export const closeFolder = (folder: string): void => {
  if (!existsSync(folder) || dirname(folder) === folder) return;
  const { mode, uid } = lstatSync(folder);
  if ((mode & STICKY) === 0 && uid === process.getuid?.()) closeToOthers(folder, FOLDER_MODE);
};
