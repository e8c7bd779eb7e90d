import { role } from './codes.ts';

/** Permissions: the server enforces them, the console hides what they refuse. */

interface Ranked {
  readonly id: number;
  readonly role: number;
}

/** The account that is acted on. */
export interface Managed extends Ranked {
  readonly isDeleted: boolean;
}

/** What one account may want to do with another. */
export type UserAction =
  | 'read'
  | 'update'
  | 'add_quota'
  | 'promote'
  | 'demote'
  | 'enable'
  | 'disable'
  | 'reset_two_step'
  | 'delete';

/** A higher role has all rights of the lower ones. */
export const isAdmin = (actor: { readonly role: number }): boolean => actor.role >= role.admin;
/** Whether this is the super admin. */
export const isRoot = (actor: { readonly role: number }): boolean => actor.role >= role.root;

/** Reading, changing or deleting another account needs a higher rank; root may read its own. */
const mayManageUser = (actor: Ranked, target: Ranked): boolean =>
  isAdmin(actor) && (actor.role > target.role || (isRoot(actor) && actor.id === target.id));

/** Only the owner and higher ranks see an account's address, identities and balance. */
export const maySeeUser = (actor: Ranked, target: Ranked): boolean =>
  actor.id === target.id || mayManageUser(actor, target);

/** Nobody may create an account of their own rank or above. */
export const mayCreateUser = (actor: { readonly role: number }, wanted: number): boolean =>
  isAdmin(actor) && actor.role > wanted;

const RANK = {
  read: 'user_not_readable',
  update: 'user_not_updatable',
  add_quota: 'user_not_updatable',
  promote: 'user_not_updatable',
  demote: 'user_not_updatable',
  enable: 'user_not_updatable',
  disable: 'user_not_updatable',
  reset_two_step: 'user_not_updatable',
  delete: 'user_not_deletable',
} as const satisfies Record<UserAction, string>;

const ROOT = {
  disable: 'root_not_disabled',
  delete: 'root_not_deleted',
  demote: 'root_not_demoted',
} as const satisfies Partial<Record<UserAction, string>>;

/** The key of the message that explains the refusal. */
export type UserRefusal =
  | (typeof RANK)[UserAction]
  | (typeof ROOT)[keyof typeof ROOT]
  | 'promote_needs_root'
  | 'user_is_admin'
  | 'user_is_no_admin'
  | 'user_is_gone';

const isOfRoot = (action: UserAction): action is keyof typeof ROOT => Object.hasOwn(ROOT, action);

/** Why an account may not do this to another; undefined if it may. Source: specification, roles and permissions. */
export const userRefusal = (actor: Ranked, action: UserAction, target: Managed): UserRefusal | undefined => {
  if (isRoot(actor) && isRoot(target) && isOfRoot(action)) return ROOT[action];
  if (!mayManageUser(actor, target)) return RANK[action];
  if (action === 'read') return undefined;
  // Users switch off their own second factor with one of its codes; this must not bypass that.
  if (action === 'reset_two_step' && actor.id === target.id) return RANK[action];
  if (target.isDeleted) return 'user_is_gone';
  if (action === 'promote') {
    if (!isRoot(actor)) return 'promote_needs_root';
    return isAdmin(target) ? 'user_is_admin' : undefined;
  }
  return action === 'demote' && !isAdmin(target) ? 'user_is_no_admin' : undefined;
};
