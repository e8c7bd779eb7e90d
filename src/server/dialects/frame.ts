/**
 * One server-sent event as bytes. `raw` is exactly what arrived, with line ends and blank line, for forwarding
 * unchanged; `data` is the joined payload of its `data:` lines, not decoded.
 */
export interface Frame {
  readonly raw: Buffer;
  readonly event: string;
  readonly data: Buffer;
  /** A piece of an event over the size limit: forwarded but not parsed, so usage may be missed. */
  readonly oversized?: true;
  /** Set on the last piece of such an event: its beginning and end, which contain usage and finish. */
  readonly outline?: Outline;
  /** The stream ended before the blank line of this event. */
  readonly unterminated?: true;
}

/** The beginning and the end of an event that is too large to be parsed. */
export interface Outline {
  readonly head: Buffer;
  readonly tail: Buffer;
}
