import type * as contract from '#contract/api/people/users.ts';
import type { PageQuery } from '#contract/paging.ts';
import type { Page } from '#core/paging.ts';
import type { UserStore } from '#core/user/user-store.ts';
import type { User } from '#core/user/user.ts';
import type { UserManagement } from '../../../control/people/user-management.ts';
import type { Handlers } from '../../handler.ts';
import { changedSince } from '../changed-since.ts';
import { pageOf, pageRequest } from '../page.ts';
import { spentAsRead, userWire } from './user-wire.ts';

interface UserDeps {
  readonly users: Pick<UserStore, 'list' | 'search' | 'namesOf'>;
  readonly userManagement: UserManagement;
}

/** Accounts, for admins. */
export const userHandlers = ({ users, userManagement }: UserDeps): Handlers<typeof contract> => {
  const namesFor = (accounts: readonly User[]) =>
    users.namesOf([...new Set(accounts.map(({ inviterId }) => inviterId).filter((id) => id !== 0))]);
  const one = async (viewer: User, account: User) => userWire(viewer, account, await namesFor([account]));
  const listed = async (viewer: User, page: Page<User>, query: PageQuery) => {
    const names = await namesFor(page.items);
    return pageOf(page, query, (user) => userWire(viewer, user, names));
  };
  return {
    listUsers: async ({ query }, { actor }) =>
      listed(
        actor.user,
        // What a list is sorted by depends on who sees it.
        query.sort === undefined
          ? await users.list(pageRequest(query))
          : await users.search({ keyword: '', group: '', by: actor.user }, pageRequest(query)),
        query,
      ),
    searchUsers: async ({ query }, { actor }) => {
      const { keyword, group } = query;
      return listed(
        actor.user,
        await users.search({ keyword, group, by: actor.user }, pageRequest(query)),
        query,
      );
    },
    readUser: async ({ params }, { actor }) =>
      one(actor.user, await userManagement.read(actor.user, params.id)),
    createUser: async ({ body }, { actor }) =>
      one(
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
      one(
        actor.user,
        await userManagement.update(actor, body.id, {
          username: body.username,
          displayName: body.display_name,
          password: body.password,
          group: body.group,
          quotaUnits: body.quota,
          read: spentAsRead(body),
          // The names of other accounts are not compared.
          changedSince: (user) =>
            changedSince({ ...body, inviter_name: undefined }, userWire(actor.user, user, new Map())),
        }),
      ),
    manageUser: async ({ body }, { actor }) => {
      const { role, status, quotaUnits } =
        body.action === 'add_quota'
          ? await userManagement.addQuota(actor, { ...body, deltaUnits: body.value })
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
  };
};
