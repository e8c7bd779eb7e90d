import type { Usage } from '#core/chat/usage.ts';
import type { Fields } from '#core/json/fields.ts';
import type { Frame } from '../frame.ts';

/** A stream that was forwarded unchanged and is ended here, as one that has reached its length. */
export interface CutStream {
  /** The first frames, with what the stream says of itself. */
  readonly first: readonly Frame[];
  /** The frame that did not go out any more. */
  readonly next: Frame;
  /** A part of it did. */
  readonly isPartShown?: boolean;
  /** The answers that have not ended. */
  readonly openChoices: readonly number[];
  /** The usage, for callers who want it. */
  readonly usage: Usage | undefined;
  /** What was shown, if it was stored. */
  readonly shown?: ShownStream | undefined;
}

/** Remembers what a forwarded stream has shown, for a format whose last event repeats it. */
export interface ShownStream {
  add(bytes: Buffer): void;
  /** Undefined if it was too much to be remembered. */
  close(): ClosedItems | undefined;
  /** The stream is over: nothing is remembered any more. */
  drop(): void;
}

export interface ClosedItems {
  /** The events that end unfinished items, without sequence numbers. */
  readonly events: readonly Fields[];
  readonly items: readonly Fields[];
}
