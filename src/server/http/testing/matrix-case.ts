import type { User } from '#core/user/user.ts';
import type { SmallUpstream } from './small-upstream.ts';
import type { Stage } from './stage.ts';

/** The callers. `stranger` has a valid session and another user's id in `New-Api-User`. */
export const callers = [
  'anonymous',
  'user',
  'admin',
  'root',
  'disabled',
  'expired',
  'accessToken',
  'adminToken',
  'stranger',
  'otherSite',
] as const;
export type CallerName = (typeof callers)[number];

/** `ok`: success. `no`: refused with status 200. A number: that status and no success. */
export type Answer = 'ok' | 'no' | number;
type Row = Readonly<Record<CallerName, Answer>>;

export const everybody: Row = {
  anonymous: 'ok',
  user: 'ok',
  admin: 'ok',
  root: 'ok',
  disabled: 'ok',
  expired: 'ok',
  accessToken: 'ok',
  adminToken: 'ok',
  stranger: 'ok',
  otherSite: 'ok',
};
export const signedIn: Row = {
  ...everybody,
  anonymous: 401,
  disabled: 401,
  expired: 401,
  stranger: 401,
  otherSite: 403,
};
export const admins: Row = { ...signedIn, user: 403, accessToken: 403 };
/** Public, but not from a page of another site. */
export const ourPages: Row = { ...everybody, otherSite: 403 };
export const nobody: Row = {
  anonymous: 'no',
  user: 'no',
  admin: 'no',
  root: 'no',
  disabled: 'no',
  expired: 'no',
  accessToken: 'no',
  adminToken: 'no',
  stranger: 'no',
  otherSite: 403,
};

export interface Scene {
  readonly stage: Stage;
  readonly upstream: SmallUpstream;
  readonly root: User;
  /** The user whose objects are requested. */
  readonly self: User;
  readonly other: User;
  readonly unique: string;
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

export interface Case {
  readonly answers: Row;
  /** A valid request; an `id` in its path is of an object the caller owns, or of any. */
  request(scene: Scene): Promise<Request> | Request;
  /** For `owner: self` with an id: the same request for another user's object, which must answer like a missing one. */
  about?(id: number): Request;
  /** Another user's object for `about`; a token by default. */
  theirs?(scene: Scene): Promise<number>;
}

/** A request for a path. */
export const get =
  (path: string): Case['request'] =>
  () => ({ path });
export const passkeyOf = async ({ stage }: Scene, owner: User): Promise<number> =>
  (await stage.passkey(owner)).id;
export const ownToken = async ({ stage, self }: Scene): Promise<number> => (await stage.token(self)).id;
export const aChannel = async ({ stage, root, upstream }: Scene): Promise<number> =>
  (await stage.channel(root, { baseUrl: upstream.url })).id;
