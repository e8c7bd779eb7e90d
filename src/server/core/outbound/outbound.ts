import type { ConnectSocket } from './message-socket.ts';
import type { GiveUpSignal } from './give-up.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

/** Says whether a resolved address (IPv4 or IPv6 text) may be connected to. */
export type AddressGuard = (address: string) => boolean;

/** A body that is not in memory: sent in pieces, no faster than the upstream reads. */
export interface OutboundPieces {
  readonly length: number;
  /** Starts from the beginning at each call. Throws only `AppError`s. */
  pieces(): AsyncIterable<Buffer>;
}

/** A request to another server. */
export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | OutboundPieces;
  /** Timeout from the end of the request to status and headers; default 600 000. */
  readonly headMs?: number;
  /** How long the body may pause; default 300 000. */
  readonly idleMs?: number;
  /** Timeout from the end of the request to the end of the body; default 600 000, Infinity for streams. */
  readonly wholeMs?: number;
  /**
   * It may be made twice. Then it is sent over a new connection if a kept one turns out to be closed, which upstreams do at
   * any time and mostly without having read it. Default: a GET may.
   */
  readonly mayRepeat?: boolean;
  /** The proxy for the connection; most have none. */
  readonly proxy?: OutboundProxy;
  /** Called when there is a connection, reused or new, before the request is sent. */
  readonly connected?: () => void;
}

/** The body of a request to be signed. Upstreams that need signatures never get forms. */
export const signedBody = ({ body = '' }: OutboundRequest): Buffer | string => {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body;
  throw new Error('a body that is not in memory cannot be signed');
};

/** Takes a piece of a body. Return false to stop, or a promise to delay the next piece. */
export type TakePiece = (piece: Buffer) => boolean | Promise<boolean>;

/** The pieces of a body, read one by one. */
export interface Pieces extends AsyncIterator<Buffer, unknown> {
  /**
   * Passes each piece to `take` as it arrives, without a promise per piece. Resolves to true at the end of the body,
   * false if `take` stopped it. Rejects if the body breaks off or `take` throws.
   */
  each?(take: TakePiece): Promise<boolean>;
}

/** Body bytes as they arrive. Leaving the loop early, or `discard`, closes the connection. */
export interface OutboundBody extends AsyncIterable<Buffer> {
  [Symbol.asyncIterator](): Pieces;
  /** The whole body, if it has arrived and is no longer than this; else nothing is taken. */
  arrived?(mostBytes: number): Buffer[] | undefined;
  discard(): void;
}

/** The head of another server's reply; its body is read or discarded by whoever has it. */
export interface OutboundReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: OutboundBody;
}

/**
 * Sends one call to an upstream. It and its body throw only AppErrors: `upstream_failed` (refused address, lost
 * connection, redirect, broken encoding), `upstream_timeout`, or `client_closed` when the signal was aborted. Never
 * follows redirects. Buffers at most 256 KiB of an unread body.
 */
export interface Sender {
  send(request: OutboundRequest, signal?: GiveUpSignal): Promise<OutboundReply>;
  close(): Promise<void>;
}

/**
 * What `authorize` and `deliver` may need: another call first (a token for the key), the time (for a signature), a
 * WebSocket.
 */
export interface AuthorizeTools {
  readonly send: Sender['send'];
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
  /** Reads a large body, which counts with all answers in memory. Throws if it is too long or finds no room. */
  readonly readWhole?: ((body: OutboundBody) => Promise<Buffer>) | undefined;
  /**
   * To be called where a delivery of several calls fails after the upstream has done work: it may charge for that. With
   * what it has answered so far, in the format of the answer, if that tells usage.
   */
  readonly noteWork?: ((answered?: object) => void) | undefined;
  /** If absent, no WebSockets can be opened. */
  readonly connect?: ConnectSocket;
}
