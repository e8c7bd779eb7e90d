import type { Heard, Walk } from './walk.ts';

const MOST_HEAD_BYTES = 16;
const RATES = [
  0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
] as const;

export const isFlac = (head: Buffer): boolean => head.toString('latin1', 0, 4) === 'fLaC';

/** CRC-8 with the polynomial x^8 + x^2 + x + 1. */
const crc8 = (bytes: Buffer): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x80) === 0 ? (crc << 1) & 0xff : ((crc << 1) ^ 7) & 0xff;
  }
  return crc;
};

/** Parses the frame header at the beginning of these bytes; its own checksum must match (RFC 9639, 9.1). */
const frameAt = (
  bytes: Buffer,
  usualRate: number,
): { readonly bytes: number; readonly seconds: number } | undefined => {
  const [first, second = 0, third = 0, fourth = 0, fifth = 0] = bytes;
  if (first !== 0xff || (second & 0xfe) !== 0xf8 || (fourth & 1) === 1 || fourth >> 4 > 10) return undefined;
  const [size, speed] = [third >> 4, third & 15];
  // The frame number is encoded like UTF-8.
  const ones = Math.clz32(~(fifth << 24));
  let at = 4 + (ones === 0 ? 1 : ones);
  const sizeAt = at;
  at += size === 6 ? 1 : size === 7 ? 2 : 0;
  const speedAt = at;
  at += speed === 12 ? 1 : speed === 13 || speed === 14 ? 2 : 0;
  if (size === 0 || speed === 15 || bytes.length <= at || crc8(bytes.subarray(0, at)) !== bytes[at])
    return undefined;
  const samples =
    size === 1
      ? 192
      : size < 6
        ? 576 << (size - 2)
        : size > 7
          ? 256 << (size - 8)
          : bytes.readUIntBE(sizeAt, size - 5) + 1;
  const rate =
    speed < 12
      ? (RATES[speed] ?? 0)
      : speed === 12
        ? bytes.readUInt8(speedAt) * 1000
        : bytes.readUInt16BE(speedAt) * (speed === 14 ? 10 : 1);
  const known = rate || usualRate;
  return known === 0 ? undefined : { bytes: at + 1, seconds: samples / known };
};

/** Counts the frames, regardless of the number of samples in the file's header. */
export function* walkFlac(heard: Heard): Walk {
  let bytes = yield [4, 4];
  let rate = 0;
  for (let isLast = false; !isLast && bytes.length >= 4;) {
    const [head = 0, length] = [bytes[0], bytes.readUIntBE(1, 3)];
    isLast = head >= 128;
    if ((head & 127) === 0) {
      bytes = yield [0, 18];
      rate = bytes.length >= 18 ? bytes.readUIntBE(14, 3) >> 4 : 0;
    }
    bytes = yield [4 + length, 4];
  }
  bytes = yield [0, MOST_HEAD_BYTES];
  const before = heard.seconds;
  let passedBytes = 0;
  while (bytes.length > 0) {
    const frame = frameAt(bytes, rate);
    heard.seconds += frame?.seconds ?? 0;
    const next = bytes.indexOf(0xff, frame?.bytes ?? 1);
    const passed = next === -1 ? bytes.length : next;
    passedBytes += passed;
    bytes = yield [passed, MOST_HEAD_BYTES];
  }
  if (heard.seconds === before) heard.unknownBytes += passedBytes;
}
