import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { AppError } from '#core/error.ts';

const OWNERS_ALONE = 0o700;

/** One folder after the other: Node's recursive `mkdir` never returns below `/proc`, where nothing can be made. */
const makeMissing = (folder: string, mode?: number): void => {
  if (existsSync(folder)) return;
  makeMissing(dirname(folder));
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another node that starts at the same time was faster.
    if (!existsSync(folder)) throw thrown;
  }
};

/**
 * Makes the folder a file is to lie in, its owner's alone, and those above it. Throws `unavailable` with a sentence for the operator where
 * it cannot be made.
 */
export const makeFolderOf = (file: string): void => {
  const folder = dirname(file);
  try {
    makeMissing(folder, OWNERS_ALONE);
  } catch (cause) {
    throw new AppError('unavailable', `the folder ${folder} cannot be made`, { cause });
  }
};
