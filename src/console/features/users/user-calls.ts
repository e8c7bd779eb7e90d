import { listUsers, manageUser, resetTwoStep, searchUsers, updateUser } from '#contract/api/people/users.ts';
import { userStatus } from '#contract/codes.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import { newId } from '../../lib/browser/new-id.ts';
import { call } from '../../lib/server/api.ts';
import { changeRow } from '../../lib/server/row-cache.ts';
import { USERS, type User } from './user.ts';

export const loadUsers = (view: View, signal: AbortSignal): Promise<Page<User>> => {
  const { group } = view.filters;
  const page = { p: view.page, page_size: view.pageSize, sort: sortText(view.sort) };
  const keyword = view.search.trim();
  return keyword !== '' || Boolean(group)
    ? call(searchUsers, { query: { ...page, keyword, group } }, signal)
    : call(listUsers, { query: page }, signal);
};

export type Switch = 'enable' | 'disable' | 'promote' | 'demote' | 'delete';

/** The row in the table takes the server's new values. */
export const manage = async (user: User, action: Switch): Promise<User> => ({
  ...user,
  ...(await call(manageUser, { body: { id: user.id, action } })),
});

export const switchUser = (user: User, isOn: boolean): Promise<void> =>
  changeRow(USERS, user.id, { status: isOn ? userStatus.enabled : userStatus.disabled }, () =>
    manage(user, isOn ? 'enable' : 'disable'),
  );

export const resetProofs = (user: User) => call(resetTwoStep, { params: { id: user.id } });

/** The keys of gifts that are not known to be made: their answer was lost, or they were refused. */
const unmade = new Map<string, string>();

/** Tried again after an answer was lost, it is the same gift: the server makes it once. */
export const addQuota = async (id: number, value: number, reason: string) => {
  const gift = JSON.stringify([id, value, reason]);
  const key = unmade.get(gift) ?? newId();
  unmade.set(gift, key);
  const after = await call(manageUser, { body: { id, action: 'add_quota', value, reason, key } });
  unmade.delete(gift);
  return after;
};

export const moveToGroup = (user: User, group: string) =>
  call(updateUser, { body: { id: user.id, group, was: { group: user.group } } });
