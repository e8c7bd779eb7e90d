import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import { proxyFailure } from './proxy-failure.ts';

/** The host and port to connect to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Reads up to an empty line. */
export const HEAD = -1;

/** A dialogue with a proxy: it writes, and yields how many bytes (or a `HEAD`) of the answer it needs. Throws AppErrors. */
export type Handshake = Generator<number, void, Buffer>;

type Write = (bytes: Buffer | string) => void;

/** Source: RFC 9110, 9.3.6; credentials RFC 7617. */
export function* httpConnect({ username, password }: OutboundProxy, to: Target, write: Write): Handshake {
  const host = to.host.includes(':') ? `[${to.host}]` : to.host;
  const authority = `${host}:${to.port}`;
  const pair = `${username}:${password.reveal()}`;
  const credentials =
    pair === ':' ? '' : `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
  write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${credentials}\r\n`);
  const head = (yield HEAD).toString('latin1');
  const status = Number(/^HTTP\/1\.[01] ([1-5]\d\d)(?: |\r?\n)/.exec(head)?.[1] ?? 0);
  if (status === 0) throw proxyFailure('proxy_broken');
  if (status === 407) throw proxyFailure('proxy_auth');
  if (status < 200 || status > 299) throw proxyFailure('proxy_refused', { status });
}

const VERSION = 5;
const NO_CREDENTIALS = 0;
const BY_PASSWORD = 2;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;
const IPV4 = 1;
const NAME = 3;
const IPV6 = 4;

/** Source: RFC 1928; user name and password RFC 1929. */
export function* socks5({ username, password }: OutboundProxy, to: Target, write: Write): Handshake {
  const methods = username === '' ? [NO_CREDENTIALS] : [NO_CREDENTIALS, BY_PASSWORD];
  write(Buffer.from([VERSION, methods.length, ...methods]));
  const [version, method = NONE_ACCEPTABLE] = yield 2;
  if (version !== VERSION) throw proxyFailure('proxy_broken');
  if (!methods.includes(method)) throw proxyFailure('proxy_auth');
  if (method === BY_PASSWORD) {
    write(Buffer.concat([Buffer.from([1]), counted(username), counted(password.reveal())]));
    const [, verdict] = yield 2;
    if (verdict !== 0) throw proxyFailure('proxy_auth');
  }
  write(Buffer.concat([Buffer.from([VERSION, CONNECT, 0]), addressOf(to.host), twoBytes(to.port)]));
  const [answered, status, , kind] = yield 4;
  if (answered !== VERSION) throw proxyFailure('proxy_broken');
  if (status !== 0) throw proxyFailure('proxy_refused', { status: status ?? 0 });
  // The proxy's own address is not needed, but must be read.
  const length = kind === IPV4 ? 4 : kind === IPV6 ? 16 : ((yield 1)[0] ?? 0);
  yield length + 2;
}

const counted = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
};

const twoBytes = (port: number): Buffer => Buffer.from([port >> 8, port & 0xff]);

const addressOf = (host: string): Buffer =>
  isIP(host) === 0
    ? Buffer.concat([Buffer.from([NAME]), counted(host)])
    : Buffer.from([isIPv4(host) ? IPV4 : IPV6, ...ipaddr.parse(host).toByteArray()]);
