import { isIP, connect as connectTcp, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';

export interface ConnectOptions {
  /** Resolves host names; it is not called for IP addresses. */
  readonly lookup: LookupFunction;
  readonly timeoutMs: number;
}

/**
 * Opens a socket to the host of `url` and calls `done` once, when the socket is writable or has failed. `onBytes` gets the
 * bytes received; they are valid only until it returns.
 */
export type Connect = (
  url: URL,
  onBytes: (bytes: Buffer) => void,
  done: (error: Error | undefined, socket: Socket | undefined) => void,
  proxy?: OutboundProxy,
) => void;

/** The host did not accept the connection in time. */
export class NotConnected extends Error {
  readonly limitMs: number;
  constructor(limitMs: number) {
    super('no connection in time');
    this.limitMs = limitMs;
  }
}

const KEEP_ALIVE_PROBE_MS = 60_000;
const MAX_SESSIONS = 100;
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** All sockets read into this one buffer: bytes that outlive the callback are copied, others cost no allocation. */
const memory = Buffer.allocUnsafeSlow(64 * 1024);

/** Connects over TCP, and over TLS for `https`, where a host's last session is resumed. */
export const createConnect = ({ lookup, timeoutMs }: ConnectOptions): Connect => {
  const sessions = new Map<string, Buffer>();

  const open = (url: URL, onBytes: (bytes: Buffer) => void): Socket => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const callback = (length: number): boolean => {
      onBytes(memory.subarray(0, length));
      return true;
    };
    const options = { host, lookup, onread: { buffer: memory, callback } };
    if (url.protocol !== 'https:') return connectTcp({ ...options, port: Number(url.port) || HTTP_PORT });
    const session = sessions.get(url.host);
    const socket = connectTls({
      ...options,
      port: Number(url.port) || HTTPS_PORT,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
      ...(session !== undefined && { session }),
    });
    socket.on('session', (ticket: Buffer) => {
      if (sessions.size >= MAX_SESSIONS) sessions.clear();
      sessions.set(url.host, ticket);
    });
    return socket;
  };

  return (url, onBytes, done) => {
    const socket = open(url, onBytes);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    const timer = new AwakeTimer(timeoutMs, () => socket.destroy(new NotConnected(timeoutMs)));
    const failed = (error: Error): void => {
      timer.stop();
      done(error, undefined);
    };
    socket.once('error', failed);
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      timer.stop();
      socket.off('error', failed);
      done(undefined, socket);
    });
  };
};
