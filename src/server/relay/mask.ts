import type { Frame } from '../dialects/frame.ts';

const STAR = 0x2a;
/** Shorter texts are no keys, and would be found everywhere. */
const LEAST_LENGTH = 8;

/** Stars in place of our key, in the bytes themselves: an upstream that repeats it does not get it past us. */
export const mask = (bytes: Buffer, secret: Buffer): Buffer => {
  if (secret.length < LEAST_LENGTH) return bytes;
  for (let at = bytes.indexOf(secret); at !== -1; at = bytes.indexOf(secret, at)) {
    bytes.fill(STAR, at, at + secret.length);
  }
  return bytes;
};

/** Whether there is anything to mask. */
export const holdsSecret = (bytes: Buffer, secret: Buffer): boolean =>
  secret.length >= LEAST_LENGTH && bytes.includes(secret);

/** The same for a frame; its data is mostly a part of its raw bytes. */
export const maskFrame = ({ raw, data }: Frame, secret: Buffer): void => {
  mask(raw, secret);
  if (!isPartOf(data, raw)) mask(data, secret);
};

/** Small buffers share memory without being parts of one another. */
export const isPartOf = (part: Buffer, whole: Buffer): boolean =>
  part.buffer === whole.buffer &&
  part.byteOffset >= whole.byteOffset &&
  part.byteOffset + part.length <= whole.byteOffset + whole.length;
