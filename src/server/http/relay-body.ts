import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError } from '#core/error.ts';

const gunzipped = promisify(gunzip);

/** All bodies held at once, whoever sends them. */
const ALL_BODIES_MAX_BYTES = 256 * 1024 * 1024;

const tooLarge = (): AppError =>
  new AppError('payload_too_large', `the body is larger than ${String(RELAY_BODY_MAX_BYTES)} bytes`);

/** The body of one request, read once. What it holds counts until `release`. */
export class CountedBody {
  readonly #bodies: RelayBodies;
  readonly #request: IncomingMessage;
  #heldBytes = 0;

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

  /** The call is over: its body no longer counts. */
  release(): void {
    this.#bodies.release(this.#heldBytes);
  }
}

/** Reads the bodies of relay calls, and keeps all of them together within a budget. */
export class RelayBodies {
  #heldBytes = 0;

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * The whole body, decoded. Throws `payload_too_large`, `unsupported_media_type` for any coding but gzip,
   * `unavailable` when too many large bodies are held, `client_closed`. What is taken must be given back with `release`.
   */
  async read(request: IncomingMessage): Promise<Buffer> {
    const coding = request.headers['content-encoding'];
    if (coding !== undefined && coding !== 'gzip' && coding !== 'identity') {
      throw new AppError('unsupported_media_type', 'the body may be plain or gzip, nothing else');
    }
    if (Number(request.headers['content-length'] ?? 0) > RELAY_BODY_MAX_BYTES) throw tooLarge();
    const bytes = await this.#collect(request);
    if (coding !== 'gzip') return bytes;
    const plain = await gunzipped(bytes, { maxOutputLength: RELAY_BODY_MAX_BYTES }).catch(
      (cause: unknown) => {
        this.release(bytes.length);
        throw isTooLong(cause)
          ? tooLarge()
          : new AppError('invalid_request', 'the body is not valid gzip', { cause });
      },
    );
    this.#heldBytes += plain.length - bytes.length;
    return plain;
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  hasRoom(bytes: number): boolean {
    return this.#heldBytes + bytes <= ALL_BODIES_MAX_BYTES;
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
        else if (this.#heldBytes > ALL_BODIES_MAX_BYTES) {
          fail(
            new AppError('unavailable', 'too many large requests at once, try again', {
              retryAfterSeconds: 2,
            }),
          );
        }
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
