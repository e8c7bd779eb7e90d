import { AUTO_GROUP } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import { saidRefusal } from '../said-refusal.ts';

type GroupOptions = Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups' | 'AutoGroups'>;

/** Groups a member of `userGroup` may use: those open to everybody, and the own. */
export const mayUseGroup = (options: GroupOptions, userGroup: string, group: string): boolean =>
  group === userGroup || Object.hasOwn(options.UserUsableGroups, group);

/**
 * The groups a call may go through, in order: the chosen one, or for `auto` those of `AutoGroups` the user may use.
 * `chosen` empty means the user's own. Throws `forbidden` for a group that is closed to the user or no longer exists.
 */
export const groupsOf = (options: GroupOptions, userGroup: string, chosen: string): readonly string[] => {
  const group = chosen === '' ? userGroup : chosen;
  // Auto leads only to groups that are open to the user, so it is open itself.
  if (group === AUTO_GROUP) {
    const usable = options.AutoGroups.filter(
      (name) => mayUseGroup(options, userGroup, name) && Object.hasOwn(options.GroupRatio, name),
    );
    if (usable.length === 0)
      throw saidRefusal('forbidden', 'relay_auto_closed', {}, { reason: 'group_forbidden' });
    return usable;
  }
  if (!mayUseGroup(options, userGroup, group)) {
    throw saidRefusal('forbidden', 'relay_group_closed', { group }, { reason: 'group_forbidden' });
  }
  if (!Object.hasOwn(options.GroupRatio, group)) {
    throw saidRefusal('forbidden', 'relay_group_gone', { group }, { reason: 'group_forbidden' });
  }
  return [group];
};
