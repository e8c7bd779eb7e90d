import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Carried, join, proxyFaults, type ProxyState, USER } from './proxy-state.ts';
import { serveSocks } from './socks.ts';

/** A proxy for HTTP CONNECT and SOCKS 5 on one port; its control API uses GET. */
export const createProxySimulator = (): Server => {
  const state: ProxyState = { fault: 'none', password: '', names: new Map(), carried: [] };
  const http = createHttp(state);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === 5) void serveSocks(socket, state, (asked) => carry(asked, state));
      else {
        http.emit('connection', socket);
        socket.resume();
      }
    });
  });
  server.on('close', () => http.close());
  return server;
};

const createHttp = (state: ProxyState): HttpServer => {
  const http = createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://proxy');
    if (pathname === '/set') {
      const fault = proxyFaults.find((known) => known === searchParams.get('fault'));
      if (fault !== undefined) state.fault = fault;
      state.password = searchParams.get('password') ?? state.password;
      const [name, to] = [searchParams.get('name'), searchParams.get('to')];
      if (name !== null && to !== null) state.names.set(name, to);
      state.carried.length = 0;
    }
    response.setHeader('connection', 'close').end(JSON.stringify(state.carried));
  });
  http.on(
    'connect',
    (request: IncomingMessage, client: Duplex) => void answerConnect(request, client, state),
  );
  return http;
};

const answerConnect = async (request: IncomingMessage, client: Duplex, state: ProxyState): Promise<void> => {
  client.on('error', () => undefined);
  const given = /^Basic (.+)$/.exec(request.headers['proxy-authorization'] ?? '')?.[1] ?? '';
  const [user = '', ...password] = Buffer.from(given, 'base64').toString().split(':');
  const asked: Carried = { protocol: 'connect', target: request.url ?? '', user };
  if (state.fault === 'hang') return;
  if (state.fault === 'close') return void client.destroy();
  if (state.fault === 'nonsense') return void client.end('220 mail.example ESMTP\r\n\r\n');
  if (state.password !== '' && (user !== USER || password.join(':') !== state.password)) {
    client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
    return;
  }
  if (state.fault === 'refuse') return void client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
  const upstream = await carry(asked, state);
  if (upstream === undefined) client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  else {
    client.write(
      `HTTP/1.1 200 Connection established\r\n\r\n${state.fault === 'chatter' ? 'HTTP/1.1 200 OK' : ''}`,
    );
    join(client, upstream);
  }
};

/** Connects to a resolved name and records the request. */
const carry = async (asked: Carried, state: ProxyState): Promise<Socket | undefined> => {
  state.carried.push(asked);
  const [, name = '', port = ''] = /^\[?([^\]]*)\]?:(\d+)$/.exec(asked.target) ?? [];
  const [host = name, at = port] = state.names.get(name)?.split(':') ?? [];
  const upstream = connect({ host, port: Number(at) });
  upstream.on('error', () => undefined);
  return new Promise((resolve) => {
    upstream.once('connect', () => resolve(upstream));
    upstream.once('error', () => resolve(undefined));
  });
};
