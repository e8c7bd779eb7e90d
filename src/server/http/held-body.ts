import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '#core/error.ts';
import type { HeldBytes } from '#core/held-bytes.ts';

/** Smaller bodies are not worth a file. */
const IN_MEMORY_MAX_BYTES = 256 * 1024;
const READ_BYTES = 64 * 1024;

/** Where the bytes of bodies are counted; both throw `unavailable` when there are too many. */
export interface BodyBudget {
  takeMemory(bytes: number): void;
  takeDisk(bytes: number): void;
  giveMemory(bytes: number): void;
  giveDisk(bytes: number): void;
}

/** A file nobody else can open, gone with the process whatever happens to it. */
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

/** A body that may be large: what is over a few hundred kilobytes lies in a file, where one can be made. */
export class HeldBody implements HeldBytes {
  readonly #budget: BodyBudget;
  readonly #openFile: () => Promise<FileHandle>;
  #pieces: Buffer[] = [];
  #file: FileHandle | undefined;
  #canHaveFile = true;
  #length = 0;
  /** What the budget was asked for. */
  #memoryBytes = 0;
  #diskBytes = 0;

  constructor(budget: BodyBudget, openFile: () => Promise<FileHandle> = openNamelessFile) {
    this.#budget = budget;
    this.#openFile = openFile;
  }

  get length(): number {
    return this.#length;
  }

  /** Takes the next bytes. Throws `unavailable` where there is no room for them. */
  async append(piece: Buffer): Promise<void> {
    if (this.#file !== undefined) {
      this.#takeDisk(piece.length);
      await write(this.#file, piece, this.#length);
      this.#length += piece.length;
      return;
    }
    this.#takeMemory(piece.length);
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > IN_MEMORY_MAX_BYTES && this.#canHaveFile) await this.#moveToFile();
  }

  async *read(start: number, end: number): AsyncGenerator<Buffer> {
    if (this.#file === undefined) {
      yield* this.#piecesBetween(start, end);
      return;
    }
    for (let at = start; at < end;) {
      const wanted = Math.min(READ_BYTES, end - at);
      const { bytesRead, buffer } = await this.#file
        .read(Buffer.allocUnsafeSlow(wanted), 0, wanted, at)
        .catch(lost);
      if (bytesRead === 0) throw lost(new Error('the file is shorter than what was written to it'));
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async load(start: number, end: number): Promise<Buffer> {
    const length = end - start;
    this.#takeMemory(length);
    const whole = Buffer.allocUnsafeSlow(length);
    let at = 0;
    for await (const piece of this.read(start, end)) at += piece.copy(whole, at);
    return whole;
  }

  /** The call is over. */
  release(): void {
    this.#budget.giveMemory(this.#memoryBytes);
    this.#budget.giveDisk(this.#diskBytes);
    this.#memoryBytes = 0;
    this.#diskBytes = 0;
    this.#pieces = [];
    // Nobody is left to be told that it could not be closed.
    this.#file?.close().catch(() => undefined);
  }

  async #moveToFile(): Promise<void> {
    const file = await this.#openFile().catch(() => undefined);
    this.#canHaveFile = file !== undefined;
    if (file === undefined) return;
    this.#file = file;
    this.#takeDisk(this.#length);
    await write(file, Buffer.concat(this.#pieces, this.#length), 0);
    this.#pieces = [];
    this.#budget.giveMemory(this.#memoryBytes);
    this.#memoryBytes = 0;
  }

  #takeMemory(bytes: number): void {
    this.#budget.takeMemory(bytes);
    this.#memoryBytes += bytes;
  }

  #takeDisk(bytes: number): void {
    this.#budget.takeDisk(bytes);
    this.#diskBytes += bytes;
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
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at).catch(lost);
    at += bytesWritten;
  }
};

const lost = (cause: unknown): never => {
  throw new AppError('unavailable', 'there is no room for the body of the request', {
    retryAfterSeconds: 2,
    cause,
  });
};
