import type { listUsers } from '#contract/api/people/users.ts';
import { role, userStatus } from '#contract/codes.ts';
import type { Data } from '#contract/endpoint.ts';
import { type Managed, type UserAction, userRefusal } from '#contract/may.ts';
import { serviceNames, signInServices } from '#contract/sign-in-services.ts';
import type { Tone } from '../../kit/status.tsx';
import type { SessionUser } from '../../lib/session/session.ts';

/** An account as an admin sees it. */
export type User = Data<typeof listUsers>['items'][number];

/** The query key of the list. */
export const USERS = 'users';

export type UserState = 'enabled' | 'disabled' | 'unknown' | 'deleted';

/** Source: specification, states: 1 activated, 2 banned, others unknown; deleted shows as cancelled. */
export const stateOf = (user: Pick<User, 'status' | 'DeletedAt'>): UserState => {
  if (user.DeletedAt !== null) return 'deleted';
  if (user.status === userStatus.enabled) return 'enabled';
  return user.status === userStatus.disabled ? 'disabled' : 'unknown';
};

export type Rank = 'user' | 'admin' | 'root' | 'unknown';

export const rankOf = (value: number): Rank => {
  switch (value) {
    case role.user:
      return 'user';
    case role.admin:
      return 'admin';
    case role.root:
      return 'root';
    default:
      return 'unknown';
  }
};

export const rankTones = {
  user: 'muted',
  admin: 'info',
  root: 'warn',
  unknown: 'bad',
} as const satisfies Record<Rank, Tone>;

const managed = (user: User): Managed => ({
  id: user.id,
  role: user.role,
  isDeleted: user.DeletedAt !== null,
});

/** The same rule as on the server. */
export const mayDo = (actor: SessionUser | undefined, action: UserAction, user: User): boolean =>
  actor !== undefined && userRefusal(actor, action, managed(user)) === undefined;

/** Source: specification, states: status 3 exists, and is not enabled by hand. */
const NEVER_ENABLED = 3;

export const mayEnable = (actor: SessionUser | undefined, user: User): boolean =>
  user.status !== NEVER_ENABLED && mayDo(actor, 'enable', user);

/** The actions on many accounts. */
export type ManyAction = 'enable' | 'disable' | 'group' | 'quota' | 'delete';

/** Whether an action on many applies to this account: by rank, and only if it changes something. */
export const mayDoMany = (actor: SessionUser | undefined, action: ManyAction, user: User): boolean => {
  switch (action) {
    case 'enable':
      return stateOf(user) !== 'enabled' && mayEnable(actor, user);
    case 'disable':
      return stateOf(user) === 'enabled' && mayDo(actor, action, user);
    case 'group':
      return mayDo(actor, 'update', user);
    case 'quota':
      return mayDo(actor, 'add_quota', user);
    case 'delete':
      return mayDo(actor, action, user);
  }
};

/** The identities in the drawer: the field, and its name. */
export const identities: readonly (readonly [keyof User, string])[] = [
  ['email', 'Email'],
  ...serviceNames.map((service) => {
    const { field, name } = signInServices[service];
    return [field, name] as const;
  }),
];
