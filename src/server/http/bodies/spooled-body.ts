import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#core/error.ts';
import type { SpooledBytes } from '#core/limits/spooled-bytes.ts';
import type { RoomShare } from '#core/limits/shared-room.ts';

/** Smaller bodies stay in memory. */
const IN_MEMORY_MAX_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;

/** Small pieces are copied into blocks of this size: one object per piece would need a hundred times the memory. */
const BLOCK_BYTES = 16 * 1024;
const SMALL_PIECE_BYTES = BLOCK_BYTES / 2;

/** Accounts for the bytes of a body; `take` throws if there is no room. */
export interface BodyBudget {
  readonly memory: RoomShare;
  readonly disk: RoomShare;
}

/** An unlinked file: nobody else can open it, and it disappears with the process. */
const openNamelessFile = async (): Promise<FileHandle> => {
  const path = join(tmpdir(), `tollgate-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (thrown) {
    await file.close();
    throw thrown;
  }
};

/**
 * A body that may be large: above a few hundred kilobytes it goes to a file, if one can be created. It can be read
 * while it is still arriving.
 */
export class SpooledBody implements SpooledBytes {
  readonly #budget: BodyBudget;
  readonly #announced: number | undefined;
  readonly #openFile: () => Promise<FileHandle>;
  #pieces: Buffer[] = [];
  #file: FileHandle | undefined;
  #canHaveFile = true;
  #written = 0;
  #isWhole = false;
  #failure: unknown;
  /** Readers waiting for more bytes. */
  readonly #waiting: (() => void)[] = [];
  /** The last block, to which small pieces are appended. */
  #block: Buffer | undefined;
  #usedOfBlock = 0;

  /** `announced`: its length, if known. */
  constructor(budget: BodyBudget, announced?: number, openFile = openNamelessFile) {
    this.#budget = budget;
    this.#announced = announced;
    this.#openFile = openFile;
  }

  get length(): number {
    return this.#announced ?? this.#written;
  }

  get isOnDisk(): boolean {
    return this.#file !== undefined;
  }

  /** Appends bytes. Throws `unavailable` if there is no room for them, or the error that the body failed with. */
  async append(piece: Buffer): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file === undefined) {
      this.#keep(piece);
    } else {
      this.#budget.disk.take(piece.length);
      await write(this.#file, piece, this.#written);
    }
    this.#written += piece.length;
    if (this.#file === undefined && this.#written > IN_MEMORY_MAX_BYTES && this.#canHaveFile)
      await this.#moveToFile();
    this.#wake();
  }

  /** The body is complete. */
  finish(): void {
    this.#isWhole = true;
    this.#wake();
  }

  /** The body has failed: readers get this error. */
  fail(why: unknown): void {
    this.#failure ??= why;
    this.#wake();
  }

  /** Yields the bytes of a range and waits for those that have not arrived. */
  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const until = Math.min(end, this.#written);
      if (at >= until) {
        await this.#more();
      } else if (this.#file === undefined) {
        yield* this.#piecesBetween(at, until);
        at = until;
      } else {
        const piece = await readFrom(this.#file, at, Math.min(READ_BYTES, until - at));
        at += piece.length;
        yield piece;
      }
    }
  }

  async load(start: number, end: number): Promise<Buffer> {
    const length = end - start;
    this.#budget.memory.take(length);
    const whole = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for await (const piece of this.read(start, end)) at += piece.copy(whole, at);
    return whole;
  }

  /** The call is over. */
  release(): void {
    this.#budget.memory.release();
    this.#budget.disk.release();
    this.#pieces = [];
    this.fail(new AppError('client_closed', 'the call is over'));
    // An error on closing has nobody to go to.
    this.#file?.close().catch(() => undefined);
  }

  async #moveToFile(): Promise<void> {
    const file = await this.#openFile().catch(() => undefined);
    this.#canHaveFile = file !== undefined;
    if (file === undefined) return;
    try {
      this.#budget.disk.take(this.#written);
      await write(file, Buffer.concat(this.#pieces, this.#written), 0);
      // The call may have ended meanwhile, so nobody else would close the file.
      if (this.#failure !== undefined) throw this.#failure;
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
    this.#file = file;
    this.#pieces = [];
    this.#budget.memory.give(this.#budget.memory.heldBytes);
  }

  /** Waits for more bytes. Throws if there will be none. */
  async #more(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isWhole) throw noRoom(new Error('it is shorter than it was said to be'));
    await new Promise<void>((resolve) => void this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #keep(piece: Buffer): void {
    const { memory } = this.#budget;
    if (piece.length >= SMALL_PIECE_BYTES) {
      memory.take(piece.length);
      this.#pieces.push(piece);
      this.#block = undefined;
      return;
    }
    if (this.#block === undefined || this.#usedOfBlock + piece.length > BLOCK_BYTES) {
      memory.take(BLOCK_BYTES);
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#usedOfBlock = 0;
      this.#pieces.push(this.#block);
    }
    this.#usedOfBlock += piece.copy(this.#block, this.#usedOfBlock);
    this.#pieces[this.#pieces.length - 1] = this.#block.subarray(0, this.#usedOfBlock);
  }

  *#piecesBetween(start: number, end: number): Generator<Buffer> {
    let at = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(start - at, 0);
      const to = Math.min(end - at, piece.length);
      if (from < to) yield piece.subarray(from, to);
      at += piece.length;
    }
  }
}

const write = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at).catch(fail);
    at += bytesWritten;
  }
};

const readFrom = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const { bytesRead, buffer } = await file
    .read(Buffer.allocUnsafeSlow(length), 0, length, position)
    .catch(fail);
  if (bytesRead === 0) throw noRoom(new Error('the file is shorter than what was written to it'));
  return buffer.subarray(0, bytesRead);
};

const noRoom = (cause: unknown): AppError =>
  new AppError('unavailable', 'there is no room for the body of the request', {
    retryAfterSeconds: 2,
    cause,
  });

const fail = (cause: unknown): never => {
  throw noRoom(cause);
};
