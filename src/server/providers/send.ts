import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { AppError } from '#core/error.ts';
import type { AddressGuard, OutboundReply, OutboundRequest, Sender } from '#core/outbound.ts';
import { Exchange } from './exchange.ts';
import { guardedLookup, refusedAddress } from './outbound-guard.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const FIRST_BYTE_TIMEOUT_MS = 600_000;
const IDLE_TIMEOUT_MS = 300_000;
const MAX_HEADER_BYTES = 32 * 1024;
const MAX_DECODED_BYTES = 64 * 1024 * 1024;
const MAX_PARSED_URLS = 1000;

export interface SenderOptions {
  /** Which resolved addresses may be connected to. */
  readonly allowAddress: AddressGuard;
  readonly connectTimeoutMs?: number;
  /** The most a compressed body may become; default 64 MiB. */
  readonly maxDecodedBytes?: number;
}

/**
 * The one way out to upstreams: undici's dispatcher behind a small iterator. Nothing is followed, stored or retried;
 * connections are kept alive and never shared by two calls at once.
 */
export const createSender = (options: SenderOptions): Sender => {
  const agent = new Agent({
    connect: guardedConnector(options),
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  });
  const maxDecodedBytes = options.maxDecodedBytes ?? MAX_DECODED_BYTES;
  const targets = new Map<string, Target>();

  const targetOf = (url: string): Target => {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const target = readTarget(url);
    if (targets.size >= MAX_PARSED_URLS) targets.clear();
    targets.set(url, target);
    return target;
  };

  const send = (request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply> =>
    new Promise((resolve, reject) => {
      const { origin, path } = targetOf(request.url);
      const exchange = new Exchange(resolve, reject, maxDecodedBytes, signal);
      if (signal?.aborted === true) return;
      agent.dispatch(dispatchOptions(request, origin, path), exchange);
    });

  return { send, close: () => agent.destroy() };
};

interface Target {
  readonly origin: string;
  readonly path: string;
}

const readTarget = (text: string): Target => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError('upstream_failed', 'the channel has an address that is not an http or https address');
  }
  return { origin: url.origin, path: url.pathname + url.search };
};

const dispatchOptions = (
  request: OutboundRequest,
  origin: string,
  path: string,
): Dispatcher.DispatchOptions => {
  const headers: string[] = ['accept-encoding', 'identity'];
  for (const name in request.headers) {
    const value = request.headers[name];
    if (value !== undefined && name !== 'accept-encoding') headers.push(name, value);
  }
  return {
    origin,
    path,
    method: request.method,
    headers,
    body: request.body ?? null,
    headersTimeout: request.firstByteTimeoutMs ?? FIRST_BYTE_TIMEOUT_MS,
    bodyTimeout: request.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  };
};

/** Checks the address that is really connected to, so that no answer of a name server can change after the check. */
const guardedConnector = ({ allowAddress, connectTimeoutMs }: SenderOptions): buildConnector.connector => {
  const connect = buildConnector({
    timeout: connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    allowH2: false,
    lookup: guardedLookup(allowAddress),
  });
  return (target, callback) => {
    // A host that is an address already is never looked up.
    const address = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(address) !== 0 && !allowAddress(address)) callback(refusedAddress(), null);
    else connect(target, callback);
  };
};
