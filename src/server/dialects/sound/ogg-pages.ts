import { opusSeconds } from './opus-packet.ts';
import type { Heard, Walk } from './walk.ts';

const HEAD_BYTES = 27;
const MARK = Buffer.from('OggS');
const MOST_STREAMS = 64;

/** A logical stream, with the duration of its packets; undefined for a codec that is not read here. */
interface Stream {
  /** Header packets still to come. */
  heads: number;
  readonly secondsOf: ((packet: Buffer) => number) | undefined;
}

export const isOgg = (head: Buffer): boolean => head.subarray(0, 4).equals(MARK);

/** Identifies a stream by its first packet. */
const streamOf = (first: Buffer): Stream => {
  if (first.toString('latin1', 0, 8) === 'OpusHead')
    return { heads: 2, secondsOf: (packet) => opusSeconds(packet[0] ?? 0, packet[1] ?? 0) };
  if (first.toString('latin1', 0, 7) !== '\u0001vorbis' || first.length < 30)
    return { heads: 0, secondsOf: undefined };
  // A packet of short blocks is shorter, but only the full codec setup tells which those are. Count each as a long
  // block.
  const [rate, long] = [first.readUInt32LE(12), 2 ** ((first[28] ?? 0) >> 4)];
  return { heads: 3, secondsOf: rate === 0 ? undefined : () => long / 2 / rate };
};

/** The packets that begin on a page. */
const packetsOf = (page: Buffer, segments: number): Buffer[] => {
  const packets: Buffer[] = [];
  let start = HEAD_BYTES + segments;
  let end = start;
  // The first one may continue from the page before.
  let isWhole = ((page[5] ?? 0) & 1) === 0;
  for (let at = 0; at < segments; at += 1) {
    const length = page[HEAD_BYTES + at] ?? 0;
    end += length;
    if (length === 255 && at < segments - 1) continue;
    if (isWhole) packets.push(page.subarray(start, end));
    isWhole = true;
    start = end;
  }
  return packets;
};

const playPage = (heard: Heard, streams: Map<number, Stream>, page: Buffer, segments: number): void => {
  const serial = page.readUInt32LE(14);
  const packets = packetsOf(page, segments);
  const begins = ((page[5] ?? 0) & 2) !== 0;
  let stream = begins ? streamOf(packets[0] ?? page.subarray(0, 0)) : streams.get(serial);
  if (stream === undefined || (begins && streams.size >= MOST_STREAMS && !streams.has(serial)))
    stream = { heads: 0, secondsOf: undefined };
  else if (begins) streams.set(serial, stream);
  const { secondsOf } = stream;
  if (secondsOf === undefined) heard.unknownBytes += page.length;
  else
    for (const packet of packets) {
      if (stream.heads > 0) stream.heads -= 1;
      else heard.seconds += secondsOf(packet);
    }
};

/** Counts the packets of every stream, regardless of the positions stated on the pages (RFC 3533, 7845). */
export function* walkOgg(heard: Heard): Walk {
  const streams = new Map<number, Stream>();
  let bytes = yield [0, HEAD_BYTES];
  while (bytes.length > 0) {
    if (!isOgg(bytes)) {
      const next = bytes.indexOf('O', 1, 'latin1');
      const passed = next === -1 ? bytes.length : next;
      heard.unknownBytes += passed;
      bytes = yield [passed, HEAD_BYTES];
      continue;
    }
    const segments = bytes[HEAD_BYTES - 1] ?? 0;
    const tableEnd = HEAD_BYTES + segments;
    bytes = yield [0, tableEnd];
    let length = tableEnd;
    for (let at = HEAD_BYTES; at < tableEnd; at += 1) length += bytes[at] ?? 0;
    bytes = yield [0, length];
    if (bytes.length < length) {
      heard.unknownBytes += bytes.length;
      return;
    }
    playPage(heard, streams, bytes.subarray(0, length), segments);
    bytes = yield [length, HEAD_BYTES];
  }
}
