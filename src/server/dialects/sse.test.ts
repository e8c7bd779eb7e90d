import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { anyCharacter } from '#core/testing/any-character.ts';
import type { Frame } from './frame.ts';
import { SseParser, readFrames, writeFrame } from './sse.ts';

const parse = (chunks: readonly Buffer[], maxEventBytes?: number): Frame[] => {
  const parser = new SseParser(maxEventBytes);
  return [...chunks.flatMap((chunk) => parser.feed(chunk)), ...parser.end()];
};

const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const points = [...new Set(at.map((point) => Math.min(point, bytes.length)))].toSorted((a, b) => a - b);
  const edges = [0, ...points, bytes.length];
  // Copies, because chunks from a socket do not share memory either.
  return edges.slice(1).map((edge, index) => Buffer.from(bytes.subarray(edges[index], edge)));
};

const plain = (frames: readonly Frame[]) =>
  frames.map(({ raw, event, data, ...flags }) => ({
    raw: raw.toString('latin1'),
    event,
    data: data.toString(),
    ...flags,
  }));

/**
 * Counts the bytes that work allocates, copies and searches, and those it looks at in what it has allocated: a clock would
 * also measure what else the machine does.
 */
const countBytes = (work: () => void): number => {
  let bytes = 0;
  const raw = new WeakMap<Uint8Array, Buffer>();
  const { allocUnsafeSlow } = Buffer;
  const { copy, indexOf } = Buffer.prototype;
  vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
    bytes += size;
    const buffer = allocUnsafeSlow(size);
    const watched = new Proxy(buffer, {
      get: (target, key) => {
        bytes += typeof key === 'string' && /^\d+$/.test(key) ? 1 : 0;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    raw.set(watched, buffer);
    return watched;
  });
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, target, ...places) {
    const copied = copy.call(this, (raw.get(target as Buffer) ?? target) as Buffer, ...places);
    bytes += copied;
    return copied;
  });
  vi.spyOn(Buffer.prototype, 'indexOf').mockImplementation(function (this: Buffer, value, from) {
    const at = indexOf.call(this, value, from as number);
    bytes += (at === -1 ? this.length : at) - Number(from ?? 0);
    return at;
  });
  try {
    work();
  } finally {
    vi.restoreAllMocks();
  }
  return bytes;
};

const payloads = (text: string) =>
  parse([Buffer.from(text)])
    .filter((frame) => frame.data.length > 0)
    .map((frame) => frame.data.toString());

const line = fc.oneof(
  fc.constantFrom(
    'data: {"a":1}',
    'data:x',
    'data:',
    'data',
    'event: error',
    ': ping',
    'id: 1\0',
    'retry: 3',
    'datax: y',
    'é: 字',
    '',
  ),
  fc.string({ unit: anyCharacter, maxLength: 12 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
);
const stream = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 24 }), line)
  .map(([bom, lines, rest]) =>
    Buffer.from((bom ? '\uFEFF' : '') + lines.map(([text, end]) => text + end).join('') + rest),
  );

describe('reading server-sent events', () => {
  test('every line end, comments, a missing space and several data lines read as the standard says', () => {
    expect(payloads('data: a\n\ndata: b\r\n\r\ndata: c\r\rdata:d\n\n')).toEqual(['a', 'b', 'c', 'd']);
    expect(payloads('data: a\r\n\ndata: b\n\r\ndata: c\r\n\r')).toEqual(['a', 'b', 'c']);
    expect(payloads(': ping\n\n: ping\ndata: a\n: ping\ndata:  b\n\n')).toEqual(['a\n b']);
    expect(payloads('\uFEFFdata: a\n\n')).toEqual(['a']);
    expect(payloads('datas: a\nxdata: b\n\n')).toEqual([]);
  });

  test('the event name belongs to its own event only', () => {
    const frames = parse([Buffer.from('event: error\ndata: a\n\ndata: b\n\n')]);
    expect(frames.map((frame) => frame.event)).toEqual(['error', '']);
  });

  test('an event the stream cut off is flagged and can still be read', () => {
    const [first, last, ...none] = parse([Buffer.from('data: a\n\ndata: {"usage":1}')]);
    expect(first?.unterminated).toBeUndefined();
    expect(last).toMatchObject({ unterminated: true });
    expect(last?.data.toString()).toBe('{"usage":1}');
    expect(none).toEqual([]);
    expect(parse([Buffer.from('data: a\r\n\r')])[0]?.unterminated).toBeUndefined();
  });

  test('raw joined is what came, and where it was cut changes nothing', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 300 }), { maxLength: 12 }), (bytes, points) => {
        const whole = parse([bytes]);
        expect(Buffer.concat(whole.map((frame) => frame.raw)).equals(bytes)).toBe(true);
        expect(plain(parse(cut(bytes, points)))).toEqual(plain(whole));
        expect(plain(parse(cut(bytes, [...bytes.keys()])))).toEqual(plain(whole));
      }),
      { numRuns: 2000 },
    );
  });

  test('an event over the limit passes in pieces, unread and flagged, and the next one is read again', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 120 }), { maxLength: 8 }), (points) => {
        const bytes = Buffer.from(`data: a\n\ndata: ${'x'.repeat(90)}\n\ndata: b\n\n`);
        const frames = parse(cut(bytes, points), 64);
        expect(Buffer.concat(frames.map((frame) => frame.raw)).equals(bytes)).toBe(true);
        expect(frames.filter((frame) => !frame.oversized).map((frame) => frame.data.toString())).toEqual([
          'a',
          'b',
        ]);
      }),
    );
  });

  test('a long run of blank lines is one frame, whatever its line ends', () => {
    const bytes = Buffer.from(`data: a\n\n${'\n'.repeat(30_000)}${'\r\n'.repeat(15_000)}data: b\n\n`);
    const frames = parse([bytes]);
    expect(frames.map(({ data }) => data.toString())).toEqual(['a', '', 'b']);
    expect(Buffer.concat(frames.map(({ raw }) => raw)).equals(bytes)).toBe(true);
  });

  test('an event of more lines than any has passes in pieces, unread and flagged', () => {
    const lines = (count: number) => [
      Buffer.from('data: a\n\n'),
      Buffer.from('data: x\n'.repeat(count / 2)),
      Buffer.from('data: x\n'.repeat(count / 2)),
      Buffer.from('\ndata: b\n\n'),
    ];
    const read = (count: number) => parse(lines(count)).filter(({ oversized }) => oversized !== true);
    expect(read(10_000).map(({ data }) => data.length)).toEqual([1, 19_999, 1]);
    expect(read(10_002).map(({ data }) => data.length)).toEqual([1, 1]);
    const bytes = Buffer.concat(lines(10_002));
    expect(Buffer.concat(parse(lines(10_002)).map(({ raw }) => raw)).equals(bytes)).toBe(true);
  });

  test('an event in pieces of one byte takes work in proportion to its length', () => {
    const piece = Buffer.from('x');
    for (const length of [1000, 20_000]) {
      const worked = countBytes(() => {
        const parser = new SseParser();
        parser.feed(Buffer.from('data: '));
        for (let index = 0; index < length; index += 1) parser.feed(piece);
        expect(parser.feed(Buffer.from('\n\n'))[0]?.data.length).toBe(length);
      });
      expect(worked / length).toBeGreaterThan(1);
      expect(worked / length).toBeLessThan(10);
    }
  });

  test('a chunk that is one event is passed on as it is, without a copy', () => {
    const chunk = Buffer.from('data: {"a":1}\n\n');
    const parser = new SseParser();
    parser.feed(Buffer.from('data: first\n\n'));
    const [frame] = parser.feed(chunk);
    expect(frame?.raw).toBe(chunk);
    expect(frame?.data.buffer).toBe(chunk.buffer);
  });

  test('what is written reads back', async () => {
    const written = [writeFrame('{"é":1}'), writeFrame('[DONE]', 'message')];
    const read: Frame[] = [];
    for await (const frame of readFrames(
      (async function* () {
        yield Buffer.concat(written.map((frame) => frame.raw));
      })(),
    ))
      read.push(frame);
    expect(plain(read)).toEqual(plain(written));
  });
});
