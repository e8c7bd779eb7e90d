import type { AppError } from '#core/error.ts';
import type { Frame } from '../dialects/frame.ts';
import { JsonArrayWriter } from '../dialects/gemini/json-array.ts';
import type { Reply, RelayCall } from './ports.ts';

/** However many pieces may wait, no more than this of one stream is kept for a caller who reads slowly. */
const AHEAD_MAX_BYTES = 1024 * 1024;

/** The caller's side of a stream: how it is framed, when it was written to, whether it is read. Times are monotonic. */
export class Outlet {
  readonly #reply: Reply;
  /** A stream written as one JSON list; undefined for events. */
  readonly list: JsonArrayWriter | undefined;
  /** Comments may be sent while the upstream thinks; undefined where they may not. */
  pingEveryMs: number | undefined;
  lastWriteMs = 0;
  /** Pieces that may be written ahead of a caller who reads slowly, before the upstream has to wait. */
  readonly #aheadMax: number;
  #aheadPieces = 0;
  #aheadBytes = 0;
  /** More was written than the caller has read, and than may wait. */
  isFull = false;
  /** Waiting for the caller to read. */
  isStalled = false;
  /** A stream has begun, and more of it is waited for. */
  isListening = false;
  /** How far it had come when it was last looked at, and since when it stands there, in time this process could hear. */
  progress = -1;
  standsSinceMs = 0;
  /** In the middle of an event that is repeated in pieces. */
  insideEvent = false;

  /** What writes the stream, where it is written here: it tells how it fails as well. */
  writer: { fail(error: AppError, requestId: string): Buffer | undefined } | undefined;
  /** What a stream began with that is repeated, and what was written of it last. */
  first: readonly Frame[] = [];
  #last: Buffer | undefined;
  #beforeLast: Buffer | undefined;
  /** The upstream's failure that was repeated in its own words. */
  toldError: AppError | undefined;

  constructor({ reply, framing }: Pick<RelayCall, 'reply' | 'framing'>, aheadMax: number) {
    this.#reply = reply;
    this.#aheadMax = aheadMax;
    this.list = framing === 'list' ? new JsonArrayWriter() : undefined;
  }

  get last(): readonly Buffer[] {
    return [this.#beforeLast, this.#last].filter((bytes) => bytes !== undefined);
  }

  write(bytes: Buffer): void {
    this.#beforeLast = this.#last;
    this.#last = bytes;
    if (this.#reply.write(bytes)) {
      this.#aheadPieces = 0;
      this.#aheadBytes = 0;
      this.isFull = false;
      return;
    }
    this.#aheadPieces += 1;
    this.#aheadBytes += bytes.length;
    this.isFull = this.#aheadPieces > this.#aheadMax || this.#aheadBytes > AHEAD_MAX_BYTES;
  }
}
