import type { Heard, Walk } from './walk.ts';

/** Kilobits per second by index: version 1 layers 1 to 3, then versions 2 and 2.5 layer 1, and layers 2 and 3. */
const RATES: readonly (readonly number[])[] = [
  [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const SAMPLES_A_SECOND = [44_100, 48_000, 32_000] as const;
/** The sample rates of AAC, by index. */
export const AAC_RATES: readonly number[] = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];
const ADTS_HEAD_BYTES = 7;

interface Frame {
  readonly bytes: number;
  readonly seconds: number;
}

const adtsFrame = (head: Buffer): Frame | undefined => {
  if (head.length < ADTS_HEAD_BYTES) return undefined;
  const [, , third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0] = head;
  const rate = AAC_RATES[(third >> 2) & 15];
  const bytes = ((fourth & 3) << 11) | (fifth << 3) | (sixth >> 5);
  if (rate === undefined || bytes < ADTS_HEAD_BYTES) return undefined;
  return { bytes, seconds: (((seventh & 3) + 1) * 1024) / rate };
};

/** The frame of MPEG audio, or of AAC in ADTS, that begins here (ISO 11172-3 2.4.1.3, 13818-3, 13818-7 6.2). */
const frameAt = (head: Buffer): Frame | undefined => {
  const [first, second = 0, third = 0] = head;
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const [version, layer] = [(second >> 3) & 3, 4 - ((second >> 1) & 3)];
  if (layer === 4) return (second & 0xf0) === 0xf0 ? adtsFrame(head) : undefined;
  const atFull = SAMPLES_A_SECOND[(third >> 2) & 3];
  const row = version === 3 ? layer - 1 : layer === 1 ? 3 : 4;
  const kilobits = RATES[row]?.[third >> 4] ?? 0;
  if (version === 1 || atFull === undefined || kilobits === 0) return undefined;
  const rate = version === 3 ? atFull : version === 2 ? atFull / 2 : atFull / 4;
  const samples = layer === 1 ? 384 : layer === 3 && version !== 3 ? 576 : 1152;
  const [slot, padding] = [layer === 1 ? 4 : 1, (third >> 1) & 1];
  const slots = Math.floor((samples / 8 / slot) * ((kilobits * 1000) / rate)) + padding;
  return { bytes: slots * slot, seconds: samples / rate };
};

const ID3_BYTES = 10;
const isId3 = (head: Buffer): boolean => head.toString('latin1', 0, 3) === 'ID3';
const id3Bytes = (head: Buffer): number =>
  ID3_BYTES +
  [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 127), 0) +
  (((head[5] ?? 0) & 16) === 0 ? 0 : ID3_BYTES);

export const isMpeg = (head: Buffer): boolean => isId3(head) || frameAt(head) !== undefined;

/** Counts the frames, regardless of any header: players play them one after the other. */
export function* walkMpeg(heard: Heard): Walk {
  let bytes = yield [0, ID3_BYTES];
  /** Tags do not count as audio if audio follows them. */
  let tagBytes = 0;
  while (bytes.length > 0) {
    const frame = frameAt(bytes);
    if (frame !== undefined) {
      heard.seconds += frame.seconds;
      tagBytes = 0;
      bytes = yield [frame.bytes, ID3_BYTES];
    } else if (isId3(bytes) && bytes.length >= ID3_BYTES) {
      const length = id3Bytes(bytes);
      tagBytes += length;
      bytes = yield [length, ID3_BYTES];
    } else {
      const next = bytes.indexOf(0xff, 1);
      const passed = next === -1 ? bytes.length : next;
      heard.unknownBytes += passed;
      bytes = yield [passed, ID3_BYTES];
    }
  }
  heard.unknownBytes += tagBytes;
}

const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];
const WIDE_MARK = '#!AMR-WB\n';
const NARROW_MARK = '#!AMR\n';

export const isAmr = (head: Buffer): boolean => head.toString('latin1', 0, 5) === '#!AMR';

/** Every frame lasts 20 ms, even silence (RFC 4867, 5.3). */
export function* walkAmr(heard: Heard): Walk {
  const head = yield [0, WIDE_MARK.length];
  const isWide = head.toString('latin1', 0, WIDE_MARK.length) === WIDE_MARK;
  let bytes = yield [isWide ? WIDE_MARK.length : NARROW_MARK.length, 1];
  while (bytes.length > 0) {
    // Take all frames available, so that one-byte frames do not cost a step each.
    let at = 0;
    while (at < bytes.length) {
      heard.seconds += 0.02;
      at += 1 + ((isWide ? WIDE : NARROW)[((bytes[at] ?? 0) >> 3) & 15] ?? 0);
    }
    bytes = yield [at, 1];
  }
}
