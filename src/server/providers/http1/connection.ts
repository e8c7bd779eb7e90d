import type { Socket } from 'node:net';
import type { OutboundPieces, OutboundRequest } from '#core/outbound.ts';
import { drained } from '../drained.ts';
import type { ResponseHead } from './response-head.ts';
import { ResponseReader, type ResponseSink } from './response-reader.ts';
import { HttpBroken } from './http-broken.ts';

/** What a connection tells the call it carries. After `end` or `failed` it tells it nothing more. */
export interface Carried extends ResponseSink {
  failed(error: Error): void;
}

/** The times of one call; both are looked at a few times a second. */
export interface Patience {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

export class TimedOut extends Error {
  readonly isBeforeAnswer: boolean;
  constructor(isBeforeAnswer: boolean) {
    super(isBeforeAnswer ? 'no answer in time' : 'silence in the answer');
    this.isBeforeAnswer = isBeforeAnswer;
  }
}

/** What a connection needs of the pool it belongs to. */
export interface Pool {
  /** A clock that is right to a fraction of a second and costs nothing to read. */
  readonly nowMs: number;
  free(connection: Connection, keepAliveSeconds: number | undefined): void;
  lost(connection: Connection): void;
}

/** A socket to an upstream that carries one call after the other, never two at once. */
export class Connection implements ResponseSink {
  readonly origin: string;
  readonly #socket: Socket;
  readonly #pool: Pool;
  #reader: ResponseReader | undefined;
  #carried: Carried | undefined;
  #patience: Patience = { firstByteMs: 0, idleMs: 0 };
  #hasAnswer = false;
  #quietSinceMs = 0;
  #isPaused = false;
  /** Its call's body is still on its way. */
  #isSending = false;
  /** It is us the upstream waits for. */
  #isOurTurn = false;
  /** Until then it may wait for its next call. */
  idleUntilMs = 0;

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

  /** Sends a request, and tells `carried` what comes back. */
  carry(head: string, body: OutboundRequest['body'], patience: Patience, carried: Carried): void {
    this.#carried = carried;
    this.#reader = new ResponseReader(this);
    this.#patience = patience;
    this.#hasAnswer = false;
    this.#quietSinceMs = this.#pool.nowMs;
    if (typeof body === 'object' && !Buffer.isBuffer(body)) void this.#send(head, body, carried);
    else writeRequest(this.#socket, head, body);
  }

  /** Sends a body that is not in memory; once its call is over, no more of it. */
  async #send(head: string, body: OutboundPieces, carried: Carried): Promise<void> {
    this.#isSending = true;
    this.#isOurTurn = true;
    this.#socket.write(head, 'latin1');
    try {
      for await (const piece of body.pieces()) {
        if (this.#carried !== carried) return;
        this.#isOurTurn = false;
        this.#quietSinceMs = this.#pool.nowMs;
        if (!this.#socket.write(piece)) await drained(this.#socket);
        this.#isOurTurn = true;
      }
      this.#isSending = false;
      this.#isOurTurn = false;
      this.#quietSinceMs = this.#pool.nowMs;
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
    this.#quietSinceMs = this.#pool.nowMs;
    this.#socket.resume();
  }

  /** Ends the connection, and with it the call it carries. */
  destroy(): void {
    this.#carried = undefined;
    this.#socket.destroy();
  }

  /** Called by the pool's clock. */
  tick(nowMs: number): void {
    const isOurTurn = this.#isOurTurn && !this.#hasAnswer;
    if (this.#carried === undefined || this.#isPaused || isOurTurn) return;
    const { firstByteMs, idleMs } = this.#patience;
    const patienceMs = this.#hasAnswer ? idleMs : firstByteMs;
    if (nowMs - this.#quietSinceMs >= patienceMs) this.#fail(new TimedOut(!this.#hasAnswer));
  }

  head(head: ResponseHead): void {
    this.#hasAnswer = true;
    this.#carried?.head(head);
  }

  data(piece: Buffer): void {
    this.#carried?.data(piece);
  }

  end(): void {
    const carried = this.#carried;
    this.#carried = undefined;
    carried?.end();
  }

  /** Takes what came over the socket; of the bytes themselves nothing is kept. */
  receive(bytes: Buffer): void {
    const reader = this.#reader;
    // An upstream that speaks unasked is not one to ask again.
    if (reader === undefined || reader.isDone) return this.destroy();
    this.#quietSinceMs = this.#pool.nowMs;
    try {
      reader.feed(bytes);
    } catch (thrown) {
      this.#fail(thrown instanceof Error ? thrown : new HttpBroken(String(thrown)));
      return;
    }
    if (!reader.isDone) return;
    this.#reader = undefined;
    if (reader.isReusable && this.#socket.writable && !this.#isPaused && !this.#isSending)
      this.#pool.free(this, reader.keepAliveSeconds);
    else this.destroy();
  }

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
    this.destroy();
    carried?.failed(error);
  }
}

const ONE_PIECE_MAX_BYTES = 64 * 1024;

/** Head and body in one piece where they are small: one call of the system instead of two. */
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
