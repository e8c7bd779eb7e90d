import { type createConnection, isIP, type Socket } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { parsed } from '#contract/text.ts';
import { AwakeTimer } from '#core/awake-timer.ts';
import { tooLate } from '#core/channel/patience.ts';
import { AppError } from '#core/error.ts';
import { type ConnectSocket, messageSocket } from '#core/message-socket.ts';
import type { AddressGuard } from '#core/outbound.ts';
import { readAll } from '#core/read-all.ts';
import { readUpstreamError } from '../dialects/openai/error.ts';
import type { OutboundProxy } from '#core/outbound-proxy.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';
import { createConnectThrough } from './proxy/connect-through.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const REFUSAL_TIMEOUT_MS = 5000;
const MAX_REFUSAL_BYTES = 64 * 1024;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

export interface SocketOptions {
  readonly allowAddress: AddressGuard;
  readonly connectTimeoutMs?: number;
}

/** Opens WebSockets to upstreams, under the same guard as every other call. Redirects are not followed. */
export const createSocketConnector =
  ({ allowAddress, connectTimeoutMs = CONNECT_TIMEOUT_MS }: SocketOptions): ConnectSocket =>
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
        ...(proxy !== undefined && { createConnection: connection(proxy, target, allowAddress) }),
      });
      const stop = (): void => raw.terminate();
      signal.addEventListener('abort', stop, { once: true });
      // The name, the connection, and an answer that may come by the byte.
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
        void refusalIn(response, headers).then((refusal) => {
          raw.terminate();
          reject(refusal);
        });
      });
      raw.once('error', (cause) => {
        settled();
        const failure = new AppError('upstream_failed', 'the connection to the upstream failed', { cause });
        reject(cause instanceof AppError ? cause : failure);
      });
      raw.once('open', () => {
        settled();
        // Nothing that comes before somebody listens may be lost.
        raw.pause();
        resolve(messageSocket(raw));
      });
    });

/** What an upstream says that answers where it should open: as it does to any other call. */
const refusalIn = async (
  response: IncomingMessage,
  headers: Readonly<Record<string, string>>,
): Promise<AppError> => {
  const status = response.statusCode ?? 0;
  const timer = new AwakeTimer(REFUSAL_TIMEOUT_MS, () => response.destroy());
  const bytes = await readAll(response, MAX_REFUSAL_BYTES).catch(() => undefined);
  timer.stop();
  // It may repeat the key it was shown.
  const keys = [headers['authorization']?.replace(/^Bearer\s+/i, ''), headers['api-key']].filter(Boolean);
  const said = keys.reduce((text: string, key) => text.replaceAll(key ?? '', '***'), bytes?.toString() ?? '');
  return readUpstreamError(status, parsed(said) ?? said, response.headers['retry-after']);
};

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
