const CR = 0x0d;
const LF = 0x0a;

/** One chunk of a chunked body (RFC 9112, 7.1). */
export const chunkFrame = (bytes: Buffer): Buffer => {
  const size = `${bytes.length.toString(16)}\r\n`;
  const frame = Buffer.allocUnsafe(size.length + bytes.length + 2);
  frame.write(size, 0, 'latin1');
  bytes.copy(frame, size.length);
  frame[frame.length - 2] = CR;
  frame[frame.length - 1] = LF;
  return frame;
};
