import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpBroken } from './http-broken.ts';
import { ResponseReader } from './response-reader.ts';

interface Read {
  readonly status: number | undefined;
  readonly type: unknown;
  readonly body: string;
  readonly ended: boolean;
  readonly reusable: boolean;
}

/** The result of reading an answer that arrives in these pieces. */
const readPieces = (pieces: readonly Buffer[], closes = false): Read => {
  let status: number | undefined;
  let type: unknown;
  let body = '';
  let ended = false;
  const reader = new ResponseReader({
    head: (head) => {
      status = head.status;
      type = head.headers['content-type'];
    },
    data: (piece) => (body += piece.toString('latin1')),
    end: () => (ended = true),
  });
  for (const piece of pieces) reader.feed(piece);
  if (closes) reader.close();
  return { status, type, body, ended, reusable: reader.isReusable };
};

const read = (text: string, closes = false): Read => readPieces([Buffer.from(text, 'latin1')], closes);

const cut = (text: string, places: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text, 'latin1');
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => Buffer.from(bytes.subarray(from, at[index])));
};

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n';
const CHUNKS = ['4\r\nWiki', '5;name=value\r\npedia', 'E\r\n in\r\n\r\nchunks.', '0\r\nTrailer: x', '\r\n'];
const chunked = `${HEAD}Transfer-Encoding: chunked\r\n\r\n${CHUNKS.join('\r\n')}`;
const measured = `${HEAD}Content-Length: 12\r\n\r\nHello\r\n\r\nyou`;
const closing = `HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nall there is`;
const interim = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${measured}`;

describe('an answer', () => {
  test('is the same where every chunk comes by itself', () => {
    const [head = '', chunks = ''] = chunked.split(/(?<=\r\n\r\n)(.*)/s);
    const pieces = [head, ...chunks.split(/(?<=Wiki\r\n|pedia\r\n|chunks.\r\n)/)];
    expect(pieces).toHaveLength(5);
    expect(readPieces(pieces.map((piece) => Buffer.from(piece)))).toEqual(read(chunked));
    const tooLong = ['4\r\nWiki\r\n', '4\r\npedia\r\n'].map((piece) => Buffer.from(piece));
    expect(() => readPieces([Buffer.from(head), ...tooLong])).toThrow(HttpBroken);
  });

  test.each([
    ['in chunks', chunked, 'Wikipedia in\r\n\r\nchunks.', true],
    ['of a length', measured, 'Hello\r\n\r\nyou', true],
    ['until the end', closing, 'all there is', false],
    ['after interim ones', interim, 'Hello\r\n\r\nyou', true],
  ])('%s is the same wherever it is cut', (_, text, body, reusable) => {
    const places = fc.array(fc.nat(text.length), { maxLength: 8 });
    fc.assert(
      fc.property(places, (at) => {
        expect(readPieces(cut(text, at), true)).toEqual({
          status: 200,
          type: 'text/plain',
          body,
          ended: true,
          reusable,
        });
      }),
    );
  });

  test('byte by byte is the same too', () => {
    expect(readPieces([...Buffer.from(chunked)].map((byte) => Buffer.from([byte]))).body).toBe(
      'Wikipedia in\r\n\r\nchunks.',
    );
  });

  test.each([
    ['says close', `${HEAD}Connection: close\r\nContent-Length: 0\r\n\r\n`],
    ['gives two lengths', `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('that %s leaves its connection to nobody', (_, text) => {
    expect(read(text)).toMatchObject({ ended: true, reusable: false });
  });

  test('without a body ends with its head', () => {
    expect(read('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({
      status: 204,
      ended: true,
      reusable: true,
    });
  });
});

describe('what is not HTTP is refused', () => {
  test.each([
    ['no status line', 'hello\r\n\r\n'],
    ['HTTP/2 spoken in text', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['a folded header', `${HEAD} more: of it\r\n\r\n`],
    ['a line break inside a header', `${HEAD}X: a\rSet-Cookie: b\r\nContent-Length: 0\r\n\r\n`],
    ['a zero inside a header', `${HEAD}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
    ['a space before the colon', `${HEAD}Content-Length : 5\r\n\r\n`],
    ['lengths that differ', `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`],
    ['a length that is no number', `${HEAD}Content-Length: +5\r\n\r\n`],
    ['another transfer encoding', `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n`],
    ['a chunk without a size', `${HEAD}Transfer-Encoding: chunked\r\n\r\n\r\n`],
    ['a negative chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n-1\r\n`],
    ['a chunk longer than it said', `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`],
    ['more after the end', `${HEAD}Content-Length: 1\r\n\r\nab`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['a head without an end', `${HEAD}X: ${'x'.repeat(40_000)}`],
    ['a chunk line without an end', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(2000)}`],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow(HttpBroken);
  });

  test.each([
    ['in the middle of its length', measured.slice(0, -1)],
    ['before its last chunk', chunked.slice(0, -2)],
    ['in its head', HEAD],
  ])('an answer that ends %s', (_, text) => {
    expect(() => read(text, true)).toThrow(HttpBroken);
  });

  test('is passed on in one piece for each read, with memory of its own', () => {
    const pieces: Buffer[] = [];
    const reader = new ResponseReader({
      head: () => {},
      data: (piece) => void pieces.push(piece),
      end: () => {},
    });
    const bytes = Buffer.from(chunked, 'latin1');
    reader.feed(bytes);
    bytes.fill('x');
    expect(pieces.map(String)).toEqual(['Wikipedia in\r\n\r\nchunks.']);
  });

  test('in large pieces shares blocks of memory once it is long, and no piece is changed by a later one', () => {
    const pieces: Buffer[] = [];
    const reader = new ResponseReader({
      head: () => {},
      data: (piece) => void pieces.push(piece),
      end: () => {},
    });
    reader.feed(Buffer.from(`${HEAD}Content-Length: 1000000\r\n\r\n`));
    for (let at = 0; at < 20; at += 1) reader.feed(Buffer.alloc(50_000, at));
    expect(pieces.map((piece, at) => piece.equals(Buffer.alloc(50_000, at)))).toEqual(Array(20).fill(true));
    // Five of their own, then three times five.
    expect(new Set(pieces.map(({ buffer }) => buffer)).size).toBe(8);
  });
});
