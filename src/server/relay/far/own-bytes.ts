import { afterOthers } from '#core/time/after-others.ts';

/** The number of bytes copied in one step. */
const COPIED_BYTES = 2 * 1024 * 1024;

/**
 * Joins pieces in one buffer that can be transferred to another thread. Copies in steps, so that other work runs in
 * between.
 */
export const copied = async (pieces: readonly Buffer[]): Promise<Uint8Array> => {
  const copy = new Uint8Array(new ArrayBuffer(pieces.reduce((length, piece) => length + piece.length, 0)));
  let at = 0;
  let sincePause = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += COPIED_BYTES) {
      const part = piece.subarray(from, from + COPIED_BYTES);
      copy.set(part, at);
      at += part.length;
      sincePause += part.length;
      if (sincePause < COPIED_BYTES) continue;
      sincePause = 0;
      await afterOthers();
    }
  }
  return copy;
};

/** Bytes with an ArrayBuffer of their own, which can be transferred without copying. */
export const ofItsOwn = (body: Buffer | string): Uint8Array => {
  if (
    typeof body !== 'string' &&
    body.buffer instanceof ArrayBuffer &&
    body.length === body.buffer.byteLength
  )
    return body;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const own = Buffer.from(new ArrayBuffer(length));
  if (typeof body === 'string') own.write(body);
  else body.copy(own);
  return own;
};

/** The same bytes as a Buffer: a transfer turns a Buffer into a Uint8Array. */
export const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

/** The same pieces in one buffer; many megabytes are copied in steps. */
export const joined = async (pieces: readonly Buffer[]): Promise<Buffer> => {
  const [only = Buffer.alloc(0)] = pieces;
  if (pieces.length < 2) return only;
  const bytes = pieces.reduce((length, piece) => length + piece.length, 0);
  return bytes > COPIED_BYTES ? bufferOf(await copied(pieces)) : Buffer.concat(pieces);
};
