import type { OptionValues } from '#contract/options.ts';
import type { AppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { ShownStream } from '../../dialects/dialect.ts';
import type { Frame } from '../../dialects/frame.ts';
import { JsonArrayWriter } from '../../dialects/gemini/json-array.ts';
import type { Reply, RelayCall } from '../calls.ts';

/** At most this much of one stream is buffered for a slow caller, however many pieces that is. */
const AHEAD_MAX_BYTES = 1024 * 1024;

/** The caller's side of a stream: its framing, its last write, and whether the caller reads. Times are monotonic. */
export class Outlet {
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
  /** More is buffered than may wait for the caller. */
  isFull = false;
  /** Waiting for the caller to read. */
  isStalled = false;
  /** A stream has begun, and we wait for more of it. */
  isListening = false;
  /** The caller has everything but the end mark, which is waited for no longer than a limit of its own. */
  lacksOnlyEnd = false;
  /** The progress at the last check, and since when it has not changed, in time this process was awake. */
  progress = -1;
  standsSinceMs = 0;
  /** In the middle of an event that is passed on in pieces. */
  insideEvent = false;

  /** The stream writer, if we convert the stream: it also writes the error. */
  writer: { fail(error: AppError, requestId: string): Buffer | undefined } | undefined;
  /** The first frames of a stream passed on unchanged, and the last bytes written. */
  first: readonly Frame[] = [];
  #last: Buffer | undefined;
  #beforeLast: Buffer | undefined;
  /** What the end of a stream repeats that breaks off or runs out of money. */
  shown: ShownStream | undefined;
  /** The items of a stream that broke off, as far as they were shown. */
  items: readonly Fields[] | undefined;
  /** The end of a whole answer: it goes out when the answer is charged. */
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

  get last(): readonly Buffer[] {
    return [this.#beforeLast, this.#last].filter((bytes) => bytes !== undefined);
  }

  /** Keeps what may be the end of a whole answer, until `takeEnd`, or until more of the answer comes. */
  keepEnd(bytes: Buffer): void {
    this.releaseEnd();
    this.#end = bytes;
  }

  /** What was kept was not the end, or is not waited for any longer. */
  releaseEnd(): void {
    const kept = this.takeEnd();
    if (kept !== undefined) this.write(kept);
  }

  /** An error comes next: what was kept goes before it, and the items shown so far may be repeated. */
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
