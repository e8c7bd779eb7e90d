import { randomUUID } from 'node:crypto';
import { DEFAULT_GROUP, logType, role, userStatus } from '#contract/codes.ts';
import { isRoot, mayCreateUser, type UserAction, userRefusal } from '#contract/may.ts';
import type { Clock } from '#core/clock.ts';
import type { Ledger, Movement, SpentAsRead } from '#core/ledger/ledger.ts';
import { eventRow } from '#core/log/event-row.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { LogStore } from '#core/log/log-store.ts';
import { type GroupNames, isKnownGroup } from '#core/token/present-group.ts';
import type { ManagedUserStore } from '#core/user/managed-user-store.ts';
import type { User } from '#core/user/user.ts';
import { logAction } from '../log-action.ts';
import { requireFresh } from './sign-in/fresh.ts';
import type { Actor } from './identity.ts';
import type { Passwords } from './sign-in/passwords.ts';
import { readUsername } from './sign-in/read-username.ts';
import { asRead } from '../as-read.ts';
import { type ChangedSince, refuseChanged, unasked } from '../changed-since.ts';
import { refuse } from '../refuse.ts';
import type { Registration } from './sign-in/registration.ts';
import type { Sessions } from './sign-in/sessions.ts';
import type { TellOwner } from './sign-in/tell-owner.ts';

export interface UserManagementDeps {
  readonly managedUsers: ManagedUserStore;
  readonly passwords: Pick<Passwords, 'hash'>;
  readonly sessions: Pick<Sessions, 'endAccessOf'>;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly logs: Pick<LogStore, 'append'>;
  readonly registration: Pick<Registration, 'create'>;
  /** Drops what the relay has cached of an account. */
  readonly relay: { invalidateUser(userId: number): void };
  readonly tellOwner: TellOwner;
  readonly options: () => GroupNames;
  readonly clock: Clock;
}

/** What admins may change about a user; undefined leaves a field as it is. */
export interface ManagedChange {
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly password: string | undefined;
  readonly group: string | undefined;
  readonly quotaUnits: number | undefined;
  /** What was used and held when the editor read the quota; undefined if the request does not state it. */
  readonly read: SpentAsRead | undefined;
  readonly changedSince?: ChangedSince<User>;
}

/** Quota that an admin gives an account or, if negative, takes. */
interface QuotaGift {
  readonly id: number;
  readonly deltaUnits: number;
  readonly reason: string;
  /** The same for every try of one gift; empty if the sender has none. */
  readonly key: string;
}

/** An account to be created by an admin. */
export interface NewManaged {
  readonly username: string;
  readonly password: string;
  readonly displayName: string;
  readonly role: number;
  /** Empty for the default group. */
  readonly group: string;
}

type Switch = Exclude<UserAction, 'read' | 'update' | 'add_quota' | 'reset_two_step'>;

export type UserManagement = ReturnType<typeof createUserManagement>;

/** What admins do with other people's accounts. `userRefusal` decides by rank for every operation. */
export const createUserManagement = (deps: UserManagementDeps) => {
  const { managedUsers } = deps;

  const target = async (actor: User, action: UserAction, id: number): Promise<User> => {
    const user = await managedUsers.find(id);
    // To an admin, a missing account answers like one of too high a rank. To the super admin, none is.
    if (user === undefined) throw refuse(isRoot(actor) ? 'user_missing' : missing(action));
    const { role, deletedAtMs } = user;
    const why = userRefusal(actor, action, { id, role, isDeleted: deletedAtMs !== null });
    if (why !== undefined) throw refuse(why);
    return user;
  };

  return {
    read: (actor: User, id: number): Promise<User> => target(actor, 'read', id),

    async create(actor: Actor, wish: NewManaged): Promise<User> {
      if (!mayCreateUser(actor.user, wish.role)) throw refuse('user_rank_too_high');
      if (wish.role >= role.admin) requireFresh(actor, deps.clock.now());
      refuseUnknown(deps, wish.group);
      const id = await deps.registration.create({
        username: wish.username,
        displayName: wish.displayName || wish.username,
        email: '',
        passwordHash: await deps.passwords.hash(wish.password),
        role: wish.role,
        group: wish.group || DEFAULT_GROUP,
        inviter: undefined,
      });
      await logAction(deps, actor.user, storedPhrase('log_user_created', { name: wish.username }));
      return target(actor.user, 'read', id);
    },

    async update(actor: Actor, id: number, change: ManagedChange): Promise<User> {
      const user = await target(actor.user, 'update', id);
      // Whoever sets an account's password can sign in to it.
      if (change.password) requireFresh(actor, deps.clock.now());
      await update(deps, actor, user, change);
      return target(actor.user, 'read', id);
    },

    /** Changes a status; an account that is demoted, banned or deleted is signed out everywhere at once. */
    async switch(actor: Actor, id: number, action: Switch): Promise<User> {
      const user = await target(actor.user, action, id);
      if (action === 'promote') requireFresh(actor, deps.clock.now());
      await switchState(deps, user, action);
      if (action !== 'enable') await deps.sessions.endAccessOf(id);
      deps.relay.invalidateUser(id);
      if (action === 'delete') deps.tellOwner(user, 'closed');
      await logAction(deps, actor.user, storedPhrase(`log_user_${action}`, { name: user.username, id }));
      return (await managedUsers.find(id)) ?? user;
    },

    /** Removes the second factor of somebody who lost the device: the password is enough again. All sessions end. */
    async resetTwoStep(actor: Actor, id: number): Promise<void> {
      const user = await target(actor.user, 'reset_two_step', id);
      if (!(await managedUsers.resetTwoStep(id, user.role))) throw refuse('two_step_none');
      await deps.sessions.endAccessOf(id);
      deps.tellOwner(user, 'second_factor_off');
      await logAction(deps, actor.user, storedPhrase('log_user_two_step', { name: user.username, id }));
    },

    async addQuota(actor: Actor, { id, deltaUnits, reason, key }: QuotaGift): Promise<User> {
      const user = await target(actor.user, 'add_quota', id);
      const ref = key === '' ? randomUUID() : ['added', actor.user.id, id, deltaUnits, key].join(' ');
      await moveQuota(deps, actor.user, user, { ref, deltaUnits }, reason);
      deps.relay.invalidateUser(id);
      return (await managedUsers.find(id)) ?? user;
    },
  };
};

/** Members of a missing group could not call anything. */
const refuseUnknown = ({ options }: Pick<UserManagementDeps, 'options'>, group: string): void => {
  if (!isKnownGroup(options(), group)) throw refuse('user_group', { group });
};

const update = async (
  deps: UserManagementDeps,
  actor: Actor,
  user: User,
  { username, displayName, group, password, quotaUnits, read, changedSince = unasked }: ManagedChange,
): Promise<void> => {
  const { id } = user;
  refuseChanged(changedSince(user));
  if (group !== undefined && group !== user.group) refuseUnknown(deps, group);
  // The quota comes first: its change may be refused because of later charges, and then nothing has changed.
  if (quotaUnits !== undefined && quotaUnits !== user.quotaUnits)
    await moveQuota(
      deps,
      actor.user,
      user,
      { ref: randomUUID(), deltaUnits: 0, toUnits: quotaUnits, read },
      '',
    );
  const isRenamed = username !== undefined && username !== user.username;
  const changes = {
    ...(isRenamed ? { username: readUsername(username) } : {}),
    ...(displayName === undefined ? {} : { displayName }),
    ...(group === undefined ? {} : { group }),
  };
  let before = user;
  const updatedOnce = async (): Promise<'updated' | 'taken' | undefined> => {
    const now = await deps.managedUsers.find(id);
    if (now === undefined || now.deletedAtMs !== null || now.role !== user.role) throw refuse('user_is_gone');
    refuseChanged(changedSince(now));
    before = now;
    const outcome = await deps.managedUsers.update(id, changes, user.role, now);
    return outcome === 'missing' ? undefined : outcome;
  };
  if ((await asRead(updatedOnce, 'keeps_changing')) === 'taken') throw refuse('name_taken');
  const fields = changedFields(before, changes);
  if (fields !== '')
    await logAction(
      deps,
      actor.user,
      storedPhrase('log_user_changed', { name: before.username, id, fields }),
    );
  if (password) {
    const hash = await deps.passwords.hash(password);
    if (!(await deps.managedUsers.setPasswordHash(id, hash, user.role, actor.user)))
      throw refuse('user_not_updatable');
    await deps.sessions.endAccessOf(id, actor.user.id === id ? actor.sessionHash : undefined);
    deps.tellOwner(user, 'password');
    await logAction(deps, actor.user, storedPhrase('log_user_password', { name: user.username }));
  }
  deps.relay.invalidateUser(id);
};

/** By the names that the API gives them. */
const SHOWN_FIELDS = { group: 'group', username: 'username', displayName: 'display_name' } as const;

/** `group: default → vip, username: ann → anna` */
const changedFields = (before: User, changes: Partial<Pick<User, keyof typeof SHOWN_FIELDS>>): string =>
  (['group', 'username', 'displayName'] as const)
    .filter((field) => changes[field] !== undefined && changes[field] !== before[field])
    .map((field) => `${SHOWN_FIELDS[field]}: ${before[field]} → ${changes[field] ?? ''}`)
    .join(', ');

const missing = (action: UserAction) => {
  if (action === 'read') return 'user_not_readable';
  return action === 'delete' ? 'user_not_deletable' : 'user_not_updatable';
};

const switchState = async (deps: UserManagementDeps, user: User, action: Switch): Promise<void> => {
  const { managedUsers, clock } = deps;
  const change = {
    promote: () => managedUsers.setRole(user.id, user.role, role.admin),
    demote: () => managedUsers.setRole(user.id, user.role, role.user),
    enable: () => managedUsers.setStatus(user.id, userStatus.enabled, user.role),
    disable: () => managedUsers.setStatus(user.id, userStatus.disabled, user.role),
    delete: () => managedUsers.softDelete(user.id, clock.now(), user.role),
  } as const satisfies Record<Switch, () => Promise<boolean>>;
  if (!(await change[action]())) throw refuse('user_is_gone');
};

/** An admin's change of a balance, written to the journal and the owner's logs, both or neither. */
const moveQuota = async (
  deps: UserManagementDeps,
  actor: User,
  user: User,
  change: Pick<Movement, 'ref' | 'deltaUnits' | 'toUnits' | 'read'>,
  reason: string,
): Promise<void> => {
  const nowMs = deps.clock.now();
  const byWhom = { key: 'log_quota_by', values: { admin: actor.username } } as const;
  const why = { reason: reason === '' ? byWhom : reason };
  // The old balance is only known inside the transaction.
  const content =
    change.toUnits === undefined
      ? storedPhrase('log_quota_delta', { ...why, units: change.deltaUnits })
      : storedPhrase('log_quota_set', { ...why, after: change.toUnits });
  const event = {
    createdAtMs: nowMs,
    type: logType.manage,
    userId: user.id,
    username: user.username,
    content,
    other: JSON.stringify({ admin_info: { admin_id: actor.id, admin_username: actor.username } }),
  };
  const outcome = await deps.ledger.move({
    kind: 'admin',
    userId: user.id,
    ...change,
    reason: reason === '' ? storedPhrase(byWhom.key, byWhom.values) : reason,
    actorId: actor.id,
    nowMs,
    log: eventRow(event),
  });
  if (outcome === 'would_be_negative') throw refuse('quota_below_zero', { available: user.quotaUnits });
  if (outcome === 'would_overflow') throw refuse('quota_too_large');
  if (outcome === 'stale') throw refuse('quota_stale');
  // A gift that was made already, whose answer was lost, is as good as made now.
  if (outcome === 'user_missing') throw refuse('user_is_gone');
};
