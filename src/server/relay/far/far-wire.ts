import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { ChatRequest, DialectName } from '#core/chat/request.ts';
import { AppError, type ErrorCode } from '#core/error.ts';
import type { RelayOperation } from '#core/operation.ts';
import { Secret } from '#core/secret.ts';
import type { WordOptions } from '#core/words/check-words.ts';
import type { RequestFacts } from '../../dialects/dialect.ts';
import type { Reference } from '../kept/references.ts';
import type { RelayCall } from '../ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is told of a call to whoever reads its body in another thread. */
export type FarCall = Pick<
  RelayCall,
  'operation' | 'dialect' | 'playground' | 'pathModel' | 'pathStream' | 'headers'
>;

/** A channel as it goes to another thread: plain values, without what only connections need. */
export type FarChannel = Omit<Channel, 'key' | 'setting'> & {
  readonly key: string;
  readonly systemPrompt: string | undefined;
};

/** One way to say the request: to upstreams of a kind, in a format, under a model's name. */
export interface FarForm {
  readonly channel: FarChannel;
  readonly format: string;
  readonly isUnsealed: boolean;
  readonly sparesTools: boolean;
}

/** What the main thread asks. The first is `read`; the others are about what that has read. */
export type FarQuestion =
  | {
      readonly kind: 'read';
      readonly call: FarCall;
      readonly bytes: Uint8Array;
      readonly words: WordOptions | undefined;
    }
  | { readonly kind: 'write'; readonly form: FarForm }
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
    };

/** What a body says, as far as the main thread needs it: the short fields of its top, and what was found in the long ones. */
export interface FarRead {
  readonly facts: RequestFacts;
  readonly operation: RelayOperation;
  readonly body: Fields;
  readonly told: Fields;
  readonly group: string;
  readonly changed: boolean;
  readonly modelInPath: boolean;
  readonly hasForeignSignatures: boolean;
  /** The listed word it has. */
  readonly word: string | undefined;
  readonly references: readonly Reference[];
  /** Whether it may be asked for twice. */
  readonly actsNowhere: boolean;
}

export interface FarAnswers {
  readonly read: FarRead;
  /** The request in our own words, without its messages. */
  readonly write: ChatRequest;
  /** No bytes: they go out as they came. */
  readonly send: { readonly bytes: Uint8Array | undefined; readonly effort: string | undefined };
  readonly count: { readonly model: string; readonly tokens: number };
}

/** A call's place in another thread. Asking throws what the same work here would. */
export interface FarDesk {
  ask<Kind extends FarQuestion['kind']>(
    question: Extract<FarQuestion, { kind: Kind }>,
  ): Promise<FarAnswers[Kind]>;
  /** The call is over. */
  leave(): void;
}

/** The threads that large bodies are read in. */
export interface FarThreads {
  /** Throws `unavailable` where too many calls are with them already, `rate_limited` where many are of this user or address. */
  open(userId: number, ip: string): FarDesk;
  close(): Promise<void>;
}

export interface FarError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string;
  readonly reason?: string;
  readonly cause?: string;
}

export const errorToWire = ({ code, message, param, reason, cause }: AppError): FarError => ({
  code,
  message,
  ...(param !== undefined && { param }),
  ...(reason !== undefined && { reason }),
  ...(cause instanceof Error && { cause: cause.stack ?? cause.message }),
});

export const errorFromWire = ({ code, message, ...details }: FarError): AppError =>
  new AppError(code, message, details);

export const channelToWire = ({ key, setting, ...channel }: Channel): FarChannel => ({
  ...channel,
  key: key.reveal(),
  systemPrompt: setting.systemPrompt,
});

export const channelFromWire = ({ key, systemPrompt, ...channel }: FarChannel): Channel => ({
  ...channel,
  key: new Secret(key),
  setting: systemPrompt === undefined ? {} : { systemPrompt },
});
