import type { Piece } from './pieces.ts';

/**
 * What a reply says, read a second time: nothing here or beside it is taken from the server, so that a mistake of its
 * readers cannot be its own expectation. Plain code, which keeps no state between pieces and knows all of them at once.
 */

export type Stop = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause' | 'other';

export interface Call {
  readonly id: string;
  readonly name: string;
  /** JSON without spaces; anything else unchanged. */
  readonly arguments: string;
  /** The call of a tool that takes a text. */
  readonly isFreeText: boolean;
}

/** One of the answers of a reply. */
export interface Answer {
  text: string;
  refusal: string;
  reasoning: string;
  /** The transcript of spoken output. */
  transcript: string;
  /** The reason for filtering, if given. */
  explanation: string;
  images: number;
  calls: Call[];
  stop: Stop | undefined;
}

/** Totals: the prompt includes tokens read from a cache. */
export interface Counts {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

export interface Meaning {
  readonly answers: readonly Answer[];
  readonly usage: Counts | undefined;
  readonly error: string | undefined;
}

/** How the replies of one format are read, whole or streamed. */
export type ReadMeaning = (pieces: readonly Piece[]) => Meaning;

export const emptyAnswer = (): Answer => ({
  text: '',
  refusal: '',
  reasoning: '',
  transcript: '',
  explanation: '',
  images: 0,
  calls: [],
  stop: undefined,
});

/** Undefined where nothing was counted. */
export const counts = (prompt: number, cached: number, completion: number): Counts | undefined =>
  prompt + completion === 0 ? undefined : { prompt, cached: Math.min(cached, prompt), completion };
