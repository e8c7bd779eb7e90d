import fc from 'fast-check';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Relay } from '../../relay/ports.ts';
import type { RelayCall, SeenKey } from '../../relay/calls.ts';
import { createFrontDoor } from '../door/front-door.ts';
import type { FrontDoor, Handler } from '../door/front-door-deps.ts';
import { openDoor, postOf } from '../testing/open-door.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Calls whose caller left before the answer ended. */
let gone: string[] = [];

/** Waits until everything that has arrived is read. */
const someTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Echoes what it was given; `/v1/messages` in two late pieces, `/v1/responses` until its caller leaves. */
const relay: Relay = {
  async serve(call: RelayCall) {
    const { path, headers, reply, requestId } = call;
    const text = (await call.readBody(1)).toString();
    const left = new Promise<void>((resolve) => {
      reply.onGone = () => {
        gone.push(text);
        resolve();
      };
    });
    if (path === '/v1/messages' || path === '/v1/responses') {
      reply.start(200, { 'content-type': 'text/event-stream' });
      reply.write(Buffer.from('first;'));
      await (path === '/v1/messages' ? someTurns() : left);
      reply.end(Buffer.from(`${text};${String(reply.gone)}`));
      return;
    }
    const bytes = Buffer.from(
      JSON.stringify({ path, text, agent: headers['user-agent'], hasId: requestId !== '' }),
    );
    reply.start(200, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
    reply.end(bytes);
  },
  read: async ({ what }) => ({ status: 200, body: { what } }),
  kept: () => Promise.resolve(),
  conversation: () => Promise.resolve(),
  count: async () => ({ status: 200, body: {} }),
  invalidateToken: () => undefined,
  invalidateUser: () => undefined,
  stop: async () => undefined,
};

const nobody: Handler = (_, response) => void response.writeHead(404).end();

let door: FrontDoor;
let port: number;

beforeAll(async () => {
  door = createFrontDoor({
    relay,
    site: () => nobody,
    clock: { now: () => 1_795_262_018_345, monotonic: () => performance.now() },
    random: { unit: () => 0.5, alphanumeric: (length) => 'a'.repeat(length) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    trustedProxies: [],
    connectionsPerAddress: 1000,
  });
  port = await door.listen(0, '127.0.0.1');
});
afterAll(() => door.stop(0));
beforeEach(() => {
  gone = [];
});

const open = (): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket.setNoDelay(true)));
  });

/** Sends the pieces one after the other, and reads until the server closes or `enough` matches. */
const talk = async (pieces: readonly string[], enough: RegExp): Promise<string> => {
  const socket = await open();
  let heard = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      if (enough.test(heard)) resolve();
    });
    socket.on('close', () => resolve());
  });
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await someTurns();
  }
  await done;
  socket.destroy();
  return heard;
};

const START = 'POST /v1/chat/completions HTTP/1.1\r\n';

const post = (body: string, more = '', path = '/v1/chat/completions'): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: probe\r\n${more}Content-Length: ${String(body.length)}\r\n\r\n${body}`;

const cut = (text: string, places: readonly number[]): string[] => {
  const at = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index])).filter((piece) => piece !== '');
};

const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

const expected = { path: '/v1/chat/completions', text: 'the body', agent: 'probe', hasId: true };

describe('a call', () => {
  test('is the same wherever its bytes are cut', async () => {
    const text = post('the body');
    const places = fc.array(fc.nat(text.length), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(places, async (at) => {
        expect(bodyOf(await talk(cut(text, at), /\}$/))).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    [
      'in chunks',
      `${START}Host: x\r\nUser-Agent: probe\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nthe body\r\n0\r\n\r\n`,
    ],
    ['after being told to go on', post('the body', 'Expect: 100-continue\r\n')],
    ['with a header twice', post('the body', 'X-A: 1\r\nX-A: 2\r\n')],
    ['with a name outside ASCII', post('the body', 'X-A: \xe4\r\n')],
    ['to be closed after', post('the body', 'Connection: close\r\n')],
  ])('%s is answered the same by both parsers', async (_, text) => {
    const answer = await talk([text], /\}$/);
    expect(bodyOf(answer.slice(answer.indexOf('HTTP/1.1 200')))).toEqual(expected);
    expect(answer).toMatch(/x-oneapi-request-id: \d{23}/i);
  });

  test.each([
    ['two hosts', post('x', 'Host: y\r\n'), 400],
    ['two lengths', post('x', 'Content-Length: 2\r\n'), 400],
    ['a length and chunks', post('x', 'Transfer-Encoding: chunked\r\n'), 400],
    ['a length that is no number', `${START}Host: x\r\nContent-Length: 0x1\r\n\r\nx`, 400],
    ['no host', `${START}Content-Length: 1\r\n\r\nx`, 400],
  ])('with %s is refused', async (_, text, status) => {
    expect(await talk([text], /\r\n\r\n/)).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  });
});

describe('a connection', () => {
  test('carries one call after the other, in order, also when they are sent at once', async () => {
    const answer = await talk(
      [post('one') + post('two', '', '/v1/messages') + post('three')],
      /"three".*\}$/s,
    );
    expect(answer.indexOf('"one"')).toBeLessThan(answer.indexOf('two;false'));
    expect(answer.indexOf('two;false')).toBeLessThan(answer.indexOf('"three"'));
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test('is handed to node’s server at the first request that the lane does not read, and stays there', async () => {
    const get = 'GET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n';
    const answer = await talk([post('one'), get, post('two')], /"two".*\}$/s);
    expect(answer).toContain('{"what":"models"}');
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test('is closed after the answer where the caller asked for that', async () => {
    expect(await talk([post('x', 'Connection: close\r\n')], /never/)).toMatch(/connection: close/i);
  });

  test.each([
    ['the same headers as another', 'Agent: probe', 'probe'],
    ['other headers of the same length', 'Agent: prong', 'prong'],
  ])('with %s is read by its own', async (_, changed, agent) => {
    const other = await open();
    other.write(post('one'), 'latin1');
    await new Promise((resolve) => other.once('data', resolve));
    const call = post('two').replace('Agent: probe', changed);
    expect(bodyOf(await talk([call], /\}$/))).toEqual({ ...expected, text: 'two', agent });
    other.destroy();
    expect(bodyOf(await talk([call], /\}$/))).toEqual({ ...expected, text: 'two', agent });
  });

  test('is idle since its last answer, however short that was, and not since it was opened', async () => {
    const waiting = await openDoor(async ({ reply }) => {
      reply.start(200, { 'content-length': '2' });
      reply.end(Buffer.from('ok'));
    });
    const [busy, silent] = [await waiting.connect(), await waiting.connect()];
    for (const heard of [/ok$/, /ok[^]*ok$/]) {
      busy.socket.write(postOf(''));
      await expect.poll(busy.heard).toMatch(heard);
      waiting.pass(10_000);
    }
    await expect.poll(silent.isClosed).toBe(true);
    expect(busy.isClosed()).toBe(false);
    waiting.pass(10_000);
    await expect.poll(busy.isClosed).toBe(true);
    await waiting.stop();
  });

  test('that waits for its next call holds no headers of the last, and thus no key', async () => {
    let last: WeakRef<object> | undefined;
    let seen: SeenKey | undefined;
    const waiting = await openDoor(async ({ headers, seenKey, reply }) => {
      last = new WeakRef(headers);
      seen = seenKey && Object.assign(seenKey, { sent: headers.authorization });
      reply.start(200, { 'content-length': '2' });
      reply.end(Buffer.from('ok'));
    });
    const { socket, heard } = await waiting.connect();
    const isHeld = (): boolean => {
      collectGarbage();
      return last?.deref() !== undefined;
    };
    socket.write(postOf('x', 'Authorization: Bearer sk-1\r\n'));
    await expect.poll(heard).toMatch(/ok$/);
    await someTurns();
    expect(isHeld()).toBe(true);
    waiting.pass(10_001);
    await expect.poll(isHeld).toBe(false);
    await expect.poll(() => seen?.sent).toBe('');
    socket.write(postOf('x', 'Authorization: Bearer sk-1\r\n'));
    await expect.poll(heard).toMatch(/ok[^]*ok$/);
    socket.destroy();
    await waiting.stop();
  });

  test('that ends before its answer is told to the relay', async () => {
    const socket = await open();
    socket.write(post('left', '', '/v1/responses'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await expect.poll(() => gone).toEqual(['left']);
  });

  test('half closed by its caller counts as closed', async () => {
    const socket = await open();
    socket.write(post('half', '', '/v1/responses'));
    await new Promise((resolve) => socket.once('data', resolve));
    socket.end();
    await expect.poll(() => gone).toEqual(['half']);
  });
});

test('a stream arrives as correctly ended chunks', async () => {
  const answer = await talk([post('x', '', '/v1/messages')], /0\r\n\r\n$/);
  expect(answer).toContain('Transfer-Encoding: chunked');
  expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toBe('6\r\nfirst;\r\n7\r\nx;false\r\n0\r\n\r\n');
});
