import { createServer as createTlsServer } from 'node:tls';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { AppError } from '#core/error.ts';
import type { OutboundReply, Sender } from '#core/outbound/outbound.ts';
import { type OutboundProxy, parseProxy } from '#core/outbound/outbound-proxy.ts';
import { type RunningProxy, startProxy } from '../../../simulator/proxy/start.ts';
import { readUpstreamError } from '../../dialects/openai/error.ts';
import { createSocketConnector } from '../connect-socket.ts';
import { addressGuard } from '../outbound-guard.ts';
import { createSender } from '../send.ts';
import { localhostCertificate, localhostKey } from '../testing/localhost-certificate.ts';
import { systemClock } from '../../system.ts';

/** Calls through a proxy in its own process, to upstreams whose names only the proxy can resolve. */

const NAME = 'upstream.example';
const PASSWORD = 'p:a@s s/%';
const CREDENTIALS = `operator:${encodeURIComponent(PASSWORD)}@`;
const BIG = 'x'.repeat(3_000_000);

let proxy: RunningProxy;
let plain: Server;
let secure: Server;
let sockets: WebSocketServer;
let front: Server;
let sender: Sender;
let connections = 0;

const listening = (server: Server): Promise<Server> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const echo: RequestListener = (request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () =>
    response.end(request.url === '/big' ? BIG : `${request.headers.host} ${Buffer.concat(parts).toString()}`),
  );
};

beforeAll(async () => {
  setDefaultCACertificates([...getCACertificates('bundled'), localhostCertificate]);
  const tls = { key: localhostKey, cert: localhostCertificate };
  proxy = await startProxy();
  const http = createHttpServer(echo);
  sockets = new WebSocketServer({ server: http });
  sockets.on('connection', (socket) =>
    socket.on('message', (text: Buffer) => socket.send(`heard ${text.toString()}`)),
  );
  plain = await listening(http);
  secure = await listening(createHttpsServer(tls, echo));
  for (const server of [plain, secure]) server.on('connection', () => (connections += 1));
  // The same proxy, reached over TLS.
  const [host, port] = proxy.host.split(':');
  front = await listening(
    createTlsServer(tls, (client) => {
      const behind = connect({ host: host ?? '', port: Number(port) });
      client.pipe(behind).pipe(client);
      for (const end of [client, behind])
        end.on('error', () => [client, behind].map((other) => other.destroy()));
    }),
  );
});
afterAll(async () => {
  setDefaultCACertificates(getCACertificates('bundled'));
  sockets.close();
  for (const server of [plain, secure, front]) server.close();
  await proxy.stop();
});
beforeEach(async () => {
  connections = 0;
  await proxy.set({ fault: 'none', password: '', name: NAME, to: `127.0.0.1:${portOf(plain)}` });
  sender = createSender({ clock: systemClock, allowAddress: () => true, connectTimeoutMs: 2000 });
});
afterEach(() => sender.close());

const proxyAt = (scheme: string, credentials = ''): OutboundProxy => {
  const at = scheme === 'https' ? `localhost:${portOf(front)}` : proxy.host;
  const read = parseProxy(`${scheme}://${credentials}${at}`);
  if (read === undefined) throw new Error('the proxy does not read');
  return read;
};
const textOf = async ({ body }: OutboundReply): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts).toString();
};
const ask = async (via: OutboundProxy, url: string, body?: string): Promise<string> =>
  textOf(
    await sender.send({
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers: {},
      proxy: via,
      ...(body !== undefined && { body }),
    }),
  );
const failure = (via: OutboundProxy, url = `http://${NAME}/`): Promise<AppError> =>
  ask(via, url).then(
    () => Promise.reject(new Error('it was answered')),
    (error: AppError) => error,
  );

describe.each(['http', 'https', 'socks5', 'socks5h'])('by way of a proxy of %s', (scheme) => {
  it('a plain upstream is reached by a name that only the proxy knows, and its connection is kept', async () => {
    expect(await ask(proxyAt(scheme), `http://${NAME}/one`, 'hello')).toBe(`${NAME} hello`);
    expect(await ask(proxyAt(scheme), `http://${NAME}/two`, 'again')).toBe(`${NAME} again`);
    expect(connections).toBe(1);
    expect(await proxy.carried()).toEqual([
      { protocol: scheme.startsWith('socks') ? 'socks5' : 'connect', target: `${NAME}:80`, user: '' },
    ]);
  });

  it('TLS runs end to end with the upstream: the proxy sees neither key nor answer', async () => {
    await proxy.set({ name: 'localhost', to: `127.0.0.1:${portOf(secure)}` });
    expect(await ask(proxyAt(scheme), 'https://localhost/big')).toBe(BIG);
    expect(await ask(proxyAt(scheme), 'https://localhost:8443/', 'hello')).toBe('localhost:8443 hello');
    // A certificate of somebody else is not believed, whatever the proxy says.
    await proxy.set({ name: 'other.example', to: `127.0.0.1:${portOf(secure)}` });
    expect((await failure(proxyAt(scheme), 'https://other.example/')).code).toBe('upstream_failed');
  });

  it('user name and password are sent, whatever characters they have', async () => {
    await proxy.set({ password: PASSWORD });
    expect(await ask(proxyAt(scheme, CREDENTIALS), `http://${NAME}/`, 'in')).toBe(`${NAME} in`);
    expect(await proxy.carried()).toMatchObject([{ user: 'operator' }]);
    for (const wrong of ['', 'operator:wrong@', 'somebody@'])
      expect((await failure(proxyAt(scheme, wrong))).reason).toBe('proxy_auth');
  });

  it.each([
    ['refuse', 'proxy_refused', 'upstream_failed'],
    ['hang', 'proxy_late', 'upstream_timeout'],
    ['close', 'proxy_broken', 'upstream_failed'],
    ['chatter', 'proxy_broken', 'upstream_failed'],
    ['nonsense', 'proxy_broken', 'upstream_failed'],
  ] as const)(
    'a proxy with the fault "%s" fails the call, and nothing stays open',
    async (fault, reason, code) => {
      sender = createSender({
        clock: systemClock,
        allowAddress: () => true,
        connectTimeoutMs: fault === 'hang' ? 300 : 5000,
      });
      await proxy.set({ fault });
      const error = await failure(proxyAt(scheme, CREDENTIALS));
      expect([error.reason, error.code]).toEqual([reason, code]);
      expect(`${error.message} ${JSON.stringify(error)}`).not.toContain(PASSWORD);
      await proxy.set({ fault: 'none' });
      expect(await ask(proxyAt(scheme), `http://${NAME}/`, 'well')).toBe(`${NAME} well`);
    },
  );

  it('a call that is given up releases its connection', async () => {
    await proxy.set({ fault: 'hang' });
    const given = new AbortController();
    const asked = sender.send(
      { method: 'GET', url: `http://${NAME}/`, headers: {}, proxy: proxyAt(scheme) },
      given.signal,
    );
    given.abort();
    await expect(asked).rejects.toMatchObject({ code: 'client_closed' });
  });

  it('a WebSocket goes the same way', async () => {
    const open = createSocketConnector({ allowAddress: () => true, readRefusal: readUpstreamError });
    const via = proxyAt(scheme);
    const socket = await open(
      { url: `http://${NAME}/live`, headers: {}, proxy: via },
      AbortSignal.timeout(10_000),
    );
    const heard = new Promise<string>((resolve) => (socket.onMessage = (data) => resolve(data.toString())));
    socket.resume();
    socket.send(Buffer.from('you'), false);
    expect(await heard).toBe('heard you');
    socket.close(1000, '');
    expect((await proxy.carried()).at(-1)).toMatchObject({ target: `${NAME}:80` });
    await proxy.set({ fault: 'refuse' });
    await expect(
      open({ url: `http://${NAME}/live`, headers: {}, proxy: via }, AbortSignal.timeout(10_000)),
    ).rejects.toMatchObject({ reason: 'proxy_refused' });
  });
});

describe('ways apart', () => {
  it('a connection by way of a proxy is never used for another way, nor with another password', async () => {
    await ask(proxyAt('http'), `http://127.0.0.1:${portOf(plain)}/`, 'a');
    await textOf(
      await sender.send({ method: 'GET', url: `http://127.0.0.1:${portOf(plain)}/`, headers: {} }),
    );
    expect(connections).toBe(2);
    await ask(proxyAt('socks5'), `http://127.0.0.1:${portOf(plain)}/`, 'b');
    await ask(proxyAt('http', 'operator:other@'), `http://127.0.0.1:${portOf(plain)}/`, 'c');
    expect(connections).toBe(4);
    expect(await proxy.carried()).toHaveLength(3);
  });

  it('an unreachable proxy is reported as such', async () => {
    const gone = parseProxy('socks5://127.0.0.1:1');
    if (gone === undefined) throw new Error('it does not read');
    expect((await failure(gone)).reason).toBe('proxy_unreachable');
  });
});

describe('without leave for addresses inside the network', () => {
  beforeEach(() => {
    sender = createSender({ clock: systemClock, allowAddress: addressGuard({ allowPrivate: false }) });
  });

  it('a proxy inside is not called', async () => {
    for (const at of [`http://${proxy.host}`, `socks5://localhost:${portOf(plain)}`, 'http://10.0.0.1:3128'])
      expect((await failure(parseProxy(at) as OutboundProxy)).reason).toBe('address_refused');
    expect(await proxy.carried()).toEqual([]);
  });

  it('nor may a proxy outside be asked for what is inside', async () => {
    const outside = parseProxy('socks5://203.0.114.9:1080') as OutboundProxy;
    for (const url of [
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://169.254.169.254/',
      'http://localhost/',
      'http://db/',
      'http://localhost./',
      'http://db./',
    ])
      expect([url, (await failure(outside, url)).reason]).toEqual([url, 'address_refused']);
  });
});
