/** Says whether a resolved address (IPv4 or IPv6 text) may be connected to. */
export type AddressGuard = (address: string) => boolean;

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
  /** How long until the status line; default 600 000. */
  readonly firstByteTimeoutMs?: number;
  /** How long the body may be silent; default 300 000. */
  readonly idleTimeoutMs?: number;
}

/** Bytes as they come. Leaving the loop early, or `discard`, closes the connection. */
export interface OutboundBody extends AsyncIterable<Buffer> {
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

/** What finishing a request may take: another call first (a token for the key), and the time (a signature has one). */
export interface AuthorizeTools {
  readonly send: Sender['send'];
  readonly nowMs: number;
  readonly signal: AbortSignal | undefined;
}
