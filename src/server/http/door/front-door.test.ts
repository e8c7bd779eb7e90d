import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAppError } from '#core/error.ts';
import type { Relay } from '../../relay/ports.ts';
import type { RelayCall } from '../../relay/calls.ts';
import { createFrontDoor } from './front-door.ts';
import { siteRoutes } from '../site/site-routes.ts';
import type { FrontDoor, Handler } from './front-door-deps.ts';

/** A relay that echoes what it was given, so that only the front door is tested. */
const echo: Relay = {
  async serve(call: RelayCall) {
    let status = 200;
    let text: string;
    try {
      text = (await call.readBody(1)).toString();
    } catch (thrown) {
      const error = asAppError(thrown);
      status = error.status;
      text = error.message;
    }
    call.reply.start(status, { 'content-type': 'application/json' });
    call.reply.write(
      Buffer.from(JSON.stringify({ operation: call.operation, ip: call.ip, key: call.queryKey, text })),
    );
    call.reply.end();
  },
  read: async ({ what, model }) => ({ status: 200, body: { what, model } }),
  kept: () => Promise.resolve(),
  conversation: () => Promise.resolve(),
  count: async () => ({ status: 200, body: {} }),
  invalidateToken: () => undefined,
  invalidateUser: () => undefined,
  stop: async () => undefined,
};

/** How many requests reached the relay. */
let served = 0;
const saying =
  (word: string): Handler =>
  (_request, response) => {
    served += 1;
    response.writeHead(200).end(word);
  };

const siteDeps = { metrics: { text: async () => 'tollgate_calls_total 1\n' }, ready: () => true };
const words = { api: saying('api'), console: saying('console'), published: async () => '{}' };

const doorWith = (trustedProxies: readonly string[], metricsToken?: string): FrontDoor =>
  createFrontDoor({
    relay: echo,
    site: siteRoutes({ ...siteDeps, ...words, metricsToken }),
    clock: { now: () => 1_795_262_018_345, monotonic: () => 0 },
    random: { unit: () => 0.5, alphanumeric: (length) => 'a'.repeat(length) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    trustedProxies,
    connectionsPerAddress: 1000,
  });

let door: FrontDoor;
let proxied: FrontDoor;
let url: string;
let proxiedUrl: string;

beforeAll(async () => {
  door = doorWith([]);
  proxied = doorWith(['127.0.0.0/8'], 'secret token');
  url = `http://127.0.0.1:${String(await door.listen(0, '127.0.0.1'))}`;
  proxiedUrl = `http://127.0.0.1:${String(await proxied.listen(0, '127.0.0.1'))}`;
});

afterAll(async () => {
  await door.stop(0);
  await proxied.stop(0);
});

/** The front door's answer to raw bytes. */
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

const post = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  base = url,
): Promise<Record<string, unknown>> => {
  const response = await fetch(`${base}${path}`, { method: 'POST', body, headers });
  return { status: response.status, ...((await response.json()) as object) };
};

describe('the HTTP server', () => {
  test.each<[string, string, number?]>([
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['no Host header', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'a target that names a user before its host',
      'GET http://somebody@evil/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nabcde',
    ],
    [
      'a length and chunks',
      'POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a coding before the chunks, which nobody would undo',
      `POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    ],
    ['a version that is not spoken', 'GET /api/x HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n'],
    [
      'two keys that differ',
      'GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n',
    ],
    [
      'two types of one body',
      'POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
        'Content-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    ],
    ...['/api/a/../b', '/api/./b', '/api/%2E%2e/b', '/api/a/..', '/api\\b', '/api/b#c', '/v1/../api/b'].map(
      (path): [string, string] => [
        `a path that can be read in two ways (${path})`,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      ],
    ),
    [
      'two Host headers of a WebSocket',
      'GET /v1/realtime HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\n' +
        'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      400,
    ],
    ['a hundred and one headers', `GET / HTTP/1.1\r\nHost: a\r\n${'X-A: 1\r\n'.repeat(100)}\r\n`],
  ])('refuses %s', async (_, text, status) => {
    expect(await raw(text)).toMatch(
      status === undefined ? /^HTTP\/1\.1 4\d\d / : new RegExp(`^HTTP/1\\.1 ${String(status)} `),
    );
  });

  test.each([
    'GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer a\r\n',
    'GET /api/x?path=../a%23 HTTP/1.1\r\nHost: a\r\n',
    'GET /api/..x/.y/z... HTTP/1.1\r\nHost: a\r\n',
    'POST /api/x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n',
  ])('takes what only looks odd (%j)', async (head) => {
    const body = head.startsWith('POST') ? '0\r\n\r\n' : '';
    expect(await raw(`${head}Connection: close\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ['', '200 OK'],
    ['Expect: a miracle\r\n', '417 Expectation Failed'],
  ])('serves at most sixteen requests of a connection at once (%j)', async (more, status) => {
    const request = `GET /api/x HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
    const ask = (times: number): Promise<string> =>
      raw(request.repeat(times - 1) + request.replace('Host', 'Connection: close\r\nHost'));
    expect((await ask(16)).split(status)).toHaveLength(17);
    served = 0;
    // If it is cut while sending, it may see a reset.
    const heard = await ask(3000).catch(() => '');
    expect(served).toBeLessThanOrEqual(16);
    expect(heard.split(status).length).toBeLessThanOrEqual(17);
  });

  test('lets node parse hardly more requests of a connection than it serves', async () => {
    let begun = 0;
    const count = (): void => void (begun += 1);
    subscribe('http.server.request.start', count);
    await raw('GET / HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(5000)).catch(() => '');
    unsubscribe('http.server.request.start', count);
    expect(begun).toBeGreaterThanOrEqual(16);
    expect(begun).toBeLessThan(50);
  });

  test('gives every answer an id of its own', async () => {
    const answers = await Promise.all(
      ['/', '/api/x', '/v1/models', '/v1/nothing', '/healthz', '/v1/files'].map((path) => fetch(url + path)),
    );
    const ids = answers.map(({ headers }) => headers.get('x-oneapi-request-id'));
    expect(new Set(ids).size).toBe(6);
    expect(ids.every((id) => /^20261121115338\d{9}[0-9A-Za-z]{8}$/.test(id ?? ''))).toBe(true);
    expect(await raw('garbage\r\n\r\n')).toMatch(/X-Oneapi-Request-Id: \w+/);
    // The headers that the clients of OpenAI and Anthropic read.
    const own = await Promise.all(
      ['/v1/models', '/v1/nothing', '/v1/embeddings'].map((path) =>
        fetch(url + path, { method: path.endsWith('s') ? 'POST' : 'GET' }),
      ),
    );
    for (const { headers } of own) {
      const id = headers.get('x-oneapi-request-id');
      expect([headers.get('x-request-id'), headers.get('request-id')]).toEqual([id, id]);
    }
  });

  test('routes each path to its part of the server', async () => {
    const text = async (path: string): Promise<string> => (await fetch(url + path)).text();
    expect([await text('/api/status'), await text('/token'), await text('/apiary')]).toEqual([
      'api',
      'console',
      'console',
    ]);
    expect(await post('/v1/engines/ada%2F2/embeddings', '{}')).toMatchObject({ operation: 'embeddings' });
    expect(await post('/v1/chat/completions?key=k', 'x')).toMatchObject({
      operation: 'chat',
      key: 'k',
      text: 'x',
    });
    expect(await (await fetch(`${url}/v1/models/a%2Fb`)).json()).toEqual({ what: 'model', model: 'a/b' });
    expect(await post('/v1/files', '{}')).toMatchObject({
      status: 501,
      error: { code: 'api_not_implemented' },
    });
    expect(await post('/v1/nothing', '{}')).toMatchObject({
      status: 404,
      error: { message: 'Invalid URL (POST /v1/nothing)' },
    });
  });

  test.each([
    ['/v1/batches', {}, { error: { code: 'api_not_implemented' } }],
    ['/v1/vector_stores/vs_1', {}, { error: { code: 'api_not_implemented' } }],
    ['/v1/organization/projects', {}, { error: { code: 'api_not_implemented' } }],
    ['/v1/files', { 'anthropic-version': '2023-06-01' }, { type: 'error' }],
    ['/v1/complete', { 'anthropic-version': '2023-06-01' }, { type: 'error' }],
    ['/v1/agents/a/versions', { 'x-api-key': 'k' }, { type: 'error' }],
    ['/v1/cachedContents', { 'x-goog-api-key': 'k' }, { error: { status: 'UNIMPLEMENTED' } }],
    ['/upload/v1beta/files', { 'x-goog-api-key': 'k' }, { error: { status: 'UNIMPLEMENTED' } }],
    ['/v1/interactions', { 'x-goog-api-key': 'k' }, { error: { status: 'UNIMPLEMENTED' } }],
  ])('refuses %s, which is not offered, in the format of the caller', async (path, headers, body) => {
    expect(await post(path, '{}', headers)).toMatchObject({ status: 501, ...body });
  });

  test('answers a call that offers another protocol, as Java’s client does, like any other', async () => {
    const { hostname, port } = new URL(url);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          'POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n' +
            'Upgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\nContent-Length: 2\r\n\r\n{}',
        );
      });
      socket.on('error', reject);
      socket.on('data', (data) => {
        text += data.toString();
        if (text.includes('"text"')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toContain('"text":"{}"');
  });

  test('lets other sites call the relay, without credentials', async () => {
    const preflight = await fetch(`${url}/v1/chat/completions`, { method: 'OPTIONS' });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('believes X-Forwarded-For of trusted proxies only, from the right', async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 1.2.3.4, 127.0.0.9' };
    expect((await post('/v1/embeddings', '{}', headers))['ip']).toBe('127.0.0.1');
    expect((await post('/v1/embeddings', '{}', headers, proxiedUrl))['ip']).toBe('1.2.3.4');
  });

  test('shows its numbers only with the token, even to callers on this machine', async () => {
    const status = async (base: string, headers: Record<string, string>): Promise<number> =>
      (await fetch(`${base}/metrics`, { headers })).status;
    expect(await status(url, {})).toBe(403);
    expect(await status(url, { authorization: 'Bearer ' })).toBe(403);
    expect(await status(proxiedUrl, {})).toBe(403);
    for (const wrong of ['secret tokem', 'secret', 'secret token and more'])
      expect(await status(proxiedUrl, { authorization: `Bearer ${wrong}` })).toBe(403);
    expect(await status(proxiedUrl, { authorization: 'Bearer secret token' })).toBe(200);
  });
});

describe('bodies', () => {
  test('are at most 32 MiB, also when they are unpacked', async () => {
    const large = new Uint8Array(33 * 1024 * 1024);
    expect(await post('/v1/embeddings', large)).toMatchObject({ status: 413 });
    expect(await post('/v1/embeddings', gzipSync(large), { 'content-encoding': 'gzip' })).toMatchObject({
      status: 413,
    });
  });
});
