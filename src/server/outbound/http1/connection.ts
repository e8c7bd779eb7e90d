import { ONE_PIECE_MAX_BYTES } from '#core/outbound/one-piece.ts';
import type { Socket } from 'node:net';
import type { OutboundProxy } from '#core/outbound/outbound-proxy.ts';
import type { OutboundPieces, OutboundRequest } from '#core/outbound/outbound.ts';
import { drained } from '../drained.ts';
import type { ResponseHead } from './response-head.ts';
import { ResponseReader, type ResponseSink } from './response-reader.ts';
import { HttpBroken } from './http-broken.ts';

/** The callbacks of the call that a connection carries. None comes after `end` or `failed`. */
export interface Carried extends ResponseSink {
  /** Called with the connection before each time that the call is sent; false if the call has already ended. */
  carriedBy(connection: Connection): boolean;
  /** @param isSent the whole request went out: the upstream may have done what it asks for */
  failed(error: Error, request: 'sent' | 'unsent'): void;
}

/** The time limits of one call. Time while this process was blocked does not count; checked a few times per second. */
export interface Timeouts {
  /** From the end of the request to the end of the response head; also for sending one piece of the request. */
  readonly headMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
  /** From the end of the request to the end of the body; Infinity for a stream. */
  readonly wholeMs: number;
}

/** What a connection sends. */
export interface CallRequest {
  readonly url: URL;
  readonly head: string;
  readonly body: OutboundRequest['body'];
  readonly timeouts: Timeouts;
  readonly proxy: OutboundProxy | undefined;
  readonly mayRepeat: boolean;
}

/** The upstream was silent for longer than a limit. */
export class TimedOut extends Error {
  readonly step: 'request' | 'head' | 'end' | 'silence';
  readonly limitMs: number;
  constructor(step: TimedOut['step'], limitMs: number) {
    super(`late: ${step}`);
    this.step = step;
    this.limitMs = limitMs;
  }
}

/** What a connection needs from its pool. */
export interface Pool {
  /** A clock that stops while this process is blocked, is exact to a fraction of a second, and is cheap to read. */
  readonly awakeMs: number;
  free(connection: Connection, keepAliveSeconds: number | undefined): void;
  lost(connection: Connection): void;
  /** Sends a request over a new connection. */
  sendAnew(request: CallRequest, carried: Carried): void;
}

/** A connection that the upstream has closed while it was idle fails as soon as something is sent: within a round trip. */
const STALE_MS = 1000;

/** A socket to an upstream. It carries one call after another, never two at once. */
export class Connection implements ResponseSink {
  readonly origin: string;
  readonly #socket: Socket;
  readonly #pool: Pool;
  #reader: ResponseReader | undefined;
  #carried: Carried | undefined;
  #timeouts: Timeouts = { headMs: 0, idleMs: 0, wholeMs: 0 };
  #hasAnswer = false;
  #sentAtMs = 0;
  #quietSinceMs = 0;
  #isPaused = false;
  /** Bytes received in large chunks during this turn of the event loop. */
  #turnBytes = 0;
  /** The request body is still being sent. */
  #isSending = false;
  /** The upstream is waiting for us. */
  #isOurTurn = false;
  /** When the idle connection expires. */
  idleUntilMs = 0;
  /** Until this time the upstream has surely not closed it. */
  sureUntilMs = 0;
  /** It has carried a call before. */
  isKept = false;
  /** The request, if it may be sent once more should this connection turn out to be closed; no byte has come yet. */
  #unanswered: CallRequest | undefined;

  constructor(origin: string, socket: Socket, pool: Pool) {
    this.origin = origin;
    this.#socket = socket;
    this.#pool = pool;
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isUsable(): boolean {
    return this.#carried === undefined && this.#socket.writable && !this.#socket.readableEnded;
  }

  /** Sends a request and passes the response to `carried`. */
  carry(request: CallRequest, carried: Carried): void {
    const { head, body, timeouts, mayRepeat } = request;
    this.#carried = carried;
    if (mayRepeat && this.isKept) this.#unanswered = request;
    this.#reader = new ResponseReader(this);
    this.#timeouts = timeouts;
    this.#hasAnswer = false;
    this.#sent();
    const pieces = inPieces(body);
    if (pieces !== undefined) void this.#send(head, pieces, carried);
    else writeRequest(this.#socket, head, body as Exclude<typeof body, OutboundPieces>);
  }

  #sent(): void {
    this.#sentAtMs = this.#quietSinceMs = this.#pool.awakeMs;
  }

  /** Sends a body that is not in memory; stops when the call has ended. */
  async #send(head: string, body: OutboundPieces, carried: Carried): Promise<void> {
    this.#isSending = true;
    this.#isOurTurn = true;
    this.#socket.write(head, 'latin1');
    try {
      for await (const piece of body.pieces()) {
        if (this.#carried !== carried) return;
        this.#isOurTurn = false;
        this.#quietSinceMs = this.#pool.awakeMs;
        if (!this.#socket.write(piece)) await drained(this.#socket);
        this.#isOurTurn = true;
      }
      this.#isSending = false;
      this.#isOurTurn = false;
      this.#sent();
    } catch (thrown) {
      if (this.#carried === carried) this.#fail(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#quietSinceMs = this.#pool.awakeMs;
    if (this.#turnBytes < TURN_BYTES) this.#socket.resume();
  }

  /** Ends the connection, and with it the call it carries. */
  destroy(): void {
    this.#carried = undefined;
    this.#unanswered = undefined;
    this.#socket.destroy();
  }

  /** Called by the pool's clock: ends a call whose upstream has been silent for too long. */
  judge(): void {
    if (this.#carried === undefined || this.#isPaused) return;
    if (this.#isOurTurn && !this.#hasAnswer) return;
    const late = this.#lateness();
    if (late !== undefined) this.#fail(late);
    // The body is complete, so trailers are awaited only briefly.
    else if (this.#reader?.isInTrailers === true && this.#quietMs >= TRAILERS_MS) {
      this.#reader.endBody();
      this.destroy();
    }
  }

  get #quietMs(): number {
    return this.#pool.awakeMs - this.#quietSinceMs;
  }

  #lateness(): TimedOut | undefined {
    const { headMs, idleMs, wholeMs } = this.#timeouts;
    if (this.#isSending && !this.#hasAnswer)
      return this.#quietMs >= headMs ? new TimedOut('request', headMs) : undefined;
    if (this.#pool.awakeMs - this.#sentAtMs >= wholeMs) return new TimedOut('end', wholeMs);
    if (!this.#hasAnswer) return this.#quietMs >= headMs ? new TimedOut('head', headMs) : undefined;
    return this.#quietMs >= idleMs ? new TimedOut('silence', idleMs) : undefined;
  }

  head(head: ResponseHead): void {
    this.#hasAnswer = true;
    this.#quietSinceMs = this.#pool.awakeMs;
    this.#carried?.head(head);
  }

  data(piece: Buffer): void {
    // Interim responses, single bytes of a head and chunk framing do not count as progress.
    this.#quietSinceMs = this.#pool.awakeMs;
    this.#carried?.data(piece);
  }

  end(): void {
    const carried = this.#carried;
    this.#carried = undefined;
    carried?.end();
  }

  /** Handles bytes from the socket, without keeping them. */
  receive(bytes: Buffer): void {
    const reader = this.#reader;
    // Bytes without a request: the connection cannot be trusted any more.
    if (reader === undefined || reader.isDone) return this.destroy();
    this.#unanswered = undefined;
    try {
      reader.feed(bytes);
    } catch (thrown) {
      this.#fail(thrown instanceof Error ? thrown : new HttpBroken(String(thrown)));
      return;
    }
    if (bytes.length >= LARGE_CHUNK_BYTES) this.#leaveTurns(bytes.length);
    if (!reader.isDone) return;
    this.#reader = undefined;
    if (reader.isReusable && this.#socket.writable && !this.#isPaused && !this.#isSending)
      this.#pool.free(this, reader.keepAliveSeconds);
    else this.destroy();
  }

  /**
   * Pauses reading after many bytes in one turn of the event loop, so that a fast upstream does not block other
   * calls.
   */
  #leaveTurns(bytes: number): void {
    if (this.#turnBytes === 0) setImmediate(this.#onTurn);
    this.#turnBytes += bytes;
    if (this.#turnBytes >= TURN_BYTES) this.#socket.pause();
  }

  readonly #onTurn = (): void => {
    const wasPaused = this.#turnBytes >= TURN_BYTES;
    this.#turnBytes = 0;
    if (wasPaused && !this.#isPaused) this.#socket.resume();
  };

  readonly #onEnd = (): void => {
    try {
      this.#reader?.close();
    } catch (thrown) {
      this.#fail(thrown instanceof Error ? thrown : new HttpBroken(String(thrown)));
    }
    this.destroy();
  };

  readonly #onError = (error: Error): void => this.#fail(error);

  readonly #onClose = (): void => {
    if (this.#carried !== undefined) this.#fail(new HttpBroken('the connection was closed'));
    this.#pool.lost(this);
  };

  #fail(error: Error): void {
    const carried = this.#carried;
    const request = this.#isSending ? 'unsent' : 'sent';
    const stale = this.#pool.awakeMs - this.#sentAtMs < STALE_MS ? this.#unanswered : undefined;
    this.destroy();
    if (stale !== undefined && carried !== undefined) this.#pool.sendAnew(stale, carried);
    else carried?.failed(error, request);
  }
}

const TRAILERS_MS = 2000;
const LARGE_CHUNK_BYTES = 8 * 1024;
const TURN_BYTES = 64 * 1024;
const SLICED_ABOVE_BYTES = 1024 * 1024;
const SLICE_BYTES = 256 * 1024;

/** The body in pieces, if it is not in memory or so large that progress must be watched piece by piece. */
const inPieces = (body: OutboundRequest['body']): OutboundPieces | undefined => {
  if (typeof body === 'object' && !Buffer.isBuffer(body)) return body;
  if (body === undefined || body.length <= SLICED_ABOVE_BYTES) return undefined;
  const bytes = Buffer.from(body as string);
  return { length: bytes.length, pieces: () => slicesOf(bytes) };
};

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** Writes a small head and body in one piece: one system call instead of two. */
const writeRequest = (socket: Socket, head: string, body: Buffer | string | undefined): void => {
  if (body === undefined) socket.write(head, 'latin1');
  else if (body.length > ONE_PIECE_MAX_BYTES) {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  } else if (typeof body === 'string') socket.write(head + body);
  else socket.write(head + body.toString('latin1'), 'latin1');
};
