import type { AppError } from '../error.ts';
import type { DialectName, Extras, Media } from './request.ts';
import type { Usage } from './usage.ts';

/** Why a choice ended; dialects translate it. */
export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'pause'
  | 'other';

/** The probability of one token of an answer, and the alternatives for its place. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly bytes?: readonly number[];
  /** Its id in the model's vocabulary. */
  readonly tokenId?: number;
  readonly top?: readonly TokenLogprob[];
}

/**
 * A streamed response in the common form; a whole response is the same events at once. `choice` numbers the answers if
 * several were asked for; `index` is the position of a block in its answer.
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
      /** True if it begins another message or block, rather than continuing the last. */
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
      /** The format of the upstream that made the thought: only that format accepts the signature back. */
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
      /** True if the tool takes free text: its arguments are JSON with one field, `input`. */
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
  /** A complete picture drawn by the model. */
  | { readonly type: 'image'; readonly choice: number; readonly media: Media; readonly extras?: Extras }
  | {
      readonly type: 'citation';
      readonly choice: number;
      readonly url?: string;
      readonly title?: string;
      /** The cited range, in characters of the latest message or block. */
      readonly startIndex?: number;
      readonly endIndex?: number;
      readonly extras?: Extras;
    }
  /**
   * A block that only one format can express, stored whole in `extras` at its place in the answer: for example its own
   * web search.
   */
  | { readonly type: 'opaque'; readonly choice: number; readonly extras: Extras }
  | {
      readonly type: 'finish';
      readonly choice: number;
      readonly reason: FinishReason;
      readonly stopSequence?: string;
      /** The upstream's sentence on why it ended. */
      readonly explanation?: string;
      readonly extras?: Extras;
    }
  | { readonly type: 'usage'; readonly usage: Usage; readonly extras?: Extras }
  /** `requestId`: our id of the call, sent with the error. */
  | { readonly type: 'error'; readonly error: AppError; readonly requestId?: string };
