import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RelayCall } from '../../relay/calls.ts';
import { openDoor, type Visit } from '../testing/open-door.ts';

/** `Expect: 100-continue`: a caller is asked for the body only after its key was accepted. */

let door: Awaited<ReturnType<typeof openDoor>>;
const served: string[] = [];

/** Accepts one key, after a while, and echoes the body. */
const serve = async (call: RelayCall): Promise<void> => {
  await new Promise((resolve) => setImmediate(resolve));
  const isKnown = call.headers.authorization === 'Bearer good';
  const said = isKnown ? `got ${(await call.readBody(1)).toString()}` : 'who are you';
  served.push(said);
  call.reply.start(isKnown ? 200 : 401, { 'content-length': String(said.length) });
  call.reply.end(Buffer.from(said));
};

beforeAll(async () => {
  door = await openDoor(serve);
});
afterAll(() => door.stop());

const head = (key: string, more = 'Content-Length: 4\r\n'): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n${more}\r\n`;
const until = (visit: Visit, seen: RegExp) => expect.poll(() => visit.heard()).toMatch(seen);

it.each([
  ['a length', 'Content-Length: 4\r\n'],
  ['chunks', 'Transfer-Encoding: chunked\r\n'],
])('a wrong key is refused before a body is asked for, and its connection ends: with %s', async (_, more) => {
  const visit = await door.connect();
  visit.socket.write(head('bad', more));
  await until(visit, /who are you$/);
  expect(visit.heard()).toMatch(/^HTTP\/1\.1 401 /);
  expect(visit.heard()).toMatch(/\r\nconnection: close\r\n/i);
  const before = served.length;
  // What a caller that sends no body would send next, and what one that does may send as its body.
  visit.socket.write(head('good').replace('Expect: 100-continue\r\n', '') + 'body');
  await expect.poll(() => visit.isClosed()).toBe(true);
  expect(served.length).toBe(before);
  visit.socket.destroy();
});

it('with the right one it is asked for once, and the connection serves the next call', async () => {
  const visit = await door.connect();
  for (const word of ['abcd', 'efgh']) {
    const before = visit.heard().length;
    visit.socket.write(head('good'));
    await expect.poll(() => visit.heard().slice(before)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    visit.socket.write(word);
    await until(visit, new RegExp(`got ${word}$`));
    expect(
      visit
        .heard()
        .slice(before)
        .match(/100 Continue/g),
    ).toHaveLength(1);
  }
  expect(visit.heard()).not.toMatch(/connection: close/i);
  visit.socket.destroy();
});

it('in answer to calls that were sent one after the other, in their order', async () => {
  const visit = await door.connect();
  const plain = (word: string) =>
    `${head('good').replace('Expect: 100-continue\r\n', 'X-Twice: 1\r\nX-Twice: 1\r\n')}${word}`;
  visit.socket.write(plain('one1') + head('good'));
  await until(visit, /got one1HTTP\/1\.1 100 Continue\r\n\r\n$/);
  visit.socket.write('two2');
  await until(visit, /got two2$/);
  expect(served.slice(-2)).toEqual(['got one1', 'got two2']);
  visit.socket.destroy();
});
