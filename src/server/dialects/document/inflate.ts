import { constants, inflateRawSync, inflateSync } from 'node:zlib';

/** Thrown inside this folder: what a file holds cannot be told, or only at a cost that no caller may put on us. */
export class Untold extends Error {}

/** Unpacked text is rarely more than twenty times as long as its file. */
const MOST_TIMES = 200;
const MOST_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 1024 * 1024;

/** Unpacks streams of one file, up to a sum that bounds the time it takes. Throws `Untold` for more, or for broken data. */
export const inflater = (fileBytes: number): ((packed: Buffer, form: 'zlib' | 'raw') => Buffer) => {
  let left = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, fileBytes * MOST_TIMES));
  return (packed, form) => {
    try {
      const options = { maxOutputLength: left + 1, finishFlush: constants.Z_SYNC_FLUSH };
      const bytes = form === 'zlib' ? inflateSync(packed, options) : inflateRawSync(packed, options);
      left -= bytes.length;
      if (left >= 0) return bytes;
    } catch {
      // Told below.
    }
    throw new Untold();
  };
};
