import type { AppError } from '../error.ts';
import type { DialectName, Extras, Media } from './request.ts';
import type { Usage } from './usage.ts';

export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'pause'
  | 'other';

/** How likely a word of an answer was, and what else could have stood there. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[];
  /** Its number in the model's own list. */
  readonly tokenId?: number;
  readonly top?: readonly TokenLogprob[];
}

/**
 * A reply in our own words, as it happens. A whole reply is the same events at once.
 * `choice` is the number of the answer where several were asked for; `index` the position of a block in its answer.
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly createdAtMs?: number;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'text-delta';
      readonly choice: number;
      readonly text: string;
      /** It begins a statement of its own, after another: a message or a block. */
      readonly begins?: true;
      readonly logprobs?: readonly TokenLogprob[];
      readonly extras?: Extras;
    }
  | { readonly type: 'refusal-delta'; readonly choice: number; readonly text: string }
  | {
      readonly type: 'reasoning-delta';
      readonly choice: number;
      readonly text: string;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'reasoning-end';
      readonly choice: number;
      readonly signature?: string;
      /** The format whose upstream made the thought: only it accepts the signature back. */
      readonly signatureFrom?: DialectName;
      readonly redacted?: string;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'tool-call-start';
      readonly choice: number;
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly signature?: string;
      readonly signatureFrom?: DialectName;
      /** The tool takes text: its arguments are JSON with that text in its one field, `input`. */
      readonly isFreeText?: true;
      readonly extras?: Extras;
    }
  | {
      readonly type: 'tool-call-delta';
      readonly choice: number;
      readonly index: number;
      readonly argumentsText: string;
    }
  | {
      readonly type: 'audio-delta';
      readonly choice: number;
      readonly data?: string;
      readonly transcript?: string;
      readonly id?: string;
      readonly expiresAt?: number;
      readonly mediaType?: string;
    }
  /** A picture the model drew, whole. */
  | { readonly type: 'image'; readonly choice: number; readonly media: Media; readonly extras?: Extras }
  | {
      readonly type: 'citation';
      readonly choice: number;
      readonly url?: string;
      readonly title?: string;
      /** The characters it stands at, of the statement that was said last. */
      readonly startIndex?: number;
      readonly endIndex?: number;
      readonly extras?: Extras;
    }
  /** A block that only one format can say, whole in its extras, at its place in the answer: a search of its own, say. */
  | { readonly type: 'opaque'; readonly choice: number; readonly extras: Extras }
  | {
      readonly type: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      readonly stopSequence?: string;
      /** A sentence of the upstream's on why it ended so. */
      readonly explanation?: string;
      readonly extras?: Extras;
    }
  | { readonly type: 'usage'; readonly usage: Usage; readonly extras?: Extras }
  /** `requestId`: what the call is known by, told with it. */
  | { readonly type: 'error'; readonly error: AppError; readonly requestId?: string };
