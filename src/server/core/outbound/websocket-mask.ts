/** Below this, working by words takes longer than it saves. */
const FEW_BYTES = 64;

/**
 * XORs bytes of a WebSocket frame with the four bytes of its mask, over and over (RFC 6455, section 5.3), in place and by words
 * of four bytes.
 * @param from where in the frame's payload the bytes begin
 */
export const xorWithMask = (bytes: Uint8Array, mask: Uint8Array, from = 0): void => {
  const { length, buffer, byteOffset } = bytes;
  if (length < FEW_BYTES) {
    xorEach(bytes, mask, from, 0, length);
    return;
  }
  const before = -byteOffset & 3;
  xorEach(bytes, mask, from, 0, before);
  const words = new Int32Array(buffer, byteOffset + before, (length - before) >>> 2);
  const turned = Uint8Array.from([0, 1, 2, 3], (at) => mask[(from + before + at) & 3] ?? 0);
  const [word = 0] = new Int32Array(turned.buffer);
  for (let at = 0; at < words.length; at += 1) words[at] = (words[at] ?? 0) ^ word;
  xorEach(bytes, mask, from, before + words.length * 4, length);
};

const xorEach = (bytes: Uint8Array, mask: Uint8Array, from: number, start: number, end: number): void => {
  for (let at = start; at < end; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (mask[(from + at) & 3] ?? 0);
};
