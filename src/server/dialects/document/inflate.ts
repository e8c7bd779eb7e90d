import { constants, inflateRawSync, inflateSync } from 'node:zlib';

/** Thrown inside this folder: what a file holds cannot be told, or only at a cost that no caller may put on us. */
export class Untold extends Error {}

/** What is unpacked of a file at most: so many times its size, and so many bytes. */
interface Room {
  readonly times: number;
  readonly bytes: number;
}

/** Texts are rarely packed to less than a twentieth. */
const AMONG_CALLS: Room = { times: 50, bytes: 2 * 1024 * 1024 };
const ALONE: Room = { times: 200, bytes: 32 * 1024 * 1024 };

let room = AMONG_CALLS;

/** Says that this thread serves no calls, so that larger files may be unpacked in it. */
export const mayTakeLong = (): void => {
  room = ALONE;
};

/** Unpacks streams of one file, up to a sum that bounds the time it takes. Throws `Untold` for more, or for broken data. */
export const inflater = (fileBytes: number): ((packed: Buffer, form: 'zlib' | 'raw') => Buffer) => {
  let left = Math.min(room.bytes, fileBytes * room.times);
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
