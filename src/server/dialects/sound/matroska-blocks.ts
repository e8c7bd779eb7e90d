import { BLOCKS, ebmlId, ebmlNumber } from './ebml.ts';
import { opusSeconds } from './opus-packet.ts';
import type { Heard, Walk } from './walk.ts';

/** Elements whose content is read: Segment, Cluster, BlockGroup, Tracks, TrackEntry. */
const ENTERED: ReadonlySet<number> = new Set([0x18538067, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae]);
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const CODEC = 0x86;
/** Compressed or encrypted content cannot be read. */
const ENCODINGS = 0x6d80;
const HEAD_BYTES = 12;
const BLOCK_HEAD_BYTES = 16;
const MOST_TEXT_BYTES = 64;
const MOST_TRACKS = 64;

interface Track {
  number: number;
  codec: string;
  isReadable: boolean;
}

/** Adds the duration of a block; without lacing, a block is one packet. */
const playBlock = (heard: Heard, tracks: readonly Track[], block: Buffer, size: number): void => {
  const number = ebmlNumber(block, 0);
  const track = tracks.find((one) => one.number === number?.value);
  if (track?.codec.startsWith('V_') === true) return;
  const at = (number?.length ?? 0) + 3;
  const isPlain = ((block[at - 1] ?? 0) & 6) === 0;
  if (track?.codec === 'A_OPUS' && track.isReadable && isPlain)
    heard.seconds += opusSeconds(block[at] ?? 0, block[at + 1] ?? 0);
  else heard.unknownBytes += size;
};

/** Counts Opus packets, regardless of the timestamps beside them. Other codecs are not read. */
export function* walkMatroska(heard: Heard): Walk {
  const tracks: Track[] = [];
  let bytes = yield [0, HEAD_BYTES];
  while (bytes.length > 0) {
    const id = ebmlId(bytes, 0);
    const size = id && ebmlNumber(bytes, id.length);
    const canSkip = size !== undefined && !size.isUnknown;
    if (id === undefined || size === undefined || !(canSkip || ENTERED.has(id.value))) {
      // An unknown element: nothing after it can be found.
      heard.unknownBytes += bytes.length;
      bytes = yield [bytes.length, 1];
      continue;
    }
    const headBytes = id.length + size.length;
    if (id.value === TRACK_ENTRY && tracks.length < MOST_TRACKS)
      tracks.push({ number: 0, codec: '', isReadable: true });
    const track = tracks.at(-1);
    const isOfTrack = id.value === TRACK_NUMBER || id.value === CODEC;
    if (ENTERED.has(id.value)) bytes = yield [headBytes, HEAD_BYTES];
    else if (BLOCKS.has(id.value)) {
      bytes = yield [headBytes, Math.min(size.value, BLOCK_HEAD_BYTES)];
      playBlock(heard, tracks, bytes, size.value);
      bytes = yield [size.value, HEAD_BYTES];
    } else if (isOfTrack && track !== undefined && size.value <= MOST_TEXT_BYTES) {
      bytes = yield [headBytes, size.value];
      const value = bytes.subarray(0, size.value);
      if (id.value === CODEC) track.codec = value.toString('latin1').replaceAll('\0', '');
      else track.number = value.reduce((sum, byte) => sum * 256 + byte, 0);
      bytes = yield [size.value, HEAD_BYTES];
    } else {
      if (id.value === ENCODINGS && track !== undefined) track.isReadable = false;
      bytes = yield [headBytes + size.value, HEAD_BYTES];
    }
  }
}
