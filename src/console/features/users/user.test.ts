import { expect, it } from 'vitest';
import { role } from '#contract/codes.ts';
import type { SessionUser } from '../../lib/session/session.ts';
import { mayDo, mayEnable, rankOf, stateOf, type User } from './user.ts';

const root: SessionUser = {
  id: 1,
  username: 'root',
  display_name: '',
  role: 100,
  status: 1,
  group: 'default',
};
const user = (more: Partial<User>): User =>
  ({ id: 2, role: role.user, status: 1, DeletedAt: null, ...more }) as User;

it('role 1 is a user, 10 an admin, 100 the super admin, anything else unknown', () => {
  expect([1, 10, 100, 0, 11].map(rankOf)).toEqual(['user', 'admin', 'root', 'unknown', 'unknown']);
});

it('status 1 is activated, 2 banned, others unknown; a deleted account is cancelled whatever its status', () => {
  const states = [1, 2, 3, 0].map((status) => stateOf(user({ status })));
  expect(states).toEqual(['enabled', 'disabled', 'unknown', 'unknown']);
  expect(stateOf(user({ DeletedAt: '2026-01-01T00:00:00Z' }))).toBe('deleted');
});

it('a banned account can be enabled, one of status 3 cannot', () => {
  expect([2, 3, 4].map((status) => mayEnable(root, user({ status })))).toEqual([true, false, true]);
});

it('a cancelled account has no actions', () => {
  const gone = user({ status: 2, DeletedAt: '2026-01-01T00:00:00Z' });
  const actions = [
    'update',
    'add_quota',
    'promote',
    'demote',
    'enable',
    'disable',
    'reset_two_step',
    'delete',
  ] as const;
  expect(actions.filter((action) => mayDo(root, action, gone))).toEqual([]);
});
