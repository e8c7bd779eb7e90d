/* Films of so many seconds without their pictures, written by the formats' documents. */

const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at));
  return bytes;
};
export const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(content);
  return Buffer.concat([u32(8 + all.length), Buffer.from(type, 'latin1'), all]);
};

const TICKS = 1000;

/** What a film says of its length, each in seconds. */
export interface ToldLength {
  readonly film?: number;
  readonly track?: number;
  readonly samples?: readonly (readonly [count: number, seconds: number])[];
  readonly edits?: readonly number[];
  readonly fragments?: readonly number[];
  /** Bytes beside. */
  readonly rest?: readonly Buffer[];
}

export const mp4Of = ({
  film = 0,
  track = 0,
  samples = [],
  edits,
  fragments,
  rest = [],
}: ToldLength): Buffer =>
  Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isom')),
    box('mdat', Buffer.alloc(3000)),
    box(
      'moov',
      box('mvhd', u32(0, 0, 0, TICKS, film * TICKS), Buffer.alloc(80)),
      box(
        'trak',
        box('tkhd', u32(0, 0, 0, 1, 0, film * TICKS), Buffer.alloc(60)),
        edits === undefined
          ? Buffer.alloc(0)
          : box(
              'edts',
              box('elst', u32(0, edits.length, ...edits.flatMap((one) => [one * TICKS, 0, 65_536]))),
            ),
        box(
          'mdia',
          box('mdhd', u32(0, 0, 0, TICKS, track * TICKS, 0)),
          box(
            'minf',
            box(
              'stbl',
              box(
                'stts',
                u32(0, samples.length, ...samples.flatMap(([count, long]) => [count, long * TICKS])),
              ),
            ),
          ),
        ),
      ),
      box('mvex', box('trex', u32(0, 1, 1, TICKS, 0, 0))),
    ),
    ...(fragments ?? []).map((count) =>
      box('moof', box('traf', box('tfhd', u32(0, 1)), box('trun', u32(0, count)))),
    ),
    ...rest,
  ]);

const element = (id: string, ...content: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id, 'hex'), u32(0x10_00_00_00 | all.length), all]);
};

/** @param blocks when they are shown, in seconds; of a film that a browser records, nothing else tells its length */
export const webmOf = (blocks: readonly number[], told?: number): Buffer => {
  const length = Buffer.alloc(8);
  length.writeDoubleBE((told ?? 0) * TICKS);
  return Buffer.concat([
    element('1a45dfa3'),
    Buffer.from('1853806701ffffffffffffff', 'hex'),
    element(
      '1549a966',
      element('2ad7b1', u32(1e6)),
      told === undefined ? Buffer.alloc(0) : element('4489', length),
    ),
    ...blocks.map((at) =>
      element('1f43b675', element('e7', u32(at * TICKS)), element('a3', Buffer.from('81000080', 'hex'))),
    ),
  ]);
};
