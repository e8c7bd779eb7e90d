import { JsonArrayWriter } from '../dialects/gemini/json-array.ts';
import type { Reply, RelayCall } from './ports.ts';

/** The caller's side of a stream: how it is framed, when it was written to, whether it is read. Times are monotonic. */
export class Outlet {
  readonly #reply: Reply;
  /** A stream written as one JSON list; undefined for events. */
  readonly list: JsonArrayWriter | undefined;
  /** Comments may be sent while the upstream thinks; undefined where they may not. */
  pingEveryMs: number | undefined;
  lastWriteMs = 0;
  /** More was written than the caller has read. */
  isFull = false;
  /** Waiting for the caller to read. */
  isStalled = false;
  /** In the middle of an event that is repeated in pieces. */
  insideEvent = false;

  constructor({ reply, framing }: Pick<RelayCall, 'reply' | 'framing'>) {
    this.#reply = reply;
    this.list = framing === 'list' ? new JsonArrayWriter() : undefined;
  }

  write(bytes: Buffer): void {
    this.isFull = !this.#reply.write(bytes);
  }
}
