import { expect, it } from 'vitest';
import { createUser } from './api/people/users.ts';
import { role } from './codes.ts';
import { type UserAction, mayCreateUser, userRefusal } from './may.ts';

/** Source: specification, roles and permissions. */

const user = { id: 3, role: 1, isDeleted: false };
const admin = { id: 2, role: 10, isDeleted: false };
const root = { id: 1, role: 100, isDeleted: false };
const may = (actor: typeof user, action: UserAction, target: typeof user): boolean =>
  userRefusal(actor, action, target) === undefined;
const actions = [
  'read',
  'update',
  'add_quota',
  'promote',
  'demote',
  'enable',
  'disable',
  'reset_two_step',
  'delete',
] as const;
const allowed = (actor: typeof user, target: typeof user) =>
  actions.filter((action) => may(actor, action, target));

it('a user may do nothing to anybody, an admin nothing to its own rank, itself or above', () => {
  for (const target of [user, admin, root]) expect(allowed(user, target)).toEqual([]);
  for (const target of [admin, { ...admin, id: 9 }, root]) expect(allowed(admin, target)).toEqual([]);
});

it('an admin may do to users what there is to do, but for making admins', () => {
  expect(allowed(admin, user)).toEqual(
    actions.filter((action) => action !== 'promote' && action !== 'demote'),
  );
});

it('the super admin may do all of it to both, as far as their rank leaves something to do', () => {
  expect(allowed(root, user)).toEqual(actions.filter((action) => action !== 'demote'));
  expect(allowed(root, admin)).toEqual(actions.filter((action) => action !== 'promote'));
});

it('the super admin may read and change itself, and is not promoted, demoted, banned or deleted', () => {
  expect(allowed(root, root)).toEqual(['read', 'update', 'add_quota', 'enable']);
  const refusals = ['demote', 'disable', 'delete'] as const;
  expect(refusals.map((action) => userRefusal(root, action, root))).toEqual([
    'root_not_demoted',
    'root_not_disabled',
    'root_not_deleted',
  ]);
});

it('who is cancelled may only be read', () => {
  expect(allowed(root, { ...user, isDeleted: true })).toEqual(['read']);
});

it('nobody makes an account of its own rank or above, and users make none', () => {
  const made = [user, admin, root].map((actor) => [1, 10, 100].filter((rank) => mayCreateUser(actor, rank)));
  expect(made).toEqual([[], [1], [1, 10]]);
});

it.each([0, 2, 5, 9, 11, 50, 99, 101])(
  'an account is made with one of the ranks there are, not with %d',
  (rank) => {
    const account = { username: 'somebody', password: 'long enough', role: rank };
    expect(createUser.body.safeParse(account).success).toBe(false);
    expect(createUser.body.safeParse({ ...account, role: role.admin }).success).toBe(true);
  },
);
