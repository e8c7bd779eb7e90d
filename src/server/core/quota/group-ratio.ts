import type { OptionValues } from '#contract/options.ts';
import { ownOf } from '../json/fields.ts';
import { type GroupNames, presentGroup } from '../token/present-group.ts';

/** The ratio of a pair of groups, by any name they have had: from `GroupGroupRatio`, else the group's own, else 1. */
export const groupRatio = (
  options: GroupNames & Pick<OptionValues, 'GroupGroupRatio'>,
  userGroup: string,
  usingGroup: string,
): { readonly ratio: number; readonly special: number } => {
  const using = presentGroup(options, usingGroup);
  const special = ownOf(ownOf(options.GroupGroupRatio, presentGroup(options, userGroup)) ?? {}, using);
  return { ratio: special ?? ownOf(options.GroupRatio, using) ?? 1, special: special ?? -1 };
};
