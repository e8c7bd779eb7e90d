import { z } from 'zod';

/** Who may call: nobody asked, a signed-in user, role 10 and more, role 100. */
export type Access = 'public' | 'user' | 'admin' | 'root';

/**
 * What the call may touch, checked by the generated matrix test.
 * - `none`: no object, or the same answer for everyone
 * - `self`: only what belongs to the caller; another's object answers as a missing one
 * - `any`: all objects of its kind, for those with access
 * - `lower-rank`: users of a rank below the caller's
 */
export type OwnerRule = 'none' | 'self' | 'any' | 'lower-rank';

/** Which rate limit counts the call, beside the general one. */
export type RateClass = 'login' | 'register' | 'setup' | 'search' | 'code' | 'oauth' | 'reset';

/**
 * Whether the caller must have proved within ten minutes who it is, by signing in or by `POST /api/user/confirm`.
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
  /** Asks for the answer of a human check in the query's `turnstile`, while the site has one switched on. */
  readonly humanCheck?: true;
  /** Set on what is dangerous; access tokens cannot prove anything, so programs are kept from it. */
  readonly fresh?: Fresh;
  readonly params?: z.ZodObject;
  /** Unknown query parameters are ignored: old scripts send many. */
  readonly query?: z.ZodObject;
  /** Makes the body out of another shape that programs of this family send; gives back what is none. */
  readonly reshape?: (body: unknown) => unknown;
  /** Strict: an unknown field is refused by its name. */
  readonly body?: z.ZodType;
  /** The `data` of a success. */
  readonly data: z.ZodType;
  /** Fields beside `data` at the top of the envelope, where the family has them there. */
  readonly fields?: z.ZodObject;
}

/** Keeps the literal types of one endpoint; checks nothing else. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape;

type Infer<S> = S extends z.ZodType ? z.infer<S> : undefined;
type Entered<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a handler receives, parsed. */
export interface Input<E extends EndpointShape> {
  readonly params: Infer<E['params']>;
  readonly query: Infer<E['query']>;
  readonly body: Infer<E['body']>;
}

/** What the console sends, before defaults are filled in. */
export interface Sent<E extends EndpointShape> {
  readonly params?: Entered<E['params']>;
  readonly query?: Entered<E['query']>;
  readonly body?: Entered<E['body']>;
}

export type Data<E extends EndpointShape> = z.infer<E['data']>;

/** `data` of endpoints that only say whether it worked. */
export const nothing = z.null();

export const idParams = z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) });

/** Flags in queries: `true`, `1` and the bare name mean yes. */
export const flag = z
  .string()
  .optional()
  .transform((text) => text !== undefined && text !== 'false' && text !== '0');

/** Fields that programs of this family send, and that mean nothing here; any other unknown field is refused by its name. */
export const ignored = z.unknown().optional();

/** Fields a caller reads and may send back unchanged; they are accepted and not looked at. */
export const readOnly = z.unknown().optional();
