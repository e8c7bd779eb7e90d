import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Override } from '#core/channel/overrides/override.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { AppError } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import { Secret } from '#core/secrets/secret.ts';
import type { ReplyOptions } from '#core/words/check-reply.ts';
import type { WordOptions } from '#core/words/check-words.ts';
import type { Fields } from '#core/json/fields.ts';
import type { RequestFacts, Tapped } from '../../dialects/dialect.ts';
import type { Reference } from '../../dialects/openai-responses/references.ts';
import type { Meter } from '../bill/meter.ts';
import type { RelayCall } from '../calls.ts';
import type { KeptReply } from '../kept/kept-reply.ts';
import type { AssumedUsage, WrittenBody } from '../request/request.ts';

/** What the thread that reads a call's body needs to know about the call. */
export type FarCall = Pick<
  RelayCall,
  'operation' | 'dialect' | 'playground' | 'pathModel' | 'pathStream' | 'headers'
>;

/** A channel as sent to another thread: plain values, without what only connections need. */
export type FarChannel = Omit<Channel, 'key' | 'setting'> & {
  readonly key: string;
  readonly systemPrompt: string | undefined;
  readonly passesBody: boolean;
};

/** One way to write the request: kind of upstream, format, model name. */
export interface FarForm {
  readonly model: string;
  readonly channel: FarChannel;
  readonly format: string;
  readonly isUnsigned: boolean;
  readonly omitsTools: boolean;
  readonly outputLimit?: number | undefined;
  readonly stripsTerms: boolean;
  readonly overrides?: readonly Override[];
}

/** What the main thread asks. The first question is `read`; the others are about that request. */
export type FarQuestion =
  | {
      readonly kind: 'read';
      readonly call: FarCall;
      readonly bytes: Uint8Array;
      readonly words: WordOptions | undefined;
    }
  | { readonly kind: 'write'; readonly form: FarForm }
  | { readonly kind: 'spare' }
  | {
      readonly kind: 'send';
      readonly form: FarForm;
      readonly upstreamModel: string;
      readonly options: OptionValues;
    }
  | {
      readonly kind: 'count';
      readonly dialect: DialectName;
      readonly pathModel: string | undefined;
      readonly bytes: Uint8Array;
    }
  | FarReply
  | FarEvent
  | FarKept;

/** Bytes from an upstream, and how to read them. */
interface FarBytes {
  readonly bytes: Uint8Array;
  readonly call: Pick<RelayCall, 'operation' | 'dialect'>;
  readonly channel: FarChannel;
  readonly upstreamModel: string;
  /** Undefined for the caller's own format. */
  readonly format: string | undefined;
  readonly secrets: { readonly texts: readonly string[]; readonly hosts: readonly string[] };
}

/** An answer about a kept response or conversation. */
export interface FarKept {
  readonly kind: 'kept';
  readonly bytes: Uint8Array;
  readonly secrets: FarBytes['secrets'];
  /** How its words are checked, if they are. */
  readonly words: ReplyOptions | undefined;
}

/** One stream event to mask and tap. */
export interface FarEvent extends FarBytes {
  readonly kind: 'event';
  readonly event: string;
  /** Offset and length of the event's data in the bytes. */
  readonly at: number;
  readonly length: number;
}

/** A whole reply to read. */
export interface FarReply extends FarBytes {
  readonly kind: 'reply';
  /** A stream was asked for: the bytes become one, in the upstream's format. */
  readonly isForStream: boolean;
  readonly call: Pick<RelayCall, 'operation' | 'dialect' | 'requestId'>;
  readonly createdAtMs: number;
  readonly facts: Pick<RequestFacts, 'model' | 'inputTokensEstimate'>;
  /** Without its messages. */
  readonly chatRequest: ChatRequest | undefined;
  /** The caller's request, if the provider needs it to write the reply. */
  readonly fields: Fields | undefined;
  /** How replies are checked for sensitive words, if they are. */
  readonly words: ReplyOptions | undefined;
  readonly mayComeLater: boolean;
}

/** What the main thread needs of a body: its short top-level fields, and what was found in the long ones. */
export interface FarRead {
  readonly facts: RequestFacts;
  readonly operation: RelayOperation;
  readonly body: Fields;
  readonly fields: Fields;
  readonly group: string;
  readonly changed: boolean;
  readonly modelInPath: boolean;
  readonly hasForeignSignatures: boolean;
  /** The sensitive word it contains. */
  readonly word: string | undefined;
  readonly references: readonly Reference[];
  /** Whether a retry has no side effects. */
  readonly hasNoEffects: boolean;
  /** The beginning of the prompt, up to a few thousand characters. */
  readonly promptHead: string | undefined;
  readonly assumed: AssumedUsage | undefined;
}

/** What other threads answer, by the kind of question. */
export interface FarAnswers {
  readonly read: FarRead;
  /** The request in our internal form, without its messages. */
  readonly write: ChatRequest;
  /** How many tokens the prompt surely has less than its estimate says. */
  readonly spare: { readonly tokens: number };
  /** No bytes: the body goes out unchanged. */
  readonly send: Omit<WrittenBody, 'body'> & { readonly bytes: Uint8Array | undefined };
  readonly reply: {
    /** What the caller gets. */
    readonly bytes: Uint8Array;
    readonly isConverted: boolean;
    /** The fields of the reply that are needed later. */
    readonly body: Fields;
    readonly meter: Meter;
    readonly refused: FarError | undefined;
    readonly word: string | undefined;
  };
  readonly event: {
    readonly bytes: Uint8Array;
    readonly tapped: Omit<Tapped, 'error' | 'failure'> | undefined;
    readonly errors: { readonly error?: FarError; readonly failure?: FarError };
  };
  readonly kept: { readonly bytes: Uint8Array; readonly reply: KeptReply };
  readonly count: { readonly model: string; readonly tokens: number };
}

/** A call's place in another thread. Questions throw what the same work on this thread would. */
export interface FarDesk {
  ask<Kind extends FarQuestion['kind']>(
    question: Extract<FarQuestion, { kind: Kind }>,
  ): Promise<FarAnswers[Kind]>;
  /** The call is over. */
  leave(): void;
}

/** Kinds of upstream answers. Unlike questions about a request, they need no place in a thread. */
export type AnswerKind = 'reply' | 'event' | 'kept';

/** The threads that parse large bodies. */
export interface FarThreads {
  /**
   * Throws `unavailable` if too many calls are in the threads, `rate_limited` if many of them are this user's or
   * address's.
   */
  open(userId: number, ip: string): FarDesk;
  /**
   * Reads an upstream's answer, whatever the load, because it is already in memory. Throws what reading it on this
   * thread would; undefined if its thread has died.
   */
  hear<Kind extends AnswerKind>(
    question: Extract<FarQuestion, { kind: Kind }>,
  ): Promise<FarAnswers[Kind] | undefined>;
  close(): Promise<void>;
}

/** An error as plain values, to send between threads. */
export type FarError = Pick<AppError, 'code' | 'message' | 'isUnsent' | 'values'> &
  Partial<Pick<AppError, 'param' | 'reason' | 'retryAfterSeconds' | 'upstream' | 'phrase'>> & {
    readonly cause?: string;
  };

/** Converts an error to plain values for another thread; of its cause only the text is sent. */
export const errorToWire = ({ code, message, cause, isUnsent, values, ...error }: AppError): FarError => ({
  code,
  message,
  isUnsent,
  values,
  ...(error.param !== undefined && { param: error.param }),
  ...(error.reason !== undefined && { reason: error.reason }),
  ...(error.retryAfterSeconds !== undefined && { retryAfterSeconds: error.retryAfterSeconds }),
  ...(error.upstream !== undefined && { upstream: error.upstream }),
  ...(error.phrase !== undefined && { phrase: error.phrase }),
  ...(cause instanceof Error && { cause: cause.stack ?? cause.message }),
});

/** The inverse of `errorToWire`. */
export const errorFromWire = ({ code, message, param, reason, retryAfterSeconds, ...error }: FarError) =>
  new AppError(code, message, {
    isUnsent: error.isUnsent,
    values: error.values,
    ...(param !== undefined && { param }),
    ...(reason !== undefined && { reason }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(error.upstream !== undefined && { upstream: error.upstream }),
    ...(error.phrase !== undefined && { phrase: error.phrase }),
    ...(error.cause !== undefined && { cause: error.cause }),
  });

/** Converts a channel for another thread: only what writing a request reads, with the one key it uses. */
export const channelToWire = ({ key, setting, ...channel }: Channel): FarChannel => ({
  ...channel,
  // One key is enough to write a request; a pool may have a thousand.
  pool: [],
  key: key.reveal(),
  systemPrompt: setting.systemPrompt,
  passesBody: setting.passesBody === true,
});

/** The inverse of `channelToWire`; settings that no writer reads are missing. */
export const channelFromWire = ({ key, systemPrompt, passesBody, ...channel }: FarChannel): Channel => ({
  ...channel,
  key: new Secret(key),
  setting: { ...(systemPrompt !== undefined && { systemPrompt }), ...(passesBody && { passesBody }) },
});
