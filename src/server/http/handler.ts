import type { z } from 'zod';
import type { Data, EndpointShape, Input } from '#contract/endpoint.ts';
import type { Language } from '#contract/messages.ts';
import type { Actor } from '../control/identity.ts';

/** What a handler may know of the call beside its parsed input. */
export interface Call {
  readonly actor: Actor | undefined;
  readonly ip: string;
  /** The browser spoke https: cookies may be `Secure`. */
  readonly secure: boolean;
  readonly userAgent: string;
  readonly language: Language;
  /** The page that called is ours, as far as the browser says. */
  readonly sameOrigin: boolean;
  /** The session id the browser sent, whether it is good or not. */
  readonly sessionId: string | undefined;
  /** Who is signed in, where a public call treats them differently; nobody where the credentials are not good. */
  readonly whoever: () => Promise<Actor | undefined>;
  /** `https://gateway.example`, as the browser spells it. */
  readonly origin: string;
  /** What this browser was given to know it again while it signs in elsewhere. */
  readonly browserId: string | undefined;
  readonly setBrowserId: (browserId: string) => void;
  /** What this browser keeps of who signed in from it. */
  readonly device: string | undefined;
  readonly setDevice: (device: string) => void;
  /** Sends a session cookie with the answer; undefined removes it. */
  readonly setSession: (sessionId: string | undefined) => void;
}

export type SignedInCall = Call & { readonly actor: Actor };

type CallOf<E extends EndpointShape> = E['access'] extends 'public' ? Call : SignedInCall;

/** What a handler returns: the data, with what stands beside it in the envelope where the endpoint has such fields. */
export type Answer<E extends EndpointShape> = E extends { readonly fields: infer Fields extends z.ZodType }
  ? { readonly data: Data<E>; readonly fields: z.infer<Fields> }
  : Data<E>;

export type Handler<E extends EndpointShape> = (input: Input<E>, call: CallOf<E>) => Promise<Answer<E>>;

/** One handler for every endpoint a contract file exports: a forgotten one does not compile. */
export type Handlers<File> = {
  readonly [
    Name in keyof File as File[Name] extends EndpointShape ? Name : never
  ]: File[Name] extends EndpointShape ? Handler<File[Name]> : never;
};
