import type { Piece } from './pieces.ts';

/**
 * A second, independent reader of replies. Nothing in this folder comes from the server, so that a mistake in the server's
 * readers cannot also be in what they are compared with. Simple code: it has all pieces of a reply at once.
 */

export type Stop = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause' | 'other';

export interface Call {
  readonly id: string;
  readonly name: string;
  /** JSON without spaces; anything else unchanged. */
  readonly arguments: string;
  /** A call of a tool that takes free text instead of JSON. */
  readonly isFreeText: boolean;
}

/** One answer of a reply, which may have several. */
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

/** Token counts. The prompt includes tokens read from a cache. */
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

/** Reads the replies of one format, whole or streamed. */
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

/** Undefined if all counts are zero. */
export const counts = (prompt: number, cached: number, completion: number): Counts | undefined =>
  prompt + completion === 0 ? undefined : { prompt, cached: Math.min(cached, prompt), completion };
