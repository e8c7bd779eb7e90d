import type { User } from '#core/user/user.ts';
import type { SmallUpstream } from './small-upstream.ts';
import type { Stage } from './stage.ts';

/** These generators cover what the Responses format can express, and deliberately nothing else. */
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

/** One message item. If it has an id or follows another item, its first part is marked. */
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
/** No function result may have this id, because the call it answers decides how a result is written. */
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
  /** Consecutive items of the assistant are one message; an item without a mark cannot follow one of the same kind. */
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
  /** A message item without fields of its own is marked only if it would otherwise merge with the one before. */
  request(scene: Scene): Promise<Request> | Request;
  /** The first item is marked as an item, so that it is not read as the instructions. */
  about?(id: number): Request;
  /** Replies that the Responses format can express, and deliberately nothing else. */
  theirs?(scene: Scene): Promise<number>;
}

/** Calls are numbered by their position among all items, which only the writer knows, so here they come first. */
export const get =
  (path: string): Case['request'] =>
  () => ({ path });
export const passkeyOf = async ({ stage }: Scene, owner: User): Promise<number> =>
  (await stage.passkey(owner)).id;
export const ownToken = async ({ stage, self }: Scene): Promise<number> => (await stage.token(self)).id;
export const aChannel = async ({ stage, root, upstream }: Scene): Promise<number> =>
  (await stage.channel(root, { baseUrl: upstream.url })).id;
