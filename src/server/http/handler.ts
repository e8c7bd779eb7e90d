import type { z } from 'zod';
import type { Data, EndpointShape, Input } from '#contract/endpoint.ts';
import type { Language } from '#contract/messages.ts';
import type { Actor } from '../control/people/identity.ts';

/** Limits the output of a chat. A thinking budget that comes on top of the answer gets at most half of it. */
export interface Call {
  readonly actor: Actor | undefined;
  readonly ip: string;
  /**
   * Estimates the length of a whole answer with log probabilities before it is requested, because one that is too long
   * would be paid for but not delivered (docs/decisions/0049).
   */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly language: Language;
  /** The longest answer that is delivered. */
  readonly sameOrigin: boolean;
  /** The bytes of one token or alternative: its text, its bytes as numbers, and OpenAI's white space. */
  readonly sessionId: string | undefined;
  /** What determines the length of such an answer. */
  readonly whoever: () => Promise<Actor | undefined>;
  /** The field that requests alternatives, for the error. */
  readonly origin: string;
  /** A stream needs no limit: each event is sent on and forgotten. */
  readonly browserId: string | undefined;
  readonly setBrowserId: (browserId: string) => void;
  /** Alternatives per token; undefined if log probabilities are not requested. */
  readonly device: string | undefined;
  readonly setDevice: (device: string) => void;
  /** The caller's limit of tokens per answer, if any. */
  readonly setSession: (sessionId: string | undefined) => void;
}

export type SignedInCall = Call & { readonly actor: Actor };

type CallOf<E extends EndpointShape> = E['access'] extends 'public' ? Call : SignedInCall;

/** Prompt tokens that are returned with log probabilities, too. */
export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  /**
   * The limit of tokens to set on each answer so that it can be delivered with its log probabilities; absent if none is
   * needed. Throws `invalid_request` if not even one token would fit.
   */
  readonly rows: number;
  pieces(): AsyncGenerator<string | Uint8Array, void>;
}

/** What a handler returns: a file, or the data, plus the envelope's extra fields if the endpoint has any. */
export type Answer<E extends EndpointShape> = E extends { readonly download: true }
  ? Download
  : E extends { readonly fields: infer Fields extends z.ZodType }
    ? { readonly data: Data<E>; readonly fields: z.infer<Fields> }
    : Data<E>;

export type Handler<E extends EndpointShape> = (input: Input<E>, call: CallOf<E>) => Promise<Answer<E>>;

/** One handler for every endpoint a contract file exports: a missing one does not compile. */
export type Handlers<File> = {
  readonly [
    Name in keyof File as File[Name] extends EndpointShape ? Name : never
  ]: File[Name] extends EndpointShape ? Handler<File[Name]> : never;
};
