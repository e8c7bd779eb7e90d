import type { z } from 'zod';
import type { Data, EndpointShape, Input } from '#contract/endpoint.ts';
import type { Language } from '#contract/messages.ts';
import type { Actor } from '../control/people/identity.ts';

/** What a handler may know about a call besides its parsed input. */
export interface Call {
  readonly actor: Actor | undefined;
  readonly ip: string;
  /** The browser spoke https: cookies may be `Secure`. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly language: Language;
  /** The call comes from our own page, according to the browser. */
  readonly sameOrigin: boolean;
  /** The session id the browser sent, valid or not. */
  readonly sessionId: string | undefined;
  /** The signed-in user of a public call; undefined if nobody is, or the credentials are invalid. */
  readonly whoever: () => Promise<Actor | undefined>;
  /** Throws unless the caller is still signed in. Needed after a long wait, in which the session may have ended. */
  readonly askAgain: () => Promise<void>;
  /** `https://gateway.example`, as the browser spells it. */
  readonly origin: string;
  /** This browser's cookie during a sign-in at another service. */
  readonly browserId: string | undefined;
  readonly setBrowserId: (browserId: string) => void;
  /** This browser's cookie of accounts that signed in from it. */
  readonly device: string | undefined;
  readonly setDevice: (device: string) => void;
  /** Sends a session cookie with the answer; undefined removes it. */
  readonly setSession: (sessionId: string | undefined) => void;
}

export type SignedInCall = Call & { readonly actor: Actor };

/** Who calls a public endpoint is not looked up before it asks `whoever`. */
export type PublicCall = Omit<Call, 'actor'>;

type CallOf<E extends EndpointShape> = E['access'] extends 'public' ? PublicCall : SignedInCall;

/** A file that is generated while it is sent. */
export interface Download {
  readonly fileName: string;
  readonly contentType: string;
  /** The number of rows it will have. */
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
