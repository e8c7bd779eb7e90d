import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';
import type { Form } from '../dialects/form.ts';
import { codingOf, tooLarge } from './body-head.ts';
import { bodyPieces } from './body-pieces.ts';
import { type BodyBudget, HeldBody } from './held-body.ts';
import { readForm } from './read-form.ts';

const gunzipped = promisify(gunzip);

/** All bodies in memory at once, whoever sends them. */
const ALL_IN_MEMORY_MAX_BYTES = 256 * 1024 * 1024;
/** And all that wait on disk. */
const ALL_ON_DISK_MAX_BYTES = 4 * 1024 * 1024 * 1024;

const tooMany = (): AppError =>
  new AppError('unavailable', 'too many large requests at once, try again', { retryAfterSeconds: 2 });

/** The body of one request, read once. What it holds counts until `release`. */
export class CountedBody {
  readonly #bodies: RelayBodies;
  readonly #request: IncomingMessage;
  #heldBytes = 0;
  #held: HeldBody | undefined;

  constructor(bodies: RelayBodies, request: IncomingMessage) {
    this.#bodies = bodies;
    this.#request = request;
  }

  /** The whole body, decoded; throws as `RelayBodies.read` does. */
  async read(): Promise<Buffer> {
    const bytes = await this.#bodies.read(this.#request);
    this.#heldBytes = bytes.length;
    return bytes;
  }

  /** The body as a form, its files not in memory; throws as `read` does, and `invalid_request` for a broken form. */
  readForm(mayComeOn: boolean): Promise<Form> {
    const { headers } = this.#request;
    const { 'content-type': type = '', 'content-length': length, 'content-encoding': coding } = headers;
    const announced = length === undefined || coding === 'gzip' ? undefined : Number(length);
    this.#held = new HeldBody(this.#bodies, announced);
    return readForm(bodyPieces(this.#request), type, this.#held, mayComeOn && announced !== undefined);
  }

  /** The call is over: its body no longer counts. */
  release(): void {
    this.#bodies.giveMemory(this.#heldBytes);
    this.#held?.release();
  }
}

/** Reads the bodies of relay calls, and keeps all of them together within a budget. */
export class RelayBodies implements BodyBudget {
  #heldBytes = 0;
  #onDiskBytes = 0;

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get onDiskBytes(): number {
    return this.#onDiskBytes;
  }

  /**
   * The whole body, decoded. Throws `payload_too_large`, `unsupported_media_type` for any coding but gzip,
   * `unavailable` when too many large bodies are held, `client_closed`. What is taken must be given back.
   */
  async read(request: IncomingMessage): Promise<Buffer> {
    const coding = codingOf(request);
    const bytes = await this.#collect(request);
    if (coding !== 'gzip') return bytes;
    const plain = await gunzipped(bytes, { maxOutputLength: RELAY_BODY_MAX_BYTES }).catch(
      (cause: unknown) => {
        this.giveMemory(bytes.length);
        throw isTooLong(cause)
          ? tooLarge()
          : new AppError('invalid_request', 'the body is not valid gzip', { cause });
      },
    );
    this.#heldBytes += plain.length - bytes.length;
    return plain;
  }

  takeMemory(bytes: number): void {
    if (!this.hasRoom(bytes)) throw tooMany();
    this.#heldBytes += bytes;
  }

  takeDisk(bytes: number): void {
    if (this.#onDiskBytes + bytes > ALL_ON_DISK_MAX_BYTES) throw tooMany();
    this.#onDiskBytes += bytes;
  }

  giveMemory(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  giveDisk(bytes: number): void {
    this.#onDiskBytes -= bytes;
  }

  hasRoom(bytes: number): boolean {
    return this.#heldBytes + bytes <= ALL_IN_MEMORY_MAX_BYTES;
  }

  /** Counts a body somebody else reads. */
  count(bytes: number): void {
    this.#heldBytes += bytes;
  }

  #collect(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let length = 0;
      let isOver = false;
      const fail = (error: AppError): void => {
        if (isOver) return;
        isOver = true;
        this.#heldBytes -= length;
        length = 0;
        chunks.length = 0;
        request.removeAllListeners('data');
        request.resume();
        reject(error);
      };
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        this.#heldBytes += chunk.length;
        chunks.push(chunk);
        if (length > RELAY_BODY_MAX_BYTES) fail(tooLarge());
        else if (this.#heldBytes > ALL_IN_MEMORY_MAX_BYTES) fail(tooMany());
      });
      request.on('end', () => {
        isOver = true;
        const only = chunks[0];
        resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, length));
      });
      const gone = (cause?: unknown): void =>
        fail(new AppError('client_closed', 'the caller went away', { cause }));
      request.on('error', gone);
      request.on('close', () => gone());
      // Gone while somebody looked up who it is: nothing will be said of it any more.
      if (request.destroyed) gone();
    });
  }
}

const isTooLong = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
