import { z } from 'zod';
import { wholeNumber } from './text.ts';

/** Who may call: anybody, a signed-in user, role 10 and above, role 100. */
export type Access = 'public' | 'user' | 'admin' | 'root';

/**
 * Which objects the call may access, checked by the generated matrix test.
 * - `none`: no object, or the same answer for everyone
 * - `self`: only the caller's own; another's object counts as missing
 * - `any`: all objects of its kind
 * - `lower-rank`: users of a rank below the caller's
 */
export type OwnerRule = 'none' | 'self' | 'any' | 'lower-rank';

/** Which rate limit applies, beside the general one. */
export type RateClass = 'login' | 'register' | 'setup' | 'search' | 'code' | 'oauth' | 'reset' | 'link';

/**
 * Whether the caller must have proved their identity within ten minutes, by signing in or by `POST /api/user/confirm`.
 * - `always`: refused before the input is read
 * - `by-input`: only for some inputs (a secret option, a new admin); the command decides
 */
export type Fresh = 'always' | 'by-input';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One call of the control plane, as data: the server serves it, the console calls it, tests walk it. */
export interface EndpointShape {
  readonly method: Method;
  /** Hono path; served with and without a trailing slash. */
  readonly path: `/api/${string}`;
  readonly access: Access;
  readonly owner: OwnerRule;
  readonly summary: string;
  readonly rate?: RateClass;
  /** Requires a solved human check in the query's `turnstile`, if the site has it switched on. */
  readonly humanCheck?: true;
  /** Set for dangerous calls. Access tokens cannot prove an identity, so programs cannot make them. */
  readonly fresh?: Fresh;
  readonly params?: z.ZodObject;
  /** Unknown query parameters are ignored, because old scripts send many. */
  readonly query?: z.ZodObject;
  /** Converts a body in the form that other programs of this family send; returns other bodies unchanged. */
  readonly reshape?: (body: unknown) => unknown;
  /** Strict: an unknown field is refused by its name. */
  readonly body?: z.ZodType;
  /** Most bytes of the body where it may be longer than others. */
  readonly bodyMaxBytes?: number;
  /** Most values of the body where it may have more than others. */
  readonly bodyMaxValues?: number;
  /** The body is a file, which the handler reads as it arrives; then there is no `body`. */
  readonly upload?: { readonly maxBytes: number };
  /** The `data` of a success. */
  readonly data: z.ZodType;
  /** Answers a file instead of an envelope; `data` is its text. */
  readonly download?: true;
  /** Fields beside `data` at the top of the envelope, as in the family. */
  readonly fields?: z.ZodObject;
}

/** Keeps the literal types of an endpoint; checks nothing at runtime. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape;

type Infer<S> = S extends z.ZodType ? z.infer<S> : undefined;
type Entered<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The parsed input of a handler. */
export interface Input<E extends EndpointShape> {
  readonly params: Infer<E['params']>;
  readonly query: Infer<E['query']>;
  readonly body: Infer<E['body']>;
  /** The pieces of an upload; throws beyond its most bytes. */
  readonly file: E extends { readonly upload: object } ? AsyncIterable<Uint8Array> : undefined;
}

/** What the console sends, before defaults are filled in. */
export interface Sent<E extends EndpointShape> {
  readonly params?: Entered<E['params']>;
  readonly query?: Entered<E['query']>;
  readonly body?: Entered<E['body']>;
  /** The file of an upload: a `Blob`, which not every reader of the contract has a type for. */
  readonly file?: E extends { readonly upload: object } ? { readonly size: number } : undefined;
}

/** The `data` of an endpoint's answer. */
export type Data<E extends EndpointShape> = z.infer<E['data']>;

/** `data` of endpoints that only say whether it worked. */
export const nothing = z.null();

/** The `:id` in a path: a whole number from 1. */
export const idParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

/** An id in a body: a number or its digits. `true` and `[1]` would become 1 as well, and are refused. */
export const bodyId = wholeNumber('issue_whole').pipe(z.number().min(1).max(Number.MAX_SAFE_INTEGER));

/** Flags in queries: `true`, `1` and the name alone mean yes. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && text !== 'false' && text !== '0');

/** Fields that programs of this family send without effect here; other unknown fields are refused by name. */
export const ignored = z.unknown().optional();

/** Fields a caller reads and may send back unchanged; accepted and ignored. */
export const readOnly = z.unknown().optional();
