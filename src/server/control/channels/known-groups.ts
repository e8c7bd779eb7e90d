import { commaList } from '#contract/text.ts';
import type { Routing } from '#core/channel/routing.ts';
import { presentGroup } from '#core/token/present-group.ts';
import { groupsOfRules } from '#core/token/renamed-group.ts';
import { refuse } from '../refuse.ts';

interface GroupDeps {
  readonly routing: () => Pick<Routing, 'options'>;
  readonly refreshRouting: () => Promise<void>;
}

/**
 * The list of a channel's groups, each by its present name. A group that does not exist may be named: channels are often
 * prepared before their groups, and until then nobody can call them in it.
 */
export const presentGroups = ({ routing }: Pick<GroupDeps, 'routing'>, groups: string): string => {
  const { options } = routing();
  return [...new Set(commaList(groups).map((name) => presentGroup(options, name)))].join(',');
};

/** Throws if a rule of the `setting` is for a group that does not exist: it would never apply. Patterns may. */
export const refuseUnknownInRules = async (
  { routing, refreshRouting }: GroupDeps,
  setting: string,
  before = '',
): Promise<void> => {
  const had = new Set(groupsOfRules(before));
  const names = groupsOfRules(setting).filter((name) => !name.includes('*') && !had.has(name));
  const unknown = (): string | undefined =>
    names.find((name) => !Object.hasOwn(routing().options.GroupRatio, name));
  // Another node may have made the group a moment ago.
  if (unknown() !== undefined) await refreshRouting();
  const group = unknown();
  if (group !== undefined) throw refuse('channel_group_of_rule', { group });
};
