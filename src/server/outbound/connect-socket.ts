import { isIP, type Socket } from 'node:net';
import type { ClientRequestArgs, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { parsed } from '#contract/json-text.ts';
import { AwakeTimer } from '#core/time/awake-timer.ts';
import { tooLate } from '#core/channel/health/patience.ts';
import type { AppError } from '#core/error.ts';
import { type ConnectSocket, messageSocket } from '#core/outbound/message-socket.ts';
import type { AddressGuard } from '#core/outbound/outbound.ts';
import { readAll } from '#core/read-all.ts';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import { connectionFailure } from './connection-failure.ts';
import { CONNECT_TIMEOUT_MS } from './connect-timeout.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';
import { createConnectThrough } from './proxy/connect-through.ts';

const REFUSAL_TIMEOUT_MS = 5000;
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

type ReadRefusal = (status: number, body: unknown, retryAfter: string | undefined) => AppError;

export interface SocketOptions {
  readonly allowAddress: AddressGuard;
  /** Reads the error of an upstream that answers with a response instead of opening the socket. */
  readonly readRefusal: ReadRefusal;
  readonly connectTimeoutMs?: number;
}

/** Opens WebSockets to upstreams, under the same guard as every other call. Redirects are not followed. */
export const createSocketConnector =
  ({ allowAddress, readRefusal, connectTimeoutMs = CONNECT_TIMEOUT_MS }: SocketOptions): ConnectSocket =>
  ({ url, headers, protocols = ['realtime'], proxy }, signal) =>
    new Promise((resolve, reject) => {
      const target = new URL(url.replace(/^http/, 'ws'));
      const host = target.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !allowAddress(host)) {
        reject(refusedAddress());
        return;
      }
      const raw = new WebSocket(target, [...protocols], {
        headers,
        lookup: guardedLookup(allowAddress),
        maxPayload: MAX_MESSAGE_BYTES,
        perMessageDeflate: false,
        // Messages are delivered one per turn of the event loop, so that many small ones do not delay other calls.
        allowSynchronousEvents: false,
        autoPong: false,
        ...(proxy !== undefined && { createConnection: connection(proxy, target, allowAddress) }),
      });
      const stop = (): void => raw.terminate();
      signal.addEventListener('abort', stop, { once: true });
      // Covers the name lookup, the connection, and an answer that may arrive byte by byte.
      const timer = new AwakeTimer(connectTimeoutMs, () => {
        reject(tooLate('connection', connectTimeoutMs));
        stop();
      });
      const settled = (): void => {
        timer.stop();
        signal.removeEventListener('abort', stop);
      };
      raw.once('unexpected-response', (_, response) => {
        settled();
        void refusalIn(response, headers, readRefusal).then((refusal) => {
          raw.terminate();
          reject(refusal);
        });
      });
      raw.once('error', (cause) => {
        settled();
        reject(connectionFailure(cause));
      });
      raw.once('open', () => {
        settled();
        // No message may be lost before somebody listens.
        raw.pause();
        resolve(messageSocket(raw));
      });
    });

/** The error of an upstream that answered instead of opening the socket, read like the error of any other call. */
const refusalIn = async (
  response: IncomingMessage,
  headers: Readonly<Record<string, string>>,
  readRefusal: ReadRefusal,
): Promise<AppError> => {
  const status = response.statusCode ?? 0;
  const timer = new AwakeTimer(REFUSAL_TIMEOUT_MS, () => response.destroy());
  const bytes = await readAll(response, MAX_REFUSAL_BYTES).catch(() => undefined);
  timer.stop();
  // The answer may repeat the key.
  const keys = [headers['authorization']?.replace(/^Bearer\s+/i, ''), headers['api-key']].filter(Boolean);
  const masked = keys.reduce(
    (text: string, key) => text.replaceAll(key ?? '', '***'),
    bytes?.toString() ?? '',
  );
  return readRefusal(status, parsed(masked) ?? masked, response.headers['retry-after']);
};

/** `node:http` lets others open its connection: the socket is passed to a callback, not returned. */
const connection = (
  proxy: OutboundProxy,
  target: URL,
  allowAddress: AddressGuard,
): NonNullable<ClientRequestArgs['createConnection']> => {
  const through = createConnectThrough({
    lookup: guardedLookup(allowAddress),
    allowAddress,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  return (_, opened) => {
    // After an error `node:http` reads no socket.
    through(proxy, target, (error, socket) => opened(error ?? null, socket as Socket));
    return undefined;
  };
};
