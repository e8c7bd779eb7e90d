/**
 * One server-sent event as bytes. `raw` is exactly what came, with its line ends and its blank line, so that it can be
 * repeated untouched; `data` is the payload of its `data:` lines, joined, as bytes. Neither is decoded on the way.
 */
export interface Frame {
  readonly raw: Buffer;
  readonly event: string;
  readonly data: Buffer;
  /** A piece of an event over the size limit: it is repeated but never read, so usage may be missed. */
  readonly oversized?: true;
  /** Of the last piece of such an event: how it began and how it ended, where usage and finish are told. */
  readonly outline?: Outline;
  /** The stream ended before the blank line that would have ended this event. */
  readonly unterminated?: true;
}

export interface Outline {
  readonly head: Buffer;
  readonly tail: Buffer;
}
