import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import { openDoor } from '../testing/open-door.ts';

/** Bodies of calls that are packed. */

const MEBIBYTE = 1024 * 1024;
let door: Awaited<ReturnType<typeof openDoor>>;

beforeAll(async () => {
  door = await openDoor(async (call) => {
    const body = await call.readBody(1).catch(asAppError);
    const { reply } = call;
    const answer = Buffer.isBuffer(body) ? body : Buffer.from(body.message);
    reply.start(Buffer.isBuffer(body) ? 200 : body.status, { 'content-length': String(answer.length) });
    reply.end(answer);
  });
});
afterAll(() => door.stop());

const post = async (coding: string, body: Uint8Array): Promise<{ status: number; text: string }> => {
  const response = await fetch(`http://127.0.0.1:${String(door.port)}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-encoding': coding },
    body: new Uint8Array(body),
  });
  return { status: response.status, text: await response.text() };
};
const TEXT = '{"a":1}'.repeat(1000);

test.each([
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['Deflate', deflateSync(TEXT)],
  ['Identity', Buffer.from(TEXT)],
  ['deflate', deflateSync('')],
])('%s is read', async (coding, body) => {
  const { status, text } = await post(coding, body);
  expect([status, text === TEXT || text === '']).toEqual([200, true]);
});

test.each([
  ['br', brotliCompressSync(TEXT)],
  ['zstd', Buffer.from(TEXT)],
  ['gzip, gzip', gzipSync(gzipSync(TEXT))],
  ['constructor', Buffer.from(TEXT)],
])('%s is a media type that is not supported', async (coding, body) => {
  expect((await post(coding, body)).status).toBe(415);
});

test.each([
  ['gzip', Buffer.from('nothing packed')],
  ['deflate', Buffer.from('nothing packed')],
  ['deflate', Buffer.from([0x78, 0x9c, 1, 2, 3, 4, 5, 6])],
  ['deflate', deflateSync(TEXT).subarray(0, 9)],
  // RFC 9110, 8.4.1.2: it has zlib's head.
  ['deflate', deflateRawSync(TEXT)],
])('broken %s is refused', async (coding, body) => {
  expect(await post(coding, body)).toEqual({ status: 400, text: `the body is not valid ${coding}` });
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(33 * MEBIBYTE))],
  ['deflate', deflateSync(Buffer.alloc(33 * MEBIBYTE))],
  ['deflate', deflateSync(Buffer.alloc(2 * MEBIBYTE))],
])('%s that unpacks to far more than was sent is too large', async (coding, body) => {
  expect((await post(coding, body)).status).toBe(413);
});
