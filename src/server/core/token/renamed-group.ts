import { parsed } from '#contract/json-text.ts';
import { type OptionKey, optionRow } from '#contract/options.ts';
import type { GroupPlace } from '#contract/options/option.ts';
import { commaList } from '#contract/text.ts';
import { fieldsOf, listOf, parsedFields, textOf } from '../json/fields.ts';
import type { SettingChange } from '../price-book/approval.ts';
import { type PriceEntry, type PriceValue, stableText } from '../price-book/price-tables.ts';

/** A group's new name, and the one it has had. */
export interface Renaming {
  readonly from: string;
  readonly to: string;
}

/** Removes what an earlier group of the new name has left behind: it would apply to the members of this one. */
const renamedKeys = (table: object, { from, to }: Renaming): object =>
  Object.fromEntries(
    Object.entries(table)
      .filter(([name]) => name !== to)
      .map(([name, value]: [string, unknown]) => [name === from ? to : name, value]),
  );

const renamedItems = (list: readonly unknown[], { from, to }: Renaming): readonly unknown[] =>
  list.filter((item) => item !== to).map((item) => (item === from ? to : item));

const renamedInside: Readonly<Record<GroupPlace, (value: unknown, renaming: Renaming) => unknown>> = {
  keys: (value, renaming) => renamedKeys(fieldsOf(value), renaming),
  'inner-keys': (value, renaming) =>
    Object.fromEntries(
      Object.entries(renamedKeys(fieldsOf(value), renaming)).map(([name, inner]) => [
        name,
        renamedKeys(fieldsOf(inner), renaming),
      ]),
    ),
  items: (value, renaming) => renamedItems(listOf(value), renaming),
  field: (value, renaming) => {
    const { groups, ...rest } = fieldsOf(value);
    return groups === undefined ? rest : { ...rest, groups: renamedKeys(fieldsOf(groups), renaming) };
  },
  // A name that a group has again is no longer a former one.
  values: (value, { from, to }) =>
    Object.fromEntries([
      ...Object.entries(fieldsOf(value))
        .filter(([name]) => name !== to && name !== from)
        .map(([name, now]) => [name, now === from ? to : now] as const),
      [from, to],
    ]),
};

/** The text of an option with the group's new name; the same text where it does not name the group. */
export const renamedText = (key: OptionKey, text: string, renaming: Renaming): string => {
  const { groupPlace } = optionRow(key);
  const value = text.trim() === '' ? optionRow(key).initial : parsed(text);
  if (groupPlace === undefined || typeof value !== 'object' || value === null) return text;
  const next = renamedInside[groupPlace](value, renaming);
  if (stableText(next) === stableText(value)) return text;
  return JSON.stringify(next, undefined, text.includes('\n') ? 2 : undefined);
};

/** An entry of a draft of prices with the group's new name. */
export const renamedEntry = (entry: PriceEntry, renaming: Renaming): PriceEntry => {
  const { groupPlace } = optionRow(entry.option);
  if (groupPlace === undefined) return entry;
  const { from, to } = renaming;
  const key = entry.key === from ? to : entry.key;
  const isTable = groupPlace === 'inner-keys' && typeof entry.value === 'object' && entry.value !== null;
  return { ...entry, key, value: isTable ? (renamedKeys(entry.value, renaming) as PriceValue) : entry.value };
};

/** A setting of such a draft. */
export const renamedSetting = (setting: SettingChange, renaming: Renaming): SettingChange => ({
  ...setting,
  before: renamedText(setting.key, setting.before, renaming),
  after: renamedText(setting.key, setting.after, renaming),
});

/** A channel's list of groups; the same text where the group is not in it. */
export const renamedList = (groups: string, { from, to }: Renaming): string => {
  const list = commaList(groups);
  if (!list.includes(from)) return groups;
  return list.map((name) => (name === from ? to : name)).join(',');
};

/**
 * A channel's `setting`: its rules for this very group follow, those for a pattern with stars stay. The same text where
 * none names the group.
 */
export const renamedChannelSetting = (text: string, { from, to }: Renaming): string => {
  const setting = parsedFields(text);
  const rules = listOf(setting?.['overrides']);
  if (!rules.some((rule) => groupOfRule(rule) === from)) return text;
  const overrides = rules.map((rule) =>
    groupOfRule(rule) === from
      ? { ...fieldsOf(rule), when: { ...fieldsOf(fieldsOf(rule)['when']), group: to } }
      : rule,
  );
  return JSON.stringify({ ...setting, overrides });
};

/** The groups, or patterns of them, that the rules in a channel's `setting` are for. */
export const groupsOfRules = (setting: string): readonly string[] =>
  listOf(parsedFields(setting)?.['overrides']).flatMap((rule) => textOf(groupOfRule(rule)) ?? []);

const groupOfRule = (rule: unknown): unknown => fieldsOf(fieldsOf(rule)['when'])['group'];
