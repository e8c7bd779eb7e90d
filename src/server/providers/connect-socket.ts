import { type createConnection, isIP, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { AppError } from '#core/error.ts';
import { type ConnectSocket, messageSocket } from '#core/message-socket.ts';
import type { AddressGuard } from '#core/outbound.ts';
import type { OutboundProxy } from '#core/outbound-proxy.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';
import { createConnectThrough } from './proxy/connect-through.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Opens WebSockets to upstreams, under the same guard as every other call. Redirects are not followed. */
export const createSocketConnector =
  ({ allowAddress }: { readonly allowAddress: AddressGuard }): ConnectSocket =>
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
        handshakeTimeout: CONNECT_TIMEOUT_MS,
        maxPayload: MAX_MESSAGE_BYTES,
        perMessageDeflate: false,
        ...(proxy !== undefined && { createConnection: connection(proxy, target, allowAddress) }),
      });
      const stop = (): void => raw.terminate();
      signal.addEventListener('abort', stop, { once: true });
      raw.once('unexpected-response', (_, response) => {
        raw.terminate();
        const status = response.statusCode ?? 0;
        const message = `the upstream refused the connection (status ${String(status)})`;
        reject(new AppError('upstream_failed', message, { upstream: { status, message } }));
      });
      raw.once('error', (cause) => {
        signal.removeEventListener('abort', stop);
        const failure = new AppError('upstream_failed', 'the connection to the upstream failed', { cause });
        reject(cause instanceof AppError ? cause : failure);
      });
      raw.once('open', () => {
        signal.removeEventListener('abort', stop);
        // Nothing that comes before somebody listens may be lost.
        raw.pause();
        resolve(messageSocket(raw));
      });
    });

/** How `node:http` has somebody else open its connection: the socket is told, not returned. */
const connection = (
  proxy: OutboundProxy,
  target: URL,
  allowAddress: AddressGuard,
): typeof createConnection => {
  const through = createConnectThrough({
    lookup: guardedLookup(allowAddress),
    allowAddress,
    timeoutMs: CONNECT_TIMEOUT_MS,
  });
  const open = (_: unknown, opened: (error: Error | null, socket?: Socket) => void): void =>
    through(proxy, target, (error, socket) => opened(error ?? null, socket));
  return open as unknown as typeof createConnection;
};
