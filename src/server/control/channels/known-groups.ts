import { commaList } from '#contract/text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { presentGroup } from '#core/token/present-group.ts';
import { groupsOfRules } from '#core/token/renamed-group.ts';
import { refuse } from '../refuse.ts';

interface GroupDeps {
  readonly routing: () => Pick<Routing, 'options'>;
  readonly refreshRouting: () => Promise<void>;
}

/** The first name that no group has, unless it is in `had`. */
const unknownOf = async (
  { routing, refreshRouting }: GroupDeps,
  names: () => readonly string[],
  had: ReadonlySet<string>,
): Promise<string | undefined> => {
  const unknown = (): string | undefined =>
    names().find((name) => !had.has(name) && !Object.hasOwn(routing().options.GroupRatio, name));
  // Another node may have made the group a moment ago.
  if (unknown() !== undefined) await refreshRouting();
  return unknown();
};

/**
 * The list of a channel's groups, each by its present name. Throws if one does not exist: nobody could call the channel
 * in it. What the channels have already may stay.
 */
export const knownGroups = async (
  deps: GroupDeps,
  groups: string,
  before: readonly Pick<ChannelRow, 'groups'>[] = [],
): Promise<string> => {
  const present = (): string[] => commaList(groups).map((name) => presentGroup(deps.routing().options, name));
  const had = new Set(before.flatMap((row) => commaList(row.groups)));
  const group = await unknownOf(deps, present, had);
  if (group !== undefined) throw refuse('channel_group', { group });
  return [...new Set(present())].join(',');
};

/** Throws if a rule of the `setting` is for a group that does not exist: it would never apply. Patterns may. */
export const refuseUnknownInRules = async (deps: GroupDeps, setting: string, before = ''): Promise<void> => {
  const names = groupsOfRules(setting).filter((name) => !name.includes('*'));
  const group = await unknownOf(deps, () => names, new Set(groupsOfRules(before)));
  if (group !== undefined) throw refuse('channel_group_of_rule', { group });
};
