import type { OptionValues } from '#contract/options.ts';
import type { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { ShownStream } from '../../dialects/ends/cut-stream.ts';
import type { PassedStream } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { JsonArrayWriter } from '../../dialects/gemini/reply/json-array.ts';
import type { Reply, RelayCall } from '../calls.ts';

/** The most bytes of one stream that are buffered for a slow caller, in however many pieces. */
const AHEAD_MAX_BYTES = 256 * 1024;

/** The caller's side of a stream: its framing, its last write, and whether the caller reads. Times are monotonic. */
export class Outlet implements PassedStream {
  readonly #reply: Reply;
  /** A stream written as one JSON list; undefined for events. */
  readonly list: JsonArrayWriter | undefined;
  /** What is left of the caller's rate limit, for the response headers. */
  rateHeaders: Readonly<Record<string, string>> | undefined;
  /** How often to send a comment while the upstream thinks; undefined if comments are off. */
  pingEveryMs: number | undefined;
  lastWriteMs = 0;
  /** Pieces that may be buffered for a slow caller before the upstream is paused. */
  readonly #aheadMax: number;
  #aheadPieces = 0;
  #aheadBytes = 0;
  /** Whether more is buffered than may wait for a slow caller. */
  isFull = false;
  /** Whether the stream waits for the caller to read. */
  isStalled = false;
  /** A stream has begun, and we wait for its next bytes. */
  isListening = false;
  /** Everything but the end mark was sent. The wait for the end mark has a limit of its own. */
  lacksOnlyEnd = false;
  /**
   * The progress at the last check, and since when it has not changed, counting only the time this process was awake.
   */
  progress = -1;
  standsSinceMs = 0;
  /** Whether the last bytes were a piece of an event that is passed on in pieces. */
  insideEvent = false;

  /** The stream writer, if we convert the stream: it also writes the error. */
  writer: { fail(error: AppError, requestId: string): Buffer | undefined } | undefined;
  /** The first frames of a stream passed on unchanged, and the last bytes written. */
  first: readonly Frame[] = [];
  #last: Buffer | undefined;
  #beforeLast: Buffer | undefined;
  /** What was shown so far; the closing events repeat it if the stream breaks off or runs out of money. */
  shown: ShownStream | undefined;
  /** The output items shown before the stream broke off. */
  items: readonly Fields[] | undefined;
  /** The end of a whole answer, kept back until the answer is charged. */
  #end: Buffer | undefined;
  /** The upstream's error, if it was passed on in the upstream's own words. */
  sentError: AppError | undefined;

  constructor({ reply, framing }: Pick<RelayCall, 'reply' | 'framing'>, aheadMax: number) {
    this.#reply = reply;
    this.#aheadMax = aheadMax;
    this.list = framing === 'list' ? new JsonArrayWriter() : undefined;
  }

  /** Allows comments that keep the stream open, if the operator enabled them. */
  allowPings(options: OptionValues, nowMs: number): void {
    this.lastWriteMs = nowMs;
    if (!options['general_setting.ping_interval_enabled']) return;
    this.pingEveryMs = options['general_setting.ping_interval_seconds'] * 1000;
  }

  /** The last pieces written, in order: an error appended to the stream continues their numbering. */
  get last(): readonly Buffer[] {
    return [this.#beforeLast, this.#last].filter((bytes) => bytes !== undefined);
  }

  /** Keeps back bytes that may be the end of a whole answer, until `takeEnd` is called or more bytes follow. */
  keepEnd(bytes: Buffer): void {
    this.releaseEnd();
    this.#end = bytes;
  }

  /** Writes the bytes kept back: they were not the end, or the wait for it is over. */
  releaseEnd(): void {
    const kept = this.takeEnd();
    if (kept !== undefined) this.write(kept);
  }

  /**
   * Prepares for an error: writes the bytes kept back, and allows the closing events to repeat the items shown so far.
   */
  breakOff(): void {
    this.releaseEnd();
    this.items = this.shown?.close()?.items;
  }

  takeEnd(): Buffer | undefined {
    const kept = this.#end;
    this.#end = undefined;
    return kept;
  }

  write(bytes: Buffer): void {
    this.releaseEnd();
    this.#beforeLast = this.#last;
    this.#last = bytes;
    this.shown?.add(bytes);
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
