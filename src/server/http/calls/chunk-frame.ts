import type { Writable } from 'node:stream';

const CR = 0x0d;
const LF = 0x0a;
/** The end of a chunked body. */
export const LAST_CHUNK = '0\r\n\r\n';
const DIGITS = Buffer.from('0123456789abcdef');

/** One chunk of a chunked body (RFC 9112, 7.1). */
export const chunkFrame = (bytes: Buffer): Buffer => {
  let digits = 1;
  for (let rest = bytes.length >>> 4; rest > 0; rest >>>= 4) digits += 1;
  const frame = Buffer.allocUnsafe(digits + bytes.length + 4);
  for (let at = digits - 1, rest = bytes.length; at >= 0; at -= 1, rest >>>= 4)
    frame[at] = DIGITS[rest & 15] ?? 0;
  frame[digits] = CR;
  frame[digits + 1] = LF;
  frame.set(bytes, digits + 2);
  frame[frame.length - 2] = CR;
  frame[frame.length - 1] = LF;
  return frame;
};

/** A longer chunk is not copied to be framed: its three parts leave in one system call. */
const COPIED_MAX_BYTES = 8 * 1024;
const LINE_BREAK = Buffer.from('\r\n');

/** Writes one chunk, which nobody changes any more; false if the socket has no room for another. */
export const writeChunk = (socket: Writable, bytes: Buffer): boolean => {
  if (bytes.length <= COPIED_MAX_BYTES) return socket.write(chunkFrame(bytes));
  socket.cork();
  socket.write(Buffer.from(`${bytes.length.toString(16)}\r\n`, 'latin1'));
  socket.write(bytes);
  const hasRoom = socket.write(LINE_BREAK);
  socket.uncork();
  return hasRoom;
};

/** The last chunk of a body with bytes, and its end, in one piece. */
export const lastChunkFrame = (bytes: Buffer): Buffer =>
  Buffer.concat([chunkFrame(bytes), Buffer.from(LAST_CHUNK)]);
