import { AUTO_GROUP } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import { type GroupNames, presentGroup } from './present-group.ts';
import { translatedRefusal } from '../translated-refusal.ts';

type GroupOptions = GroupNames & Pick<OptionValues, 'UserUsableGroups' | 'AutoGroups'>;

/** Whether a member of `userGroup` may use a group: it is open to everybody, or their own. */
const mayUseGroup = (options: GroupOptions, userGroup: string, group: string): boolean =>
  group === userGroup || Object.hasOwn(options.UserUsableGroups, group);

/**
 * The groups a call may use, in order: the chosen one, or for `auto` the user's groups of `AutoGroups`. If `chosen` is
 * empty, the user's own. Throws `forbidden` if the group does not exist or the user may not use it.
 */
export const groupsOf = (options: GroupOptions, ownGroup: string, chosen: string): readonly string[] => {
  const userGroup = presentGroup(options, ownGroup);
  const group = chosen === '' ? userGroup : presentGroup(options, chosen);
  // `auto` contains only groups the user may use, so everybody may choose it.
  if (group === AUTO_GROUP) {
    const usable = options.AutoGroups.filter(
      (name) => mayUseGroup(options, userGroup, name) && Object.hasOwn(options.GroupRatio, name),
    );
    if (usable.length === 0)
      throw translatedRefusal('forbidden', 'relay_auto_closed', {}, { reason: 'group_forbidden' });
    return usable;
  }
  if (!mayUseGroup(options, userGroup, group)) {
    throw translatedRefusal('forbidden', 'relay_group_closed', { group }, { reason: 'group_forbidden' });
  }
  if (!Object.hasOwn(options.GroupRatio, group)) {
    throw translatedRefusal('forbidden', 'relay_group_gone', { group }, { reason: 'group_forbidden' });
  }
  return [group];
};
