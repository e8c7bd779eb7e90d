import type { AppError } from '#core/error.ts';
import type { Pieces, TakePiece } from '#core/outbound.ts';

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Whoever asked for the next piece. */
interface Waiting {
  readonly resolve: (result: IteratorResult<Buffer, undefined>) => void;
  readonly reject: (error: AppError) => void;
}

/** Whoever takes the pieces as they come. */
interface Taker {
  readonly take: TakePiece;
  readonly resolve: (isWhole: boolean) => void;
  readonly reject: (why: unknown) => void;
  /** False while the piece before is being taken. */
  isReady: boolean;
}

/** The pieces of a body between the connection they come from and whoever takes them. */
export class PieceQueue implements Pieces {
  #pieces: Buffer[] = [];
  #waiting: Waiting | undefined;
  #taker: Taker | undefined;
  #isOver = false;
  #error: AppError | undefined;
  readonly #shifted: () => void;
  readonly #left: () => void;
  /** What waits to be taken. */
  bytes = 0;

  /** `shifted` is called when a piece that waited is taken, `left` when a loop is left before the end. */
  constructor(shifted: () => void, left: () => void) {
    this.#shifted = shifted;
    this.#left = left;
  }

  /** A piece has come. */
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

  /** Nothing more will come; what waits can still be taken, then the error is thrown, where there is one. */
  end(error?: AppError): void {
    this.#isOver = true;
    this.#error = error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (error === undefined) waiting?.resolve(END);
    else waiting?.reject(error);
    this.#giveAll();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#pieces = [];
    this.bytes = 0;
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
    this.#left();
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
    this.#shifted();
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

  /** What came while nobody could take it; after that, the end. */
  #giveAll(): void {
    for (let taker = this.#taker; taker?.isReady === true; taker = this.#taker) {
      const piece = this.#shift();
      if (piece !== undefined) this.#give(taker, piece);
      else if (this.#error !== undefined) this.#failed(this.#error);
      else if (this.#isOver) this.#taken(true);
      else return;
    }
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
