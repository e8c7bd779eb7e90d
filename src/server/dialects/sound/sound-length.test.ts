import { describe, expect, it } from 'vitest';
import { FEWEST_BYTES_PER_SECOND, SOUND_HEAD_BYTES, SoundLength } from './sound-length.ts';

/** As many seconds are charged as are heard, whatever the head of a file says of its length. */

const SIZES = [1, 7, 4096, Infinity];
/** However the file is cut into pieces. */
const secondsOf = (file: Buffer): number => {
  const results = SIZES.map((size) => {
    const sound = new SoundLength(file.subarray(0, SOUND_HEAD_BYTES));
    for (let at = 0; at < file.length; at += size)
      sound.push(file.subarray(at, Math.min(file.length, at + size)));
    return sound.end();
  });
  expect(new Set(results.map((seconds) => seconds.toFixed(6))).size).toBe(1);
  return results[0] ?? NaN;
};
const times = (count: number, piece: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => piece));
const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** MPEG 2.5 layer 3 at 8 kbit/s and 8 kHz: 72 bytes and 72 ms each. */
const slow = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc4]), Buffer.alloc(68)]);
/** MPEG 1 layer 3 at 128 kbit/s and 44.1 kHz: 417 bytes, 1152 samples. */
const usual = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(413)]);
const id3 = (length: number): Buffer =>
  Buffer.concat([
    text('ID3\u0004\0\0'),
    Buffer.from([0, 0, length >> 7, length & 127]),
    Buffer.alloc(length),
  ]);

describe('MPEG sound', () => {
  it('plays as long as its frames, of whatever bit rate', () => {
    expect(secondsOf(times(1000, slow))).toBeCloseTo(72, 3);
    expect(secondsOf(times(1000, usual))).toBeCloseTo((1000 * 1152) / 44_100, 3);
    expect(secondsOf(Buffer.concat([times(100, usual), times(500, slow)]))).toBeCloseTo(
      36 + 115_200 / 44_100,
      3,
    );
  });

  it('is not shortened by a wrong header', () => {
    // A first frame that tells of one frame and few bytes, as those of variable bit rate do.
    const xing = Buffer.from(usual);
    xing.write('Xing\0\0\0\u0003\0\0\0\u0001\0\0\0\u0001', 36, 'latin1');
    expect(secondsOf(Buffer.concat([xing, times(1000, slow)]))).toBeGreaterThanOrEqual(72);
  });

  it('has tags that cost nothing before sound, and the highest rate if no sound follows', () => {
    expect(secondsOf(Buffer.concat([id3(5000), times(100, slow)]))).toBeCloseTo(7.2, 3);
    expect(secondsOf(Buffer.concat([times(100, slow), id3(7500)]))).toBeGreaterThanOrEqual(17);
  });

  it('is found again after bytes that are not a frame', () => {
    const file = Buffer.concat([times(100, slow), Buffer.alloc(1500, 0x41), times(100, slow)]);
    expect(secondsOf(file)).toBeCloseTo(14.4 + 2, 1);
  });

  it('of AAC and of telephones is counted by frames too', () => {
    // Nine bytes and 1024 samples at 8 kHz each: silence.
    const adts = Buffer.from([0xff, 0xf1, 0x6c, 0x40, 0x01, 0x3f, 0xfc, 0, 0]);
    expect(secondsOf(times(500, adts))).toBeCloseTo((500 * 1024) / 8000, 3);
    expect(secondsOf(Buffer.concat([text('#!AMR\n'), Buffer.alloc(1000, 0x7c)]))).toBeCloseTo(20, 3);
    const frame = Buffer.concat([Buffer.from([0x04]), Buffer.alloc(12)]);
    expect(secondsOf(Buffer.concat([text('#!AMR\n'), times(100, frame)]))).toBeCloseTo(2, 3);
  });
});

const page = (flags: number, packets: readonly Buffer[], { serial = 1, granule = 0 } = {}): Buffer => {
  const segments = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head.writeUInt8(flags, 5);
  head.writeBigUInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(serial, 14);
  head.writeUInt8(segments.length, 26);
  return Buffer.concat([head, Buffer.from(segments), ...packets]);
};
const opusHead = (serial: number): Buffer =>
  Buffer.concat([
    page(2, [Buffer.concat([text('OpusHead\u0001\u0001'), Buffer.alloc(9)])], { serial }),
    page(0, [text('OpusTags and whatever a tag may say')], { serial }),
  ]);
/** 60 ms in 45 bytes: 6 kbit/s. And 120 ms of silence in three bytes. */
const tiny = Buffer.concat([Buffer.from([3 << 3]), Buffer.alloc(44)]);
const silent = Buffer.from([(3 << 3) | 3, 2, 0]);

describe('Ogg', () => {
  it('plays as long as its packets of Opus, whatever its pages say of their positions', () => {
    const pages = times(
      100,
      page(
        0,
        Array.from({ length: 50 }, () => tiny),
        { granule: 48_000 },
      ),
    );
    expect(secondsOf(Buffer.concat([opusHead(1), pages]))).toBeCloseTo(300, 3);
    expect(
      secondsOf(
        Buffer.concat([
          opusHead(1),
          times(
            10,
            page(
              0,
              Array.from({ length: 255 }, () => silent),
            ),
          ),
        ]),
      ),
    ).toBeCloseTo(306, 3);
  });

  it('counts streams one after the other, and packets that go over pages once', () => {
    const big = Buffer.concat([Buffer.from([3 << 3]), Buffer.alloc(255 * 255 - 1)]);
    const first = page(0, [big.subarray(0, 255 * 255 - 1)]).subarray(0);
    // The packet ends on the next page.
    const open = Buffer.from(first);
    open.writeUInt8(255, 27 + 254);
    const file = Buffer.concat([
      opusHead(1),
      page(0, [tiny]),
      opusHead(2),
      page(0, [tiny, tiny], { serial: 2 }),
    ]);
    expect(secondsOf(file)).toBeCloseTo(0.18, 3);
    const over = Buffer.concat([
      opusHead(1),
      Buffer.concat([open, Buffer.alloc(1)]),
      page(1, [Buffer.alloc(10)]),
    ]);
    expect(secondsOf(over)).toBeCloseTo(0.06, 3);
  });

  it('of Vorbis counts each packet as a long block, of other codecs all bytes at the highest rate', () => {
    const ident = Buffer.alloc(30);
    ident.write('\u0001vorbis', 0, 'latin1');
    ident.writeUInt32LE(16_000, 12);
    ident.writeUInt8(0xb8, 28);
    const vorbis = [page(2, [ident]), page(0, [text('\u0003vorbis'), text('\u0005vorbis')])];
    const sound = times(
      10,
      page(
        0,
        Array.from({ length: 20 }, () => Buffer.alloc(9)),
        { granule: 1 },
      ),
    );
    expect(secondsOf(Buffer.concat([...vorbis, sound]))).toBeCloseTo((200 * 1024) / 16_000, 3);
    const speex = Buffer.concat([page(2, [text('Speex   ')]), times(20, page(0, [Buffer.alloc(250)]))]);
    expect(secondsOf(speex)).toBeCloseTo(speex.length / FEWEST_BYTES_PER_SECOND, 3);
  });
});

const element = (id: number, content: Buffer): Buffer => {
  const name = Buffer.from(id.toString(16), 'hex');
  const size = Buffer.alloc(8);
  size.writeUInt32BE(content.length, 4);
  size.writeUInt8(1, 0);
  return Buffer.concat([name, size, content]);
};
/** As recorders in a browser write it. */
const endless = (id: number): Buffer =>
  Buffer.concat([Buffer.from(id.toString(16), 'hex'), Buffer.from([1, 255, 255, 255, 255, 255, 255, 255])]);
const webm = (codec: string, blocks: readonly Buffer[], more: readonly Buffer[] = []): Buffer =>
  Buffer.concat([
    element(0x1a45dfa3, Buffer.alloc(20)),
    endless(0x18538067),
    // A duration of a moment.
    element(0x1549a966, element(0x4489, long(0))),
    element(
      0x1654ae6b,
      element(0xae, Buffer.concat([element(0xd7, Buffer.from([1])), element(0x86, text(codec)), ...more])),
    ),
    endless(0x1f43b675),
    element(0xe7, Buffer.from([0])),
    ...blocks.map((packet) => element(0xa3, Buffer.concat([Buffer.from([0x81, 0, 0, 0x80]), packet]))),
  ]);
const packets = Array.from({ length: 1000 }, () => tiny);

describe('WebM', () => {
  it('plays as long as its packets of Opus, whatever it says of its duration', () => {
    expect(secondsOf(webm('A_OPUS', packets))).toBeCloseTo(60, 3);
    expect(secondsOf(webm('V_VP9', packets))).toBe(0);
  });

  it('of another codec, or compressed, costs its blocks at the highest rate', () => {
    for (const file of [
      webm('A_VORBIS', packets),
      webm('A_OPUS', packets, [element(0x6d80, Buffer.alloc(4))]),
    ])
      expect(secondsOf(file)).toBeCloseTo((1000 * 49) / FEWEST_BYTES_PER_SECOND, 1);
  });
});

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const all = Buffer.concat(content);
  return Buffer.concat([long(8 + all.length), text(type), all]);
};
/** AAC of this rate (an index), and so many samples; the durations that stand there say a moment. */
const m4a = (rate: number, samples: number, { kind = 2, sound = 'soun', format = 'mp4a' } = {}): Buffer => {
  const setUp = Buffer.alloc(2);
  setUp.writeUInt16BE((kind << 11) | (rate << 7) | (1 << 3));
  const decoder = Buffer.concat([Buffer.from([4, 17, 0x40]), Buffer.alloc(12), Buffer.from([5, 2]), setUp]);
  const esds = box('esds', long(0), Buffer.from([3, 3 + decoder.length, 0, 1, 0]), decoder);
  const entry = box(format, Buffer.alloc(28), esds);
  const table = box(
    'stbl',
    box('stsd', long(0), long(1), entry),
    box('stsz', long(0), long(0), long(samples)),
  );
  const media = box(
    'mdia',
    box('mdhd', Buffer.alloc(20)),
    box('hdlr', long(0), long(0), text(sound), Buffer.alloc(12)),
    box('minf', table),
  );
  const track = box('trak', box('tkhd', long(0), long(0), long(0), long(7)), media);
  return Buffer.concat([
    box('ftyp', text('M4A ')),
    box('mdat', Buffer.alloc(5000)),
    box('moov', box('mvhd', Buffer.alloc(96)), track),
  ]);
};

describe('MP4', () => {
  it('plays as long as its samples of AAC, whatever its durations say, with its index behind or before', () => {
    expect(secondsOf(m4a(8, 1000))).toBeCloseTo(64, 3);
    expect(secondsOf(m4a(4, 1000))).toBeCloseTo((1000 * 1024) / 44_100, 3);
  });

  it('in fragments counts the samples of each', () => {
    const run = box('moof', box('traf', box('tfhd', long(0), long(7)), box('trun', long(0), long(500))));
    expect(secondsOf(Buffer.concat([m4a(8, 0), run, box('mdat', Buffer.alloc(100)), run]))).toBeCloseTo(
      64,
      3,
    );
  });

  it.each([
    ['without sound', m4a(8, 10, { sound: 'vide' })],
    ['of an unknown codec', m4a(8, 10, { format: 'ac-3' })],
    ['of an unknown kind', m4a(8, 10, { kind: 31 })],
    ['without samples', m4a(8, 0)],
    ['without an index', box('ftyp', Buffer.alloc(5000))],
  ])('%s costs all its bytes at the highest rate', (_, file) => {
    expect(secondsOf(file)).toBeCloseTo(file.length / FEWEST_BYTES_PER_SECOND, 3);
  });
});

describe('FLAC', () => {
  /** A frame of 4096 samples at 16 kHz, which is silent. */
  const frame = (number: number): Buffer => {
    const head = Buffer.from([0xff, 0xf8, 0xc5, 0x08, number & 127]);
    let crc = 0;
    for (const byte of head) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x80) === 0 ? crc << 1 : ((crc << 1) ^ 0x107) & 0xff;
    }
    return Buffer.concat([head, Buffer.from([crc & 0xff]), Buffer.alloc(6)]);
  };
  const info = Buffer.concat([text('fLaC'), Buffer.from([0x80, 0, 0, 34]), Buffer.alloc(34)]);

  it('plays as long as its frames, whatever it says of its samples', () => {
    const frames = Buffer.concat(Array.from({ length: 500 }, (_, number) => frame(number)));
    expect(secondsOf(Buffer.concat([info, frames]))).toBeCloseTo((500 * 4096) / 16_000, 3);
  });

  it('without a frame costs its bytes at the highest rate', () => {
    expect(secondsOf(Buffer.concat([info, Buffer.alloc(7500, 1)]))).toBeCloseTo(10, 1);
  });
});

it('an unknown format costs as the smallest encoding of speech would', () => {
  expect(secondsOf(Buffer.alloc(7500))).toBeCloseTo(10, 3);
  expect(secondsOf(Buffer.alloc(0))).toBe(0);
});
