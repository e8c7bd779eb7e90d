import { optionRow, optionText, type OptionKey } from '#contract/options.ts';
import { groupsNamed, optionsWithGroups } from '#contract/options/groups-named.ts';
import type { ChannelStore } from '#core/channel/channel-store.ts';
import type { OptionStore } from '#core/option/option-store.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { refuse } from '../refuse.ts';
import { groupsIn } from './known-groups.ts';

export interface GroupUseDeps {
  readonly users: Pick<UserStore, 'groupUse'>;
  readonly channels: Pick<ChannelStore, 'page'>;
  readonly options: Pick<OptionStore, 'all'>;
}

type Texts = ReadonlyMap<string, string>;

/** How many accounts, tokens and channels a group has, none of them deleted, and which settings name it. */
export interface GroupUse {
  readonly name: string;
  readonly users: number;
  readonly tokens: number;
  readonly channels: number;
  readonly settings: readonly OptionKey[];
}

/** `GroupRatio` makes a group, and its former names are written by the server; the others are settings of that group. */
const settingsOfGroups = optionsWithGroups.filter(
  (key) => key !== 'GroupRatio' && key !== 'group_setting.former_names',
);

/** A setting that nobody has saved does not count. */
const settingsNaming = (texts: Texts, name: string): readonly OptionKey[] =>
  settingsOfGroups.filter((key) => groupsNamed(key, texts.get(key) ?? '{}').has(name));

/** @param texts the options' texts, by default as they are stored */
export const useOfGroup = async (
  { users, channels, options }: GroupUseDeps,
  name: string,
  texts?: Texts,
): Promise<GroupUse> => {
  const [use, { total }, stored] = await Promise.all([
    users.groupUse(name),
    channels.page({ group: name, sortById: true }, { page: 1, pageSize: 1 }),
    texts ?? options.all(),
  ]);
  return { name, ...use, channels: total, settings: settingsNaming(stored, name) };
};

interface Removing {
  /** Tables of groups. */
  readonly before: object;
  readonly after: object;
  readonly mayGo?: readonly string[] | undefined;
  /** The options' texts as they will be. */
  readonly texts: Texts;
}

/**
 * The groups in use that a new table of ratios would remove, except those in `mayGo`. Calls of accounts and tokens in
 * a removed group are refused, and what settings say of it counts for nothing.
 */
export const groupsInUse = async (
  deps: GroupUseDeps,
  { before, after, mayGo = [], texts }: Removing,
): Promise<GroupUse[]> => {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name) && !mayGo.includes(name));
  const uses = await Promise.all(gone.map((name) => useOfGroup(deps, name, texts)));
  return uses.filter(
    ({ users, tokens, channels, settings }) => users + tokens + channels + settings.length > 0,
  );
};

/**
 * Refuses to remove groups in use unless the request names them: their members would only notice when calls are
 * refused.
 */
export const refuseGroupsInUse = async (
  deps: GroupUseDeps,
  changes: Texts,
  stored: Texts,
  mayGo: readonly string[],
): Promise<void> => {
  const after = changes.get('GroupRatio');
  if (after === undefined) return;
  const before = stored.get('GroupRatio') ?? optionText(optionRow('GroupRatio').initial);
  const texts = new Map([...stored, ...changes]);
  const used = await groupsInUse(deps, { before: groupsIn(before), after: groupsIn(after), mayGo, texts });
  if (used.length === 0) return;
  const sum = (of: 'users' | 'tokens' | 'channels') => used.reduce((total, each) => total + each[of], 0);
  const settings = new Set(used.flatMap((each) => each.settings));
  throw refuse(settings.size === 0 ? 'groups_in_use' : 'groups_in_settings', {
    names: used.map(({ name }) => name).join(', '),
    users: sum('users'),
    tokens: sum('tokens'),
    channels: sum('channels'),
    settings: [...settings].join(', '),
  });
};
