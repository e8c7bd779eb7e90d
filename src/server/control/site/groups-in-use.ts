import { parsed } from '#contract/json-text.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import { fieldsOf } from '#core/json/fields.ts';
import type { UserStore } from '#core/user/user-store.ts';

export interface GroupUseDeps {
  readonly users: Pick<UserStore, 'groupUse'>;
  readonly channels: Pick<ChannelStore, 'page'>;
}

/** How many accounts, tokens and channels a group has, none of them deleted. */
export interface GroupUse {
  readonly name: string;
  readonly users: number;
  readonly tokens: number;
  readonly channels: number;
}

export const useOfGroup = async ({ users, channels }: GroupUseDeps, name: string): Promise<GroupUse> => {
  const [use, { total }] = await Promise.all([
    users.groupUse(name),
    channels.page({ group: name, sortById: true }, { page: 1, pageSize: 1 }),
  ]);
  return { name, ...use, channels: total };
};

/**
 * The groups in use that a new table of ratios would remove, except those in `mayGo`. Calls of accounts and tokens in
 * a removed group are refused.
 */
export const groupsInUse = async (
  deps: GroupUseDeps,
  before: object,
  after: object,
  mayGo: readonly string[] = [],
): Promise<GroupUse[]> => {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name) && !mayGo.includes(name));
  const uses = await Promise.all(gone.map((name) => useOfGroup(deps, name)));
  return uses.filter(({ users, tokens, channels }) => users + tokens + channels > 0);
};

/** The groups in the text of `GroupRatio`; none in a text that cannot be read. */
export const groupsIn = (text: string): object => fieldsOf(parsed(text));
