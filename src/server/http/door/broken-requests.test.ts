import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDoor } from '../testing/open-door.ts';

/** What comes behind a request, and is none. */

let door: Awaited<ReturnType<typeof openDoor>>;
let served: string[] = [];
/** Lets calls be answered once they have come this often. */
let answering: PromiseWithResolvers<void>;

beforeAll(async () => {
  door = await openDoor(async (call) => {
    const body = await call.readBody(1).catch(() => undefined);
    if (body === undefined) return;
    served.push(body.toString());
    await answering.promise;
    call.reply.start(200, { 'content-length': '2' });
    call.reply.end(Buffer.from('ok'));
  });
});
afterAll(() => door.stop());

const post = (headers: string, body: string, version = '1.1'): string =>
  `POST /v1/chat/completions HTTP/${version}\r\nHost: a\r\n${headers}\r\n${body}`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const BODY = '2\r\n{}\r\n0\r\n\r\n';
const BROKEN = 'no request\r\n\r\n';

/** The statuses that a caller hears who has sent this; calls are answered when all of it has been read. */
const heardFor = async (sent: string, calls: number): Promise<readonly string[]> => {
  served = [];
  answering = Promise.withResolvers();
  const { socket, heard, isClosed } = await door.connect();
  socket.write(sent);
  await expect.poll(() => served.length).toBe(calls);
  // A second piece of it, read after the first.
  socket.write(BROKEN);
  const other = await door.connect();
  other.socket.write('GET /x HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(other.heard).toContain('404');
  other.socket.destroy();
  answering.resolve();
  await expect.poll(isClosed).toBe(true);
  return [...heard().matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
};

test.each([
  ['the lane', 'Content-Length: 2\r\n', '{}'],
  ["node's server", CHUNKED, BODY],
])('a call that %s reads is answered, and so is the broken one after it', async (_, headers, body) => {
  expect(await heardFor(post(headers, body) + BROKEN, 1)).toEqual(['200', '400']);
  expect(await heardFor(post(headers, body), 1)).toEqual(['200', '400']);
  expect(await heardFor(post(`Connection: close\r\n${headers}`, body) + BROKEN, 1)).toEqual(['200']);
});

test('pipelined calls are answered, and a broken body after them is refused in its turn', async () => {
  const whole = post(CHUNKED, BODY);
  expect(await heardFor(whole + whole + post(CHUNKED, '2\r\n{}XX'), 2)).toEqual(['200', '200', '400']);
  expect(await heardFor(post(CHUNKED, '-1\r\n{}'), 0)).toEqual(['400']);
});

test('a chunked body of HTTP/1.0 is refused: its end is ambiguous', async () => {
  expect(await heardFor(post(CHUNKED, BODY, '1.0'), 0)).toEqual(['400']);
  expect(await heardFor(post(`Connection: keep-alive\r\n${CHUNKED}`, BODY, '1.0'), 0)).toEqual(['400']);
});

test('calls before a request for a WebSocket are answered first, and it in its turn', async () => {
  const upgrade =
    'GET /v1/realtime HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const whole = post(CHUNKED, BODY);
  expect(await heardFor(whole + whole + upgrade, 2)).toEqual(['200', '200', '404']);
  expect(await heardFor(whole + upgrade.replace('Host: a', 'Host: a\r\nHost: b'), 1)).toEqual(['200', '400']);
});
