/** Whether a file has elements as WebM and Matroska do (RFC 8794). */
export const isEbml = (head: Buffer): boolean => head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3;

/** Elements that have many blocks of sound or film: SimpleBlock, Block (RFC 9559). */
export const BLOCKS: ReadonlySet<number> = new Set([0xa3, 0xa1]);

/** A variable-length number (RFC 8794, 4); undefined if its bytes end before it does. */
export const ebmlNumber = (bytes: Buffer, at: number) => numberAt(bytes, at, 'without-mark');

/** The id of an element, which is such a number with its mark of length. */
export const ebmlId = (bytes: Buffer, at: number) => numberAt(bytes, at, 'with-mark');

const numberAt = (bytes: Buffer, at: number, kind: 'with-mark' | 'without-mark') => {
  const length = Math.clz32((bytes[at] ?? 0) << 24) + 1;
  if (length > 8 || at + length > bytes.length) return undefined;
  let value = kind === 'with-mark' ? (bytes[at] ?? 0) : (bytes[at] ?? 0) & ((1 << (8 - length)) - 1);
  let isUnknown = value === (1 << (8 - length)) - 1;
  for (let next = at + 1; next < at + length; next += 1) {
    value = value * 256 + (bytes[next] ?? 0);
    isUnknown &&= bytes[next] === 255;
  }
  return { value, length, isUnknown };
};
