import type * as contract from '#contract/api/people/users.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { UserManagement } from '../../../control/people/user-management.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';
import { pageOf, pageRequest } from '../page.ts';
import { spentAsRead, userWire } from './user-wire.ts';

interface UserDeps {
  readonly users: Pick<UserStore, 'list' | 'search'>;
  readonly userManagement: UserManagement;
}

/** Accounts, for admins. */
export const userHandlers = ({ users, userManagement }: UserDeps): Handlers<typeof contract> => ({
  listUsers: async ({ query }, { actor }) =>
    pageOf(
      // What a list is sorted by depends on who sees it.
      query.sort === undefined
        ? await users.list(pageRequest(query))
        : await users.search({ keyword: '', group: '', by: actor.user }, pageRequest(query)),
      query,
      (user) => userWire(actor.user, user),
    ),
  searchUsers: async ({ query }, { actor }) =>
    pageOf(
      await users.search({ keyword: query.keyword, group: query.group, by: actor.user }, pageRequest(query)),
      query,
      (user) => userWire(actor.user, user),
    ),
  readUser: async ({ params }, { actor }) =>
    userWire(actor.user, await userManagement.read(actor.user, params.id)),
  createUser: async ({ body }, { actor }) =>
    userWire(
      actor.user,
      await userManagement.create(actor, {
        username: body.username,
        password: body.password,
        displayName: body.display_name,
        role: body.role,
        group: body.group,
      }),
    ),
  updateUser: async ({ body }, { actor }) =>
    userWire(
      actor.user,
      await userManagement.update(actor, body.id, {
        username: body.username,
        displayName: body.display_name,
        password: body.password,
        group: body.group,
        quotaUnits: body.quota,
        read: spentAsRead(body),
        changedSince: (user) => changedSince(body, userWire(actor.user, user)),
      }),
    ),
  manageUser: async ({ body }, { actor }) => {
    const { role, status, quotaUnits } =
      body.action === 'add_quota'
        ? await userManagement.addQuota(actor, body.id, body.value, body.reason)
        : await userManagement.switch(actor, body.id, body.action);
    return { role, status, quota: quotaUnits };
  },
  resetTwoStep: async ({ params }, { actor }) => {
    await userManagement.resetTwoStep(actor, params.id);
    return null;
  },
  deleteUser: async ({ params }, { actor }) => {
    await userManagement.switch(actor, params.id, 'delete');
    return null;
  },
});
