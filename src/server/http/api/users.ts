import type * as contract from '#contract/api/users.ts';
import { mayManageUser } from '#contract/may.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { refuse } from '../../control/refuse.ts';
import type { Handlers } from '../handler.ts';
import { pageOf, pageRequest } from './page.ts';
import { userWire } from './user-wire.ts';

/** Accounts, for admins. */
export const userHandlers = (deps: { readonly users: UserStore }): Handlers<typeof contract> => ({
  listUsers: async ({ query }) => pageOf(await deps.users.list(pageRequest(query)), query, userWire),
  searchUsers: async ({ query }) =>
    pageOf(
      await deps.users.search({ keyword: query.keyword, group: query.group }, pageRequest(query)),
      query,
      userWire,
    ),
  readUser: async ({ params }, { actor }) => {
    const account = await deps.users.byId(params.id);
    if (account === undefined || !mayManageUser(actor.user, account)) throw refuse('user_missing');
    return userWire(account);
  },
});
