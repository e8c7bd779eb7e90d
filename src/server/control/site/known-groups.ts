import { AUTO_GROUP } from '#contract/codes.ts';
import { type OptionKey, optionRow, optionText } from '#contract/options.ts';
import { groupsNamed, optionsWithGroups } from '#contract/options/groups-named.ts';
import { fieldsOf } from '#core/json/fields.ts';
import { sayError } from '../refuse.ts';

type Texts = ReadonlyMap<string, string>;

/** The groups in the text of `GroupRatio`, as calls read it: a text that does not fit counts as its initial value. */
export const groupsIn = (text: string | undefined): object => {
  const { schema, initial } = optionRow('GroupRatio');
  const read = schema.safeParse(text ?? '');
  return fieldsOf(read.success ? read.data : initial);
};

/** Where the automatic group is offered to users it is named like a group. */
const isKnown = (groups: object, key: OptionKey, name: string): boolean =>
  Object.hasOwn(groups, name) || (key === 'UserUsableGroups' && name === AUTO_GROUP);

/**
 * Throws if a change names a group that there is neither before it nor after it: a slip in a name would count for nobody,
 * and nobody would notice. What is stored may stay, so that other changes of the same option can be saved.
 */
export const refuseUnknownGroups = (changes: Texts, stored: Texts): void => {
  const present = stored.get('GroupRatio');
  const groups = { ...groupsIn(present), ...groupsIn(changes.get('GroupRatio') ?? present) };
  for (const key of optionsWithGroups) {
    const text = changes.get(key);
    if (text === undefined) continue;
    const before = groupsNamed(key, stored.get(key) ?? optionText(optionRow(key).initial));
    for (const name of groupsNamed(key, text)) {
      if (before.has(name) || isKnown(groups, key, String(name))) continue;
      const issue = { key: 'issue_group_unknown', values: { name: String(name) } } as const;
      throw sayError('invalid_request', 'option_invalid', { key, issue });
    }
  }
};
