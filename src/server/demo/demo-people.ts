import { AFF_CODE_LENGTH, QUOTA_PER_UNIT } from '#contract/limits.ts';
import { DEFAULT_GROUP, role, userStatus } from '#contract/codes.ts';
import type { Clock, Random } from '#core/clock.ts';
import type { Ledger } from '#core/ledger/ledger.ts';
import { storedPhrase } from '#core/log/stored-phrase.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { ManagedUserStore } from '#core/user/managed-user-store.ts';
import type { User } from '#core/user/user.ts';
import type { NewUser, UserStore } from '#core/user/user-store.ts';
import type { Happening } from './demo-story.ts';
import { DAY_MS } from '#core/time/spans.ts';

const INVITER_EARNS = 2 * QUOTA_PER_UNIT;
const INVITEE_GETS = QUOTA_PER_UNIT;

export interface DemoPeopleDeps {
  readonly users: UserStore;
  readonly managedUsers: Pick<ManagedUserStore, 'setStatus'>;
  readonly ledger: Pick<Ledger, 'move'>;
  readonly options: OptionStore;
  readonly clock: Clock;
  readonly random: Random;
}

/** A user of the demo, created at an invented time. */
export interface DemoPerson {
  readonly username: string;
  readonly displayName: string;
  readonly passwordHash: string;
  readonly role?: number;
  readonly group?: string;
  readonly quotaUnits: number;
  readonly inviter?: User;
}

/** Creates the account and grants its quota, at the invented time. */
export const makePerson = async (deps: DemoPeopleDeps, person: DemoPerson): Promise<User> => {
  const { role: rank = role.user, group = DEFAULT_GROUP, inviter, quotaUnits } = person;
  const nowMs = deps.clock.now();
  const wanted: NewUser = {
    username: person.username,
    displayName: person.displayName,
    email: '',
    passwordHash: person.passwordHash,
    role: rank,
    group,
    affCode: deps.random.alphanumeric(AFF_CODE_LENGTH),
    inviterId: inviter?.id ?? 0,
    createdAtMs: nowMs,
  };
  const id = rank === role.root ? await deps.users.createFirst(wanted) : await deps.users.create(wanted);
  if (id === 'taken') throw new Error('the demo fills an empty database only');
  const move = { userId: id, actorId: id, nowMs };
  if (quotaUnits > 0)
    await deps.ledger.move({
      ...move,
      kind: 'grant',
      ref: `demo:${id}`,
      deltaUnits: quotaUnits,
      reason: storedPhrase('log_demo_quota'),
    });
  if (inviter !== undefined) await thank(deps, inviter, id, nowMs);
  return again(deps, id);
};

/** Read again, because quota was added since it was created. */
const again = async ({ users }: DemoPeopleDeps, id: number): Promise<User> => {
  const user = await users.byId(id);
  if (user === undefined) throw new Error('a user just made is not there');
  return user;
};

const thank = async (
  { ledger }: DemoPeopleDeps,
  inviter: User,
  inviteeId: number,
  nowMs: number,
): Promise<void> => {
  await ledger.move({
    kind: 'grant',
    ref: `invitee:${inviteeId}`,
    userId: inviteeId,
    deltaUnits: INVITEE_GETS,
    reason: storedPhrase('log_invitee'),
    actorId: 0,
    nowMs,
  });
  await ledger.move({
    kind: 'invite',
    ref: `inviter:${inviteeId}`,
    userId: inviter.id,
    deltaUnits: 0,
    earnedUnits: INVITER_EARNS,
    reason: storedPhrase('log_inviter', { id: inviteeId }),
    actorId: 0,
    nowMs,
  });
};

/**
 * More accounts: an administrator, and customers in every group, some of them invited, one of them banned. Nobody knows
 * their passwords. @returns the customers who make calls, and those who are created later
 */
export const seedPeople = async (
  deps: DemoPeopleDeps,
  { root, alice }: { readonly root: User; readonly alice: User },
  passwordHash: string,
): Promise<{ readonly customers: readonly User[]; readonly later: readonly Happening[] }> => {
  await seedGroups(deps);
  const make = (username: string, displayName: string, dollars: number, more: Partial<DemoPerson> = {}) =>
    makePerson(deps, { username, displayName, passwordHash, quotaUnits: dollars * QUOTA_PER_UNIT, ...more });
  await make('olivia', 'Olivia Park', 200, { role: role.admin, group: 'vip' });
  const bob = await make('bob', 'Bob Okafor', 40, { group: 'vip', inviter: alice });
  const chen = await make('chenwei', '陈伟', 120, { group: 'svip', inviter: root });
  const ban = async (): Promise<void> => {
    const spammer = await make('mallory', 'mallory', 0);
    await deps.managedUsers.setStatus(spammer.id, userStatus.disabled);
  };
  return {
    customers: [bob, chen],
    later: [
      { agoMs: 4 * DAY_MS, happen: () => make('carol', 'Carol Jensen', 5, { inviter: alice }) },
      { agoMs: 3.4 * DAY_MS, happen: () => make('yuki', '山田 有希', 0, { inviter: alice }) },
      { agoMs: 3 * DAY_MS, happen: () => transfer(deps, alice) },
      { agoMs: 2 * DAY_MS, happen: ban },
    ],
  };
};

const transfer = ({ ledger, clock }: DemoPeopleDeps, user: User): Promise<unknown> =>
  ledger.move({
    kind: 'transfer',
    ref: 'demo:transfer',
    userId: user.id,
    deltaUnits: INVITER_EARNS,
    earnedUnits: -INVITER_EARNS,
    reason: storedPhrase('log_transfer'),
    actorId: user.id,
    nowMs: clock.now(),
  });

const seedGroups = async ({ options, clock }: DemoPeopleDeps): Promise<void> => {
  const values = {
    GroupRatio: '{"default":1,"vip":0.8,"svip":0.6}',
    UserUsableGroups: '{"default":"Standard","vip":"20% off"}',
    AutoGroups: '["default","vip"]',
    QuotaForInviter: String(INVITER_EARNS),
    QuotaForInvitee: String(INVITEE_GETS),
  };
  for (const [key, value] of Object.entries(values)) await options.set(key, value, clock.now());
};
