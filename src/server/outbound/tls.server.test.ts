import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';
import { hangUp, listening } from './testing/local-server.ts';
import { createSender } from './send.ts';
import { localhostCertificate, localhostKey } from './testing/localhost-certificate.ts';
import { systemClock } from '../system.ts';

const LARGE_BYTES = 6_000_000;
const large = Buffer.from(Array.from({ length: LARGE_BYTES }, (_, at) => (at * 7 + (at >> 9)) & 0xff));

const sockets: TLSSocket[] = [];
let asked = 0;
let upstream: Server;
let port: number;
let sender: Sender;

const trust = (certificates: readonly string[]): void =>
  setDefaultCACertificates([...getCACertificates('bundled'), ...certificates]);

beforeAll(async () => {
  upstream = createServer({ key: localhostKey, cert: localhostCertificate }, (request, response) => {
    asked += 1;
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('the beginning', () => request.socket.destroy());
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => response.end(request.method === 'POST' ? Buffer.concat(parts) : large));
  });
  upstream.on('secureConnection', (socket: TLSSocket) => sockets.push(socket));
  await listening(upstream);
  port = (upstream.address() as AddressInfo).port;
});
afterAll(() => {
  trust([]);
  hangUp(upstream);
});
afterEach(() => sender.close());

const open = (certificates: readonly string[] = [localhostCertificate]): void => {
  trust(certificates);
  sockets.length = 0;
  asked = 0;
  sender = createSender({ clock: systemClock, allowAddress: () => true, connectTimeoutMs: 500 });
};

const readAll = async ({ body }: OutboundReply): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
};

const get = async (path: string, host = 'localhost'): Promise<Buffer> =>
  readAll(await sender.send({ method: 'GET', url: `https://${host}:${port}${path}`, headers: {} }));

const failure = async (path: string, host?: string): Promise<unknown> =>
  get(path, host).catch((error: unknown) => error);

describe('an upstream that speaks TLS', () => {
  test('large bodies arrive byte for byte, both ways, several at once', async () => {
    open();
    const sent = sender.send({ method: 'POST', url: `https://localhost:${port}/`, headers: {}, body: large });
    const [echoed, ...got] = await Promise.all([sent.then(readAll), get('/'), get('/')]);
    expect(echoed.equals(large)).toBe(true);
    expect(got.every((bytes) => bytes.equals(large))).toBe(true);
  });

  test('a connection is used again, and the next one takes up the session of the last', async () => {
    open();
    await get('/');
    await get('/');
    expect(sockets).toHaveLength(1);
    sockets[0]?.destroy();
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    await get('/').catch(() => get('/'));
    expect(sockets.at(-1)?.isSessionReused()).toBe(true);
  });

  test('a truncated body is an error', async () => {
    open();
    expect(await failure('/cut')).toMatchObject({ code: 'upstream_failed' });
  });

  test('an untrusted certificate gets nothing', async () => {
    open([]);
    expect(await failure('/')).toMatchObject({
      code: 'upstream_failed',
      message: 'the connection to the upstream failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(asked).toBe(0);
  });

  test('a certificate for another name gets nothing', async () => {
    open();
    expect(await failure('/', '127.0.0.1')).toMatchObject({
      code: 'upstream_failed',
      message: 'the connection to the upstream failed (ERR_TLS_CERT_ALTNAME_INVALID)',
    });
    expect(asked).toBe(0);
  });

  test('an unanswered handshake is given up in time', async () => {
    open();
    const silent: Socket[] = [];
    const server = createTcpServer((socket) => silent.push(socket));
    await listening(server);
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const error = await sender.send({ method: 'GET', url, headers: {} }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_timeout' });
    for (const socket of silent) socket.destroy();
    server.close();
  });
});
