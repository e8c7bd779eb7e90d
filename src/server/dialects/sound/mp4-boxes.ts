import { AAC_RATES } from './mpeg-frames.ts';
import type { Heard, Walk } from './walk.ts';

/** Boxes whose content is boxes (ISO 14496-12). */
const ENTERED: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']);
const READ: ReadonlySet<string> = new Set(['tkhd', 'hdlr', 'stsd', 'stsz', 'stz2', 'tfhd', 'trun']);
const HEAD_BYTES = 16;
/** How much of a box is read: codec descriptions are short. */
const MOST_READ_BYTES = 1024;
const MOST_TRACKS = 64;
const AAC_SAMPLES = 1024;
const AAC_OBJECT = 0x40;
/** Object types whose frames all have the same number of samples: Main, LC, SSR, LTP, SBR, PS. */
const AAC_KINDS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 29]);

export const isMp4 = (head: Buffer): boolean => head.toString('latin1', 4, 8) === 'ftyp';

interface Track {
  id: number;
  isSound: boolean;
  samples: number;
  /** The duration of one sample; undefined for a codec that is not read here. */
  seconds: number | undefined;
}

/** The position after a descriptor's tag and length, which takes up to four bytes (ISO 14496-1, 8.3.3). */
const contentAt = (bytes: Buffer, tagAt: number): number => {
  let at = tagAt + 1;
  while (at < tagAt + 4 && (bytes[at] ?? 0) >= 128) at += 1;
  return at + 1;
};

/**
 * The duration of one AAC sample, from the codec's own configuration, because players use that (ISO 14496-3, 1.6.2.1).
 */
const aacSeconds = (entry: Buffer): number | undefined => {
  const at = entry.indexOf('esds', 0, 'latin1');
  if (at === -1) return undefined;
  const es = contentAt(entry, at + 8);
  const flags = entry[es + 2] ?? 0;
  if (entry[at + 8] !== 3 || (flags & 0xe0) !== 0 || entry[es + 3] !== 4) return undefined;
  const decoder = contentAt(entry, es + 3);
  const setUpTag = decoder + 13;
  if (entry[decoder] !== AAC_OBJECT || entry[setUpTag] !== 5) return undefined;
  const setUp = contentAt(entry, setUpTag);
  if (setUp + 2 > entry.length) return undefined;
  const bits = entry.readUInt16BE(setUp);
  const rate = AAC_RATES[(bits >> 7) & 15];
  return AAC_KINDS.has(bits >> 11) && rate !== undefined ? AAC_SAMPLES / rate : undefined;
};

const alacSeconds = (entry: Buffer): number | undefined => {
  const at = entry.indexOf('alac', 8, 'latin1');
  if (at === -1 || at + 32 > entry.length) return undefined;
  const [samples, rate] = [entry.readUInt32BE(at + 8), entry.readUInt32BE(at + 28)];
  return rate === 0 ? undefined : samples / rate;
};

const secondsOf = (table: Buffer): number | undefined => {
  // The box begins with version and flags, the number of descriptions, and the first one's size and format.
  if (table.length < 16 || table.readUInt32BE(4) !== 1) return undefined;
  const format = table.toString('latin1', 12, 16);
  if (format === 'mp4a') return aacSeconds(table.subarray(8));
  return format === 'alac' ? alacSeconds(table.subarray(16)) : undefined;
};

/** The tracks as described by the boxes. */
class Tracks {
  readonly #all: Track[] = [];
  #fragment: Track | undefined;

  begin(): void {
    if (this.#all.length < MOST_TRACKS)
      this.#all.push({ id: 0, isSound: false, samples: 0, seconds: undefined });
  }

  read(type: string, box: Buffer): void {
    const track = this.#all.at(-1);
    if (track === undefined || box.length < 8) return;
    const at = (place: number): number => (box.length >= place + 4 ? box.readUInt32BE(place) : 0);
    if (type === 'tkhd') track.id = at(box[0] === 1 ? 20 : 12);
    else if (type === 'hdlr') track.isSound = box.toString('latin1', 8, 12) === 'soun';
    else if (type === 'stsd') track.seconds = secondsOf(box);
    else if (type === 'stsz' || type === 'stz2') track.samples += at(8);
    else if (type === 'tfhd') this.#fragment = this.#all.find(({ id }) => id === at(4));
    else if (this.#fragment !== undefined) this.#fragment.samples += at(4);
  }

  /**
   * The duration of the longest track, because players play one of them. Undefined if a track cannot be read, or there
   * is none.
   */
  longest(): number | undefined {
    const sounds = this.#all.filter(({ isSound }) => isSound);
    if (sounds.length === 0 || sounds.some(({ seconds, samples }) => seconds === undefined || samples === 0))
      return undefined;
    return Math.max(...sounds.map(({ seconds = 0, samples }) => seconds * samples));
  }
}

/** Counts audio samples, regardless of the durations stated in the boxes. */
export function* walkMp4(heard: Heard): Walk {
  const tracks = new Tracks();
  let passedBytes = 0;
  let bytes = yield [0, HEAD_BYTES];
  while (bytes.length >= 8) {
    const type = bytes.toString('latin1', 4, 8);
    const short = bytes.readUInt32BE(0);
    const isLong = short === 1 && bytes.length >= HEAD_BYTES;
    const headBytes = isLong ? HEAD_BYTES : 8;
    const size = isLong ? Number(bytes.readBigUInt64BE(8)) : short === 0 ? Infinity : short;
    const length = Math.min(Number.MAX_SAFE_INTEGER, Math.max(headBytes, size));
    if (type === 'trak') tracks.begin();
    if (ENTERED.has(type)) {
      passedBytes += headBytes;
      bytes = yield [headBytes, HEAD_BYTES];
      continue;
    }
    passedBytes += length;
    if (!READ.has(type)) {
      bytes = yield [length, HEAD_BYTES];
      continue;
    }
    const wanted = Math.min(length - headBytes, MOST_READ_BYTES);
    bytes = yield [headBytes, wanted];
    tracks.read(type, bytes.subarray(0, wanted));
    bytes = yield [length - headBytes, HEAD_BYTES];
  }
  const seconds = tracks.longest();
  if (seconds === undefined) heard.unknownBytes = Infinity;
  else heard.seconds += seconds;
}
