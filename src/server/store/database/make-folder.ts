import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#core/error.ts';

const OWNER_ONLY = 0o700;

/**
 * Creates folders one by one. Node's recursive `mkdir` never returns below `/proc`, where no folder can be created.
 */
const makeMissing = (folder: string, mode?: number): void => {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another node that started at the same time may have made it.
    if (!existsSync(folder)) throw thrown;
  }
};

/**
 * Makes the folder of a file, and those above it, with access for the owner only. Throws `unavailable`, worded for
 * the operator.
 */
export const makeFolderOf = (file: string): void => {
  const folder = dirname(file);
  try {
    makeMissing(folder, OWNER_ONLY);
  } catch (cause) {
    throw new AppError('unavailable', `the folder ${folder} cannot be made`, { cause });
  }
};
