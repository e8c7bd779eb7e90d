import { AUTO_GROUP } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import { type GroupNames, presentGroup } from '#core/token/present-group.ts';
import type { Routing } from '#core/channel/routing.ts';
import { isPayable } from '#core/task/task-price.ts';
import { ownChoices } from '#core/user/own-choices.ts';
import type { User } from '#core/user/user.ts';

/**
 * The groups a user may choose for a token: the public ones and their own, as name → description. One without a ratio does
 * not exist, and calls in it are refused.
 */
export const usableGroups = (
  options: GroupNames & Pick<OptionValues, 'UserUsableGroups'>,
  ownGroup: string,
): ReadonlyMap<string, string> => {
  const userGroup = presentGroup(options, ownGroup);
  const groups = new Map(Object.entries(options.UserUsableGroups));
  if (!groups.has(userGroup)) groups.set(userGroup, userGroup);
  const exists = (name: string): boolean => name === AUTO_GROUP || Object.hasOwn(options.GroupRatio, name);
  return new Map([...groups].filter(([name]) => exists(name)));
};

/**
 * The models a user may use in any of their groups and that have a price, or that the user accepts without one; sorted.
 */
export const usableModels = (routing: Routing, user: User): string[] => {
  const { acceptsUnpriced } = ownChoices(user);
  const names = new Set<string>();
  for (const group of usableGroups(routing.options, user.group).keys()) {
    if (group === AUTO_GROUP) continue;
    for (const model of routing.tiers.get(group)?.keys() ?? []) names.add(model);
  }
  return [...names].filter((name) => acceptsUnpriced || isPayable(routing, name)).sort();
};

/** The models that enabled channels offer in any group, sorted. */
export const servedModels = (routing: Routing): string[] =>
  [...new Set([...routing.tiers.values()].flatMap((models) => [...models.keys()]))].sort();
