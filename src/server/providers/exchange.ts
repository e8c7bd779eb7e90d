import { AppError } from '#core/error.ts';
import type { OutboundBody, OutboundReply, Pieces, TakePiece } from '#core/outbound.ts';
import { decodeBody } from './decode-body.ts';
import { NotConnected } from './http1/connect.ts';
import { type Carried, type Connection, TimedOut } from './http1/connection.ts';
import type { ResponseHead } from './http1/response-head.ts';

/** Above this the socket is paused; with the chunk on its way (at most 64 KiB) it stays under 256 KiB. */
const PAUSE_ABOVE_BYTES = 192 * 1024;
const RESUME_BELOW_BYTES = 64 * 1024;

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

interface Taker {
  readonly take: TakePiece;
  readonly resolve: (isWhole: boolean) => void;
  readonly reject: (why: unknown) => void;
  /** False while the piece before is being taken. */
  isReady: boolean;
}

/** One call on its way: what its connection tells it, and the reply's body, in one object. */
export class Exchange implements Carried, OutboundBody, Pieces {
  #connection: Connection | undefined;
  #resolve: ((reply: OutboundReply) => void) | undefined;
  readonly #reject: (error: AppError) => void;
  readonly #maxDecodedBytes: number;
  readonly #signal: AbortSignal | undefined;
  #queue: Buffer[] = [];
  #queuedBytes = 0;
  #waiting:
    | { resolve: (result: IteratorResult<Buffer, undefined>) => void; reject: (error: AppError) => void }
    | undefined;
  /** Whoever takes the pieces as they come. */
  #taker: Taker | undefined;
  #over = false;
  #error: AppError | undefined;

  constructor(
    resolve: (reply: OutboundReply) => void,
    reject: (error: AppError) => void,
    maxDecodedBytes: number,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#maxDecodedBytes = maxDecodedBytes;
    this.#signal = signal;
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The connection that is about to carry the call; false where the call is over before it began. */
  carriedBy(connection: Connection): boolean {
    if (this.#over) return false;
    this.#connection = connection;
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
    if (encoding === undefined || encoding === 'identity' || encoding === '') {
      resolve?.({ status, headers, body: this });
      return;
    }
    const { 'content-encoding': _encoding, 'content-length': _length, ...rest } = headers;
    resolve?.({ status, headers: rest, body: decodeBody(this, String(encoding), this.#maxDecodedBytes) });
  }

  data(piece: Buffer): void {
    if (this.#over) return;
    const taker = this.#taker;
    if (taker?.isReady === true) {
      this.#give(taker, piece);
      return;
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: piece });
      return;
    }
    this.#queue.push(piece);
    this.#queuedBytes += piece.length;
    if (this.#queuedBytes > PAUSE_ABOVE_BYTES && this.#connection?.isPaused === false)
      this.#connection.pause();
  }

  end(): void {
    this.#connection = undefined;
    this.#finish();
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
    this.#giveQueued();
  }

  failed(thrown: Error): void {
    this.#connection = undefined;
    this.#fail(readFailure(thrown));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const chunk = this.#shift();
    if (chunk !== undefined) return Promise.resolve({ done: false, value: chunk });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#over) return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  each(take: TakePiece): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#taker = { take, resolve, reject, isReady: true };
      this.#giveQueued();
    });
  }

  #shift(): Buffer | undefined {
    const piece = this.#queue.shift();
    if (piece === undefined) return undefined;
    this.#queuedBytes -= piece.length;
    if (this.#queuedBytes < RESUME_BELOW_BYTES && this.#connection?.isPaused === true)
      this.#connection.resume();
    return piece;
  }

  #give(taker: Taker, piece: Buffer): void {
    try {
      const more = taker.take(piece);
      if (more === true) return;
      taker.isReady = false;
      if (more === false) this.#taken(false);
      else
        void more.then(
          (isMore) => {
            taker.isReady = isMore;
            if (isMore) this.#giveQueued();
            else this.#taken(false);
          },
          (thrown: unknown) => this.#untaken(thrown),
        );
    } catch (thrown) {
      this.#untaken(thrown);
    }
  }

  /** What came while nobody could take it; after that, the end. */
  #giveQueued(): void {
    const isReady = (): boolean => this.#taker?.isReady === true;
    while (this.#taker !== undefined && isReady()) {
      const piece = this.#shift();
      if (piece !== undefined) this.#give(this.#taker, piece);
      else if (this.#error !== undefined) this.#untaken(this.#error);
      else if (this.#over) this.#taken(true);
      else return;
    }
  }

  #taken(isWhole: boolean): void {
    this.#taker?.resolve(isWhole);
    this.#taker = undefined;
  }

  #untaken(why: unknown): void {
    this.#taker?.reject(why);
    this.#taker = undefined;
  }

  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.discard();
    return Promise.resolve(END);
  }

  discard(): void {
    this.#queue = [];
    this.#queuedBytes = 0;
    if (this.#over) return;
    this.#finish();
    // An upstream must not go on making what nobody reads.
    this.#connection?.destroy();
    this.#waiting?.resolve(END);
    this.#waiting = undefined;
    this.#giveQueued();
  }

  readonly #onAbort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#fail(
      reason instanceof AppError
        ? reason
        : new AppError('client_closed', 'the call was given up', { cause: reason }),
    );
  };

  #fail(error: AppError): void {
    if (this.#over) return;
    this.#error = error;
    this.#finish();
    this.#connection?.destroy();
    if (this.#resolve !== undefined) {
      this.#resolve = undefined;
      this.#reject(error);
      return;
    }
    this.#waiting?.reject(error);
    this.#waiting = undefined;
    this.#giveQueued();
  }

  #finish(): void {
    this.#over = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}

const readFailure = (thrown: Error): AppError => {
  if (thrown instanceof AppError) return thrown;
  const late = lateness(thrown);
  if (late !== undefined) return new AppError('upstream_timeout', late, { cause: thrown });
  return new AppError('upstream_failed', 'the connection to the upstream failed', { cause: thrown });
};

const lateness = (thrown: Error): string | undefined => {
  if (thrown instanceof TimedOut) {
    return thrown.isBeforeAnswer
      ? 'the upstream did not begin to answer in time'
      : 'the upstream fell silent in the middle of its answer';
  }
  // Of several addresses the last one's answer may come before our time is over.
  const isUnreached = thrown instanceof NotConnected || ('code' in thrown && thrown.code === 'ETIMEDOUT');
  return isUnreached ? 'the upstream could not be reached in time' : undefined;
};
