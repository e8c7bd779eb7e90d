import type { AppError } from '#core/error.ts';
import type { Pieces, TakePiece } from '#core/outbound/outbound.ts';

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Above this many buffered bytes, only one piece is passed on per turn of the event loop. */
const TURN_BYTES = 64 * 1024;

/** A reader that waits for the next piece. */
interface Waiting {
  readonly resolve: (result: IteratorResult<Buffer, undefined>) => void;
  readonly reject: (error: AppError) => void;
}

/** A reader that is called for every piece. */
interface Taker {
  readonly take: TakePiece;
  readonly resolve: (isWhole: boolean) => void;
  readonly reject: (why: unknown) => void;
  /** False while it handles the previous piece. */
  isReady: boolean;
}

/** Where the pieces come from. */
export interface PieceSource {
  /** A buffered piece was read. */
  shifted(): void;
  /** A reader stopped before the end. */
  left(): void;
}

/** Buffers the pieces of a body between its connection and its reader. */
export class PieceQueue implements Pieces {
  #pieces: Buffer[] = [];
  #waiting: Waiting | undefined;
  #taker: Taker | undefined;
  #isOver = false;
  #error: AppError | undefined;
  readonly #source: PieceSource;
  /** The bytes buffered. */
  bytes = 0;

  constructor(source: PieceSource) {
    this.#source = source;
  }

  /** Adds a piece. */
  push(piece: Buffer): void {
    const taker = this.#taker;
    const waiting = this.#waiting;
    if (taker?.isReady === true) this.#give(taker, piece);
    else if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: piece });
    } else {
      this.#pieces.push(piece);
      this.bytes += piece.length;
    }
  }

  /** Ends the body. Buffered pieces can still be read; then the error is thrown, if there is one. */
  end(error?: AppError): void {
    this.#isOver = true;
    this.#error = error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (error === undefined) waiting?.resolve(END);
    else waiting?.reject(error);
    this.#giveAll();
  }

  /** Drops the buffered pieces. */
  clear(): void {
    this.#pieces = [];
    this.bytes = 0;
  }

  /** All pieces, if the body is complete and no longer than this; else none is taken. */
  arrived(mostBytes: number): Buffer[] | undefined {
    if (!this.#isOver || this.#error !== undefined || this.bytes > mostBytes) return undefined;
    const pieces = this.#pieces;
    this.clear();
    return pieces;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const piece = this.#shift();
    if (piece !== undefined) return Promise.resolve({ done: false, value: piece });
    if (this.#error !== undefined) return Promise.reject(this.#error);
    if (this.#isOver) return Promise.resolve(END);
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.#source.left();
    return Promise.resolve(END);
  }

  each(take: TakePiece): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#taker = { take, resolve, reject, isReady: true };
      this.#giveAll();
    });
  }

  #shift(): Buffer | undefined {
    const piece = this.#pieces.shift();
    if (piece === undefined) return undefined;
    this.bytes -= piece.length;
    this.#source.shifted();
    return piece;
  }

  #give(taker: Taker, piece: Buffer): void {
    try {
      const more = taker.take(piece);
      if (more === true) return;
      taker.isReady = false;
      if (more === false) this.#taken(false);
      else void more.then((isMore) => this.#goOn(taker, isMore), this.#failed);
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  #goOn(taker: Taker, isMore: boolean): void {
    taker.isReady = isMore;
    if (isMore) this.#giveAll();
    else this.#taken(false);
  }

  /** Passes on all buffered pieces, then the end. */
  #giveAll(): void {
    for (let taker = this.#taker; taker?.isReady === true; taker = this.#taker) {
      if (this.bytes > TURN_BYTES) {
        taker.isReady = false;
        setImmediate(() => this.#giveNext(taker));
        return;
      }
      const piece = this.#shift();
      if (piece !== undefined) this.#give(taker, piece);
      else if (this.#error !== undefined) this.#failed(this.#error);
      else if (this.#isOver) this.#taken(true);
      else return;
    }
  }

  /** One of many large pieces, in a turn of its own. */
  #giveNext(taker: Taker): void {
    if (this.#taker !== taker) return;
    taker.isReady = true;
    const piece = this.#shift();
    if (piece !== undefined) this.#give(taker, piece);
    this.#giveAll();
  }

  #taken(isWhole: boolean): void {
    this.#taker?.resolve(isWhole);
    this.#taker = undefined;
  }

  readonly #failed = (why: unknown): void => {
    this.#taker?.reject(why);
    this.#taker = undefined;
  };
}
