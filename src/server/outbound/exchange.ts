import { tooLate } from '#core/channel/health/patience.ts';
import { AppError, asUnsent } from '#core/error.ts';
import type { GiveUpSignal } from '#core/outbound/give-up.ts';
import type { OutboundBody, OutboundReply, Pieces } from '#core/outbound/outbound.ts';
import { connectionFailure } from './connection-failure.ts';
import { codingsIn, decodeBody } from './decode-body.ts';
import { type Carried, type Connection, TimedOut } from './http1/connection.ts';
import type { ResponseHead } from './http1/response-head.ts';
import { PieceQueue, type PieceSource } from './piece-queue.ts';

/** Above this the socket is paused; with the chunk being read (at most 64 KiB) the buffer stays under 256 KiB. */
const PAUSE_ABOVE_BYTES = 192 * 1024;
const RESUME_BELOW_BYTES = 64 * 1024;

interface ExchangeOptions {
  readonly maxDecodedBytes: number;
  readonly signal: GiveUpSignal | undefined;
  readonly connected: (() => void) | undefined;
}

/** One open call: it receives its connection's callbacks and is the body of the reply, in one object. */
export class Exchange implements Carried, OutboundBody, PieceSource {
  #connection: Connection | undefined;
  #resolve: ((reply: OutboundReply) => void) | undefined;
  readonly #reject: (error: AppError) => void;
  readonly #maxDecodedBytes: number;
  readonly #signal: GiveUpSignal | undefined;
  readonly #connected: (() => void) | undefined;
  readonly #pieces = new PieceQueue(this);
  #over = false;

  constructor(
    resolve: (reply: OutboundReply) => void,
    reject: (error: AppError) => void,
    { maxDecodedBytes, signal, connected }: ExchangeOptions,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxDecodedBytes = maxDecodedBytes;
    this.#signal = signal;
    this.#connected = connected;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort);
  }

  /** Sets the connection that will carry the call; false if the call has already ended. */
  carriedBy(connection: Connection): boolean {
    if (this.#over) return false;
    this.#connection = connection;
    this.#connected?.();
    return true;
  }

  head({ status, headers }: ResponseHead): void {
    if (status >= 300 && status < 400) {
      const message = 'the upstream answered with a redirect';
      this.#fail(new AppError('upstream_failed', message, { upstream: { status, message } }));
      return;
    }
    const encoding = headers['content-encoding'];
    const resolve = this.#resolve;
    this.#resolve = undefined;
    if (encoding === undefined) {
      resolve?.({ status, headers, body: this });
      return;
    }
    const codings = codingsIn(String(encoding));
    const { 'content-encoding': _encoding, ...plain } = headers;
    if (codings.length === 0) {
      resolve?.({ status, headers: plain, body: this });
      return;
    }
    const { 'content-length': _length, ...rest } = plain;
    resolve?.({ status, headers: rest, body: decodeBody(this, codings, this.#maxDecodedBytes) });
  }

  data(piece: Buffer): void {
    if (this.#over) return;
    this.#pieces.push(piece);
    if (this.#pieces.bytes > PAUSE_ABOVE_BYTES && this.#connection?.isPaused === false)
      this.#connection.pause();
  }

  end(): void {
    this.#connection = undefined;
    this.#finish();
    this.#pieces.end();
  }

  failed(thrown: Error, request: 'sent' | 'unsent'): void {
    this.#connection = undefined;
    const failure = readFailure(thrown);
    this.#fail(request === 'sent' ? failure : asUnsent(failure));
  }

  [Symbol.asyncIterator](): Pieces {
    return this.#pieces;
  }

  discard(): void {
    this.#pieces.clear();
    if (this.#over) return;
    this.#finish();
    // The upstream must stop generating what nobody reads.
    this.#connection?.destroy();
    this.#pieces.end();
  }

  arrived(mostBytes: number): Buffer[] | undefined {
    return this.#pieces.arrived(mostBytes);
  }

  /** The reader has stopped before the end of the body. */
  left(): void {
    this.discard();
  }

  shifted(): void {
    if (this.#pieces.bytes < RESUME_BELOW_BYTES && this.#connection?.isPaused === true)
      this.#connection.resume();
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#fail(reason instanceof AppError ? reason : endedBy(reason));
  };

  #fail(error: AppError): void {
    if (this.#over) return;
    this.#finish();
    this.#connection?.destroy();
    if (this.#resolve === undefined) this.#pieces.end(error);
    else {
      this.#resolve = undefined;
      this.#reject(error);
    }
  }

  #finish(): void {
    this.#over = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

const readFailure = (thrown: Error): AppError =>
  thrown instanceof TimedOut ? tooLate(thrown.step, thrown.limitMs, thrown) : connectionFailure(thrown);

/** A time limit means that the upstream was too slow, not that the caller has left. */
const endedBy = (reason: unknown): AppError =>
  reason instanceof DOMException && reason.name === 'TimeoutError'
    ? new AppError('upstream_timeout', 'the upstream took too long', { cause: reason })
    : new AppError('client_closed', 'the call was given up', { cause: reason });
