/** Width and height of a picture, in pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Reads bytes of a file from its base64, of which only these are decoded. */
type BytesAt = (from: number, length: number) => Buffer;

const bytesOf = (data: string): BytesAt => {
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0;
  return (from, length) => {
    const first = Math.floor(from / 3);
    const text = data.slice(start + first * 4, start + Math.ceil((from + length) / 3) * 4);
    return Buffer.from(text, 'base64').subarray(from - first * 3, from - first * 3 + length);
  };
};

/** A file has at most this many segments before its picture: what programs write is a few dozen. */
const SEGMENTS_MAX = 2000;

/** JPEG: the frame header is behind segments of any length (ITU T.81, B.2.2). */
const sizeOfJpeg = (at: BytesAt): PictureSize | undefined => {
  for (let from = 2, segments = 0; segments < SEGMENTS_MAX; segments += 1) {
    const head = at(from, 9);
    if (head.length < 9 || head[0] !== 0xff) return undefined;
    const marker = head[1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: head.readUInt16BE(5), width: head.readUInt16BE(7) };
    // Fill bytes may stand before a marker.
    from += marker === 0xff ? 1 : 2 + head.readUInt16BE(2);
  }
  return undefined;
};

/** WebP: one of three kinds of chunk comes first (RFC 9649). */
const sizeOfWebp = (head: Buffer): PictureSize | undefined => {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = head.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
};

const HEAD_BYTES = 32;

const read = (at: BytesAt): PictureSize | undefined => {
  const head = at(0, HEAD_BYTES);
  if (head.length < HEAD_BYTES) return undefined;
  if (head.readUInt32BE(0) === 0x89_50_4e_47 && head.toString('latin1', 12, 16) === 'IHDR')
    return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
  if (head.toString('latin1', 0, 4) === 'GIF8')
    return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) };
  if (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP')
    return sizeOfWebp(head);
  return head.readUInt16BE(0) === 0xff_d8 ? sizeOfJpeg(at) : undefined;
};

/**
 * The size of a PNG, JPEG, GIF or WebP, as its header tells it. Undefined for anything else, such as an address.
 * @param data base64, or an address of data
 */
export const pictureSize = (data: string): PictureSize | undefined => {
  const size = read(bytesOf(data));
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
};
