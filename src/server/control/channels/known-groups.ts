import { commaList } from '#contract/text.ts';
import type { ChannelRow } from '#core/channel/channel.ts';
import type { Routing } from '#core/channel/routing.ts';
import { presentGroup } from '#core/token/present-group.ts';
import { refuse } from '../refuse.ts';

interface GroupDeps {
  readonly routing: () => Pick<Routing, 'options'>;
  readonly refreshRouting: () => Promise<void>;
}

/**
 * The list of a channel's groups, each by its present name. Throws if one does not exist: nobody could call the channel
 * in it. What the channels have already may stay.
 */
export const knownGroups = async (
  { routing, refreshRouting }: GroupDeps,
  groups: string,
  before: readonly Pick<ChannelRow, 'groups'>[] = [],
): Promise<string> => {
  const had = new Set(before.flatMap((row) => commaList(row.groups)));
  const unknownIn = (names: readonly string[]): string | undefined =>
    names.find((name) => !had.has(name) && !Object.hasOwn(routing().options.GroupRatio, name));
  const present = (): string[] => commaList(groups).map((name) => presentGroup(routing().options, name));
  // Another node may have made the group a moment ago.
  if (unknownIn(present()) !== undefined) await refreshRouting();
  const unknown = unknownIn(present());
  if (unknown !== undefined) throw refuse('channel_group', { group: unknown });
  return [...new Set(present())].join(',');
};
