import { BLOCKS, ebmlId, ebmlNumber } from '../sound/ebml.ts';
import { Untold } from './inflate.ts';

/** Segment, Info, Cluster, BlockGroup, Tracks, TrackEntry (RFC 9559). */
const ENTERED: ReadonlySet<number> = new Set([0x18538067, 0x1549a966, 0x1f43b675, 0xa0, 0x1654ae6b, 0xae]);
const [TICK_NANOSECONDS, LENGTH, CLUSTER_AT, BLOCK_TICKS, TRACK_CLOCK] = [
  0x2ad7b1, 0x4489, 0xe7, 0x9b, 0x23314f,
];
const MOST_ELEMENTS = 2_000_000;
const USUAL_TICK_NANOSECONDS = 1_000_000;

const known = <Value>(number: Value | undefined): Value => {
  if (number === undefined) throw new Untold();
  return number;
};

const wholeAt = (bytes: Buffer, at: number, length: number): number => {
  if (length > 8) throw new Untold();
  let value = 0;
  for (let next = at; next < at + length; next += 1) value = value * 256 + (bytes[next] ?? 0);
  return value;
};

const fractionAt = (bytes: Buffer, at: number, length: number): number => {
  if (length !== 4 && length !== 8) throw new Untold();
  return length === 4 ? bytes.readFloatBE(at) : bytes.readDoubleBE(at);
};

/**
 * The longest that a file says it plays: by its header, or by its last block, which those that were recorded in a browser
 * go by. Throws `Untold` where that cannot be said.
 */
export const webmLength = (bytes: Buffer): { readonly seconds: number; readonly samples: number } => {
  let [nanoseconds, told, clusterAt, latest, longest, samples] = [0, 0, 0, 0, 0, 0];
  let left = MOST_ELEMENTS;
  for (let at = 0; at < bytes.length;) {
    const id = known(ebmlId(bytes, at));
    const size = known(ebmlNumber(bytes, at + id.length));
    const from = at + id.length + size.length;
    const isEntered = ENTERED.has(id.value);
    if ((left -= 1) < 0 || (size.isUnknown && !isEntered)) throw new Untold();
    at = isEntered ? from : from + size.value;
    if (isEntered) continue;
    if (at > bytes.length && !BLOCKS.has(id.value)) throw new Untold();
    if (id.value === TICK_NANOSECONDS) nanoseconds = Math.max(nanoseconds, wholeAt(bytes, from, size.value));
    else if (id.value === LENGTH) told = Math.max(told, fractionAt(bytes, from, size.value));
    else if (id.value === CLUSTER_AT) clusterAt = wholeAt(bytes, from, size.value);
    else if (id.value === BLOCK_TICKS) longest = Math.max(longest, wholeAt(bytes, from, size.value));
    else if (id.value === TRACK_CLOCK) {
      if (fractionAt(bytes, from, size.value) !== 1) throw new Untold();
    } else if (BLOCKS.has(id.value)) {
      const placeAt = from + known(ebmlNumber(bytes, from)).length;
      if (placeAt + 2 > bytes.length) throw new Untold();
      latest = Math.max(latest, clusterAt + bytes.readInt16BE(placeAt));
      samples += 1;
    }
  }
  const ticks = Math.max(told, latest + longest);
  return { seconds: (ticks * (nanoseconds || USUAL_TICK_NANOSECONDS)) / 1e9, samples };
};
