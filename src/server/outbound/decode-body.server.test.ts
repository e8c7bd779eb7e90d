import { createServer, type RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { AppError } from '#core/error.ts';
import type { OutboundReply } from '#core/outbound/outbound.ts';
import { hangUp, listening } from './testing/local-server.ts';
import { createSender } from './send.ts';
import { systemClock } from '../system.ts';

const MEBIBYTE = 1024 * 1024;

const sender = createSender({ clock: systemClock, allowAddress: () => true, maxDecodedBytes: 4 * MEBIBYTE });
afterAll(() => sender.close());

/** The answer of a server that sends such a body. */
const answered = async <Result>(
  encoding: string,
  body: Buffer | string,
  use: (reply: OutboundReply) => Promise<Result>,
): Promise<Result> => {
  const answer: RequestListener = (_, response) =>
    void response.writeHead(200, { 'content-encoding': encoding }).end(body);
  const server = createServer(answer);
  const url = await listening(server);
  try {
    return await use(await sender.send({ method: 'GET', url, headers: {} }));
  } finally {
    hangUp(server);
  }
};

const readAll = async ({ body }: OutboundReply): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const failed = (encoding: string, body: Buffer | string): Promise<unknown> =>
  answered(encoding, body, (reply) => readAll(reply).catch((thrown: unknown) => thrown));
const upstreamFailed = expect.objectContaining({ code: 'upstream_failed' }) as AppError;

describe('an answer that is compressed, although nobody asked for it,', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['zstd', zstdCompressSync],
    ['gzip, gzip', (text: string) => gzipSync(gzipSync(text))],
    ['Deflate , BR', (text: string) => brotliCompressSync(deflateSync(text))],
    ['identity, GZIP', gzipSync],
  ] as const)('is unpacked: %s', async (encoding, pack) => {
    await answered(encoding, pack('plain '.repeat(1000)), async (reply) => {
      expect(reply.headers['content-encoding']).toBeUndefined();
      expect(reply.headers['content-length']).toBeUndefined();
      expect(await readAll(reply)).toBe('plain '.repeat(1000));
    });
  });

  test.each(['identity', 'Identity', 'none', 'UTF-8', ''])(
    'or only said to be, as "%s", is read',
    async (encoding) => {
      await answered(encoding, 'plain', async (reply) => {
        expect(reply.headers['content-encoding']).toBeUndefined();
        expect(await readAll(reply)).toBe('plain');
      });
    },
  );
});

describe('an answer that cannot be unpacked fails, and nothing hangs:', () => {
  test('one that wants 128 MiB to be unpacked in, however short it is', async () => {
    const twoBytesInALargeWindow = Buffer.from('KLUv/QCIEAAAe30BAAA=', 'base64');
    expect(await failed('zstd', twoBytesInALargeWindow)).toEqual(upstreamFailed);
  });

  test.each(['constructor', '__proto__', 'toString', 'gzip, gzip', 'gzip, gzip, gzip, gzip', 'gzip, lzma'])(
    'one packed as "%s"',
    async (encoding) => {
      expect(await failed(encoding, '{}')).toEqual(upstreamFailed);
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['gzip, gzip', (bytes: Buffer) => gzipSync(gzipSync(bytes))],
    ['deflate', deflateRawSync],
    ['br, gzip', (bytes: Buffer) => gzipSync(brotliCompressSync(bytes))],
  ] as const)('"%s" of more than may be', async (encoding, pack) => {
    expect(await failed(encoding, pack(Buffer.alloc(20 * MEBIBYTE)))).toEqual(upstreamFailed);
  });

  test.each([
    ['a broken one', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6])],
    ['one that is cut', deflateSync('plain '.repeat(1000)).subarray(0, 20)],
    ['a raw one that is cut', deflateRawSync('plain '.repeat(1000)).subarray(0, 20)],
  ])('deflate: %s', async (_, bytes) => {
    expect(await failed('deflate', bytes)).toEqual(upstreamFailed);
  });
});
