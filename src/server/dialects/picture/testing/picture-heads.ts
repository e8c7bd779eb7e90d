/* The beginnings of picture files, written by the formats' documents, with zeros in place of the picture. */

const REST = Buffer.alloc(3000);

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number): Buffer => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
const le16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8]);
const le24 = (value: number): Buffer => Buffer.from([value & 0xff, (value >> 8) & 0xff, value >> 16]);
const word = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A segment of a JPEG. */
const segment = (marker: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(bytes.length + 2), bytes]);

export const pngOf = (width: number, height: number): Buffer =>
  Buffer.concat([word('\u0089PNG\r\n\u001a\n'), u32(13), word('IHDR'), u32(width), u32(height), REST]);

export const gifOf = (width: number, height: number): Buffer =>
  Buffer.concat([word('GIF89a'), le16(width), le16(height), REST]);

/** With the large segments that cameras and editors write before the picture, a smaller picture among them. */
export const jpegOf = (width: number, height: number, frame = 0xc0): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, Buffer.concat([word('Exif\0\0'), Buffer.alloc(60_001, 0xff), jpegFrame(160, 120, 0xc0)])),
    segment(0xe2, Buffer.alloc(65_000)),
    segment(0xc4, Buffer.alloc(30)),
    Buffer.from([0xff, 0xff]),
    jpegFrame(width, height, frame),
    REST,
  ]);

const jpegFrame = (width: number, height: number, frame: number): Buffer =>
  segment(frame, Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.alloc(10)]));

const riff = (kind: string, rest: Buffer): Buffer =>
  Buffer.concat([word('RIFF'), u32(9999), word('WEBP'), word(kind), u32(9999), rest, REST]);

export const webpOf = {
  lossy: (width: number, height: number): Buffer =>
    riff('VP8 ', Buffer.concat([Buffer.from([1, 2, 3, 0x9d, 1, 0x2a]), le16(width), le16(height)])),
  lossless: (width: number, height: number): Buffer => {
    const bits = Buffer.alloc(5, 0x2f);
    bits.writeUInt32LE(((height - 1) * 0x4000 + (width - 1)) >>> 0, 1);
    return riff('VP8L', bits);
  },
  extended: (width: number, height: number): Buffer =>
    riff('VP8X', Buffer.concat([Buffer.alloc(4), le24(width - 1), le24(height - 1)])),
};
