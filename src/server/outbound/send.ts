import { isIP } from 'node:net';
import type { Clock } from '#core/clock.ts';
import { AppError } from '#core/error.ts';
import type { GiveUpSignal } from '#core/outbound/give-up.ts';
import type { AddressGuard, OutboundReply, OutboundRequest, Sender } from '#core/outbound/outbound.ts';
import { Exchange } from './exchange.ts';
import { type Connect, createConnect } from './http1/connect.ts';
import { ConnectionPool } from './http1/connection-pool.ts';
import { requestHead } from './http1/request-head.ts';
import type { LookupAll } from './lookup-once.ts';
import { CONNECT_TIMEOUT_MS } from './connect-timeout.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';
import { createConnectThrough } from './proxy/connect-through.ts';

/** The default time limit until the response head. */
const HEAD_MS = 600_000;
const IDLE_MS = 300_000;
const WHOLE_MS = 600_000;
const MAX_DECODED_BYTES = 64 * 1024 * 1024;
const MAX_PARSED_URLS = 1000;

export interface SenderOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Which resolved addresses may be connected to. */
  readonly allowAddress: AddressGuard;
  /** Finds the addresses of names; default: as names of the operator. */
  readonly lookupAll?: LookupAll;
  readonly connectTimeoutMs?: number;
  /** The largest decompressed body; default 64 MiB. */
  readonly maxDecodedBytes?: number;
}

/**
 * Sends every request to upstreams, over HTTP/1.1 connections that are kept alive. It follows no redirects, stores nothing,
 * and sends a request again only where a kept connection turns out to be closed; two calls never share a connection at the
 * same time.
 */
export const createSender = (options: SenderOptions): Sender => {
  const pool = new ConnectionPool(guardedConnector(options), options.clock);
  const maxDecodedBytes = options.maxDecodedBytes ?? MAX_DECODED_BYTES;
  const urls = new Map<string, URL>();

  const urlOf = (text: string): URL => {
    const known = urls.get(text);
    if (known !== undefined) return known;
    const url = readUrl(text);
    if (urls.size >= MAX_PARSED_URLS) urls.clear();
    urls.set(text, url);
    return url;
  };

  const send = (request: OutboundRequest, signal?: GiveUpSignal): Promise<OutboundReply> =>
    new Promise((resolve, reject) => {
      const url = urlOf(request.url);
      const head = requestHead(request, url);
      const timeouts = {
        headMs: request.headMs ?? HEAD_MS,
        idleMs: request.idleMs ?? IDLE_MS,
        wholeMs: request.wholeMs ?? WHOLE_MS,
      };
      const exchange = new Exchange(resolve, reject, {
        maxDecodedBytes,
        signal,
        connected: request.connected,
      });
      const { body, proxy, method, mayRepeat = method === 'GET' } = request;
      if (signal?.aborted !== true) pool.send({ url, head, body, timeouts, proxy, mayRepeat }, exchange);
    });

  return { send, close: async () => pool.close() };
};

const readUrl = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError('upstream_failed', 'the channel has an address that is not an http or https address');
  }
  return url;
};

/** Checks the address that is actually connected to, so that a DNS answer cannot change after the check. */
const guardedConnector = ({ allowAddress, lookupAll, connectTimeoutMs }: SenderOptions): Connect => {
  const lookup = guardedLookup(allowAddress, lookupAll);
  const timeoutMs = connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const connect = createConnect({ timeoutMs, lookup });
  const connectThrough = createConnectThrough({ timeoutMs, lookup, allowAddress });
  return (url, onBytes, done, proxy) => {
    if (proxy !== undefined) {
      connectThrough(proxy, url, (error, socket) => {
        socket?.on('data', onBytes);
        done(error, socket);
      });
      return;
    }
    // A host that is an IP address is never resolved.
    const address = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !allowAddress(address)) done(refusedAddress(), undefined);
    else connect(url, onBytes, done);
  };
};
