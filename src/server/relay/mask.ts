import type { Secrets } from '#core/secrets.ts';
import type { Frame } from '../dialects/frame.ts';

/** Stars in place of our key in a frame; its data is mostly a part of its raw bytes. */
export const maskFrame = ({ raw, data }: Frame, secrets: Secrets): void => {
  secrets.mask(raw);
  if (!isPartOf(data, raw)) secrets.mask(data);
};

/** Small buffers share memory without being parts of one another. */
export const isPartOf = (part: Buffer, whole: Buffer): boolean =>
  part.buffer === whole.buffer &&
  part.byteOffset >= whole.byteOffset &&
  part.byteOffset + part.length <= whole.byteOffset + whole.length;
