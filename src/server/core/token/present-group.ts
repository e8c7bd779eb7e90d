import { AUTO_GROUP } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';

/** What says which groups there are, and what they were called before. */
export type GroupNames = Pick<OptionValues, 'GroupRatio' | 'group_setting.former_names'>;

/**
 * What a group is called now. A caller, a task or a program may still say what it was called before: they were read, or
 * made, before it was renamed.
 */
export const presentGroup = (options: GroupNames, name: string): string => {
  if (Object.hasOwn(options.GroupRatio, name)) return name;
  const former = options['group_setting.former_names'];
  return (Object.hasOwn(former, name) && former[name]) || name;
};

/** The names that a group has had, and no other group has now. */
export const formerNames = (options: GroupNames, group: string): readonly string[] =>
  Object.keys(options['group_setting.former_names']).filter(
    (name) => name !== group && presentGroup(options, name) === group,
  );

/** A name that stays the same when the group is renamed: the first it had. */
export const lastingName = (options: GroupNames, group: string): string =>
  formerNames(options, group)[0] ?? group;

/**
 * Whether these options know a group that an account or token names. They do not if it was removed, or if they are older
 * than its name.
 */
export const isKnownGroup = (options: GroupNames, name: string): boolean =>
  name === '' ||
  name === AUTO_GROUP ||
  Object.hasOwn(options.GroupRatio, name) ||
  Object.hasOwn(options.GroupRatio, presentGroup(options, name));
