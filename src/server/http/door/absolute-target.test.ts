import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDoor } from '../testing/open-door.ts';

/** Targets as they are sent to a proxy (RFC 9112, 3.2.2). */

let door: Awaited<ReturnType<typeof openDoor>>;

beforeAll(async () => {
  door = await openDoor(
    async (call) => {
      call.reply.start(200, { 'content-type': 'text/plain' });
      call.reply.end(Buffer.from(`call ${call.path} ${String(call.headers.host)}`));
    },
    {
      trustedProxies: ['127.0.0.1'],
      site:
        () =>
        ({ url, headers, rawHeaders }, response) => {
          const raw = rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'host') + 1];
          response.end(`site ${String(url)} ${String(headers.host)} ${String(raw)}`);
        },
    },
  );
});
afterAll(() => door.stop());

const ask = (
  requestLine: string,
  headers = 'Host: a\r\n',
  body = '',
  version = '1.1',
): Promise<readonly [string, string]> =>
  new Promise((resolve, reject) => {
    const socket = connect(door.port, '127.0.0.1', () =>
      socket.write(`${requestLine} HTTP/${version}\r\n${headers}Connection: close\r\n\r\n${body}`),
    );
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve([answer.slice(9, 12), answer.split('\r\n\r\n').slice(1).join('')]));
    socket.on('error', reject);
  });

describe('an absolute target', () => {
  test.each([
    ['GET http://gate.example/api/x?y=1', 'site /api/x?y=1 gate.example gate.example'],
    ['GET HTTP://gate.example:8080/x', 'site /x gate.example:8080 gate.example:8080'],
    ['GET http://[::1]:3000/x', 'site /x [::1]:3000 [::1]:3000'],
    ['GET http://gate.example', 'site / gate.example gate.example'],
    ['GET http://gate.example?y=1', 'site /?y=1 gate.example gate.example'],
    ['GET http://gate.example//evil.example/x', 'site //evil.example/x gate.example gate.example'],
    ['GET http://gate.example/x?to=http://b@c/', 'site /x?to=http://b@c/ gate.example gate.example'],
  ])('%s is served by its path, and its host counts instead of the header', async (line, answer) => {
    expect(await ask(line)).toEqual(['200', answer]);
  });

  test('is a call of the relay like any other', async () => {
    const [status, body] = await ask(
      'POST http://gate.example/v1/embeddings',
      'Host: a\r\nContent-Length: 2\r\n',
      '{}',
    );
    expect([status, body]).toEqual(['200', expect.stringContaining('call /v1/embeddings gate.example')]);
    expect(await ask('GET http://gate.example/v1/models')).toEqual([
      '200',
      expect.stringContaining('models'),
    ]);
  });

  test('is accepted again on the same connection', async () => {
    const line = 'GET http://gate.example/x';
    const [, body] = await ask(`${line} HTTP/1.1\r\nHost: a\r\n\r\nGET /y`);
    expect(body).toContain('site /x gate.example');
    expect(body).toContain('site /y a a');
  });

  test('of https is accepted from a proxy that was reached by https, and otherwise refused', async () => {
    const line = 'GET https://gate.example/x';
    expect(await ask(line, 'Host: a\r\nX-Forwarded-Proto: https\r\n')).toEqual([
      '200',
      'site /x gate.example gate.example',
    ]);
    expect((await ask(line))[0]).toBe('421');
  });

  test.each([
    ['ftp://gate.example/x'],
    ['ws://gate.example/x'],
    ['file:///etc/passwd'],
    ['http:///x'],
    ['http://:80/x'],
    ['http://user@gate.example/x'],
    ['http://user:secret@gate.example/x'],
    ['http://gate.example:port/x'],
    ['http://gate.example\\@evil.example/x'],
    ['http://gate.example/../x'],
    ['http://gate.example/x#y'],
    ['http:/gate.example/x'],
    ['//gate.example:80@x/..'],
    ['x'],
    ['*'],
  ])('GET %s is refused', async (target) => {
    expect((await ask(`GET ${target}`))[0]).toBe('400');
  });

  test.each([
    ['no Host header', ''],
    ['two', 'Host: a\r\nHost: gate.example\r\n'],
    ['one that names no host', 'Host: a/b\r\n'],
  ])('is refused with %s, as any other', async (_, headers) => {
    expect((await ask('GET http://gate.example/x', headers))[0]).toBe('400');
  });
});

describe('HTTP/1.0, which has no Host header', () => {
  const old = (line: string, headers = '', body = '') => ask(line, headers, body, '1.0');

  test('means the host of its target', async () => {
    expect(await old('GET http://gate.example:81/x')).toEqual([
      '200',
      'site /x gate.example:81 gate.example:81',
    ]);
    expect(await old('POST http://gate.example/v1/embeddings', 'Content-Length: 2\r\n', '{}')).toEqual([
      '200',
      'call /v1/embeddings gate.example',
    ]);
  });

  test('means the address it has reached, if its target is a path', async () => {
    const here = `127.0.0.1:${String(door.port)}`;
    expect(await old('GET /healthz')).toEqual(['200', `site /healthz ${here} ${here}`]);
  });

  test('may send one, which then has to name a host', async () => {
    expect(await old('GET /x', 'Host: a\r\n')).toEqual(['200', 'site /x a a']);
    expect((await old('GET http://gate.example/x', 'Host: a/b\r\n'))[0]).toBe('400');
    expect((await old('GET /x', 'Host:\r\n'))[0]).toBe('400');
    expect((await old('GET /x', 'Host: a\r\nHost: a\r\n'))[0]).toBe('400');
  });
});

test('HTTP/1.1 without a Host header is refused with an id and the reason', async () => {
  const answers = await Promise.all([ask('GET /x', ''), ask('GET http://gate.example/x', '')]);
  for (const [status, body] of answers)
    expect([status, JSON.parse(body)]).toMatchObject([
      '400',
      { success: false, message: 'exactly one Host header is needed' },
    ]);
});
