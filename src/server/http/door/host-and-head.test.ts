import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Handler } from './front-door-deps.ts';
import { siteRoutes } from '../site/site-routes.ts';
import { openDoor } from '../testing/open-door.ts';

/** Valid Host headers, and HEAD, at every kind of path. */

const page: Handler = (_, response) => void response.writeHead(200).end('page');
let door: Awaited<ReturnType<typeof openDoor>>;

beforeAll(async () => {
  door = await openDoor(
    async ({ reply }) => {
      reply.start(200, { 'content-type': 'application/json' });
      reply.end(Buffer.from('{}'));
    },
    {
      site: siteRoutes({
        metrics: { text: async () => '' },
        ready: () => true,
        published: async () => '{}',
        api: page,
        console: page,
        metricsToken: undefined,
      }),
    },
  );
});
afterAll(() => door.stop());

/** The door's answer to a request in raw bytes, which it closes the connection after. */
const raw = (method: string, path: string, host: string, more = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    const socket = connect(door.port, '127.0.0.1', () => socket.write(`${head}${more}\r\n`));
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

/** Paths of the API and of the relay, there both as calls of the lane and of node's server read them. */
const requests: readonly (readonly [string, string, string])[] = [
  ['GET', '/api/x', ''],
  ['POST', '/v1/embeddings', 'Content-Length: 0\r\n'],
  ['POST', '/v1/embeddings', 'Content-Length: 0\r\nTE: trailers\r\n'],
];
const statusOf = async (host: string): Promise<string[]> =>
  Promise.all(
    requests.map(async ([method, path, more]) => (await raw(method, path, host, more)).slice(9, 12)),
  );

test.each([
  '',
  'a b',
  'a/b',
  'a?b',
  'a#b',
  'a:443@b',
  'a\\@b',
  '[::1',
  '::1',
  'a:b',
  'a:80:80',
  'a:123456',
  '<script>',
  '"a"',
])('a Host of %j is refused', async (host) => {
  expect(await statusOf(host)).toEqual(['400', '400', '400']);
});

test.each([
  'a',
  'localhost:3000',
  'gate_way.example.',
  'xn--bcher-kva.example',
  '10.0.0.1:',
  '[::1]:3000',
  '[fe80::1%25eth0]',
])('a Host of %j is taken', async (host) => {
  expect(await statusOf(host)).toEqual(['200', '200', '200']);
});

test.each([
  '/v1/models',
  '/v1beta/models',
  '/v1/models/gpt-x',
  '/v1/dashboard/billing/usage',
  '/api/usage/token',
  '/healthz',
  '/readyz',
  '/api/x',
  '/token',
])('HEAD %s is answered as GET, without a body', async (path) => {
  const ask = async (method: string) => {
    const [head = '', body = ''] = (await raw(method, path, 'a')).split('\r\n\r\n');
    const named = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
    return { status: head.split('\r\n')[0], type: named('content-type'), body };
  };
  const whole = await ask('GET');
  expect(whole.status).toBe('HTTP/1.1 200 OK');
  expect(await ask('HEAD')).toEqual({ ...whole, body: '' });
});
