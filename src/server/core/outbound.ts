import type { ConnectSocket } from './message-socket.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

/** Says whether a resolved address (IPv4 or IPv6 text) may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** A body that is not in memory: sent piece by piece, no faster than the upstream takes it. */
export interface OutboundPieces {
  readonly length: number;
  /** From its beginning, each time it is asked for. Throws only `AppError`s. */
  pieces(): AsyncIterable<Buffer>;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | OutboundPieces;
  /** How long from the end of the request until status and headers; default 600 000. */
  readonly headMs?: number;
  /** How long the body may be silent; default 300 000. */
  readonly idleMs?: number;
  /** How long from the end of the request until the end of the body; default 600 000, Infinity for streams. */
  readonly wholeMs?: number;
  /** What carries the connection; none for most. */
  readonly proxy?: OutboundProxy;
}

/** The body of a request that has to be signed. Forms are never sent to such upstreams. */
export const signedBody = ({ body = '' }: OutboundRequest): Buffer | string => {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  throw new Error('a body that is not in memory cannot be signed');
};

/** Takes a piece of a body. False: nothing more is wanted. A promise: what comes waits for it. */
export type TakePiece = (piece: Buffer) => boolean | Promise<boolean>;

/** The pieces of a body, one asked for after the other. */
export interface Pieces extends AsyncIterator<Buffer, unknown> {
  /**
   * Gives every piece away in the moment it comes, which costs no promise. True at the end of the body, false once no
   * more is wanted. Rejects with what ended the body before its end, or what `take` throws.
   */
  each?(take: TakePiece): Promise<boolean>;
}

/** Bytes as they come. Leaving the loop early, or `discard`, closes the connection. */
export interface OutboundBody extends AsyncIterable<Buffer> {
  [Symbol.asyncIterator](): Pieces;
  discard(): void;
}

export interface OutboundReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: OutboundBody;
}

/**
 * Sends one call to an upstream. Rejects, and its body throws, only AppErrors: `upstream_failed` (refused address,
 * connection lost, redirect, broken encoding), `upstream_timeout`, or `client_closed` when the signal was aborted.
 * Redirects are never followed. What is not read of a body holds at most 256 KiB.
 */
export interface Sender {
  send(request: OutboundRequest, signal?: AbortSignal): Promise<OutboundReply>;
  close(): Promise<void>;
}

/**
 * What finishing a request, and getting its answer, may take: another call first (a token for the key), the time (a
 * signature has one), a WebSocket.
 */
export interface AuthorizeTools {
  readonly send: Sender['send'];
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /** Not given: no WebSockets are opened. */
  readonly connect?: ConnectSocket;
}
