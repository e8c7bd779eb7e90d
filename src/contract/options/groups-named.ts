import { isFields, parsed } from '../json-text.ts';
import { type OptionKey, optionRow, optionTable } from '../options.ts';
import type { GroupPlace } from './option.ts';

/** The options that name groups. */
export const optionsWithGroups = (Object.keys(optionTable) as OptionKey[]).filter(
  (key) => optionRow(key).groupPlace !== undefined,
);

const keysOf = (value: unknown): readonly string[] => (isFields(value) ? Object.keys(value) : []);
const valuesOf = (value: unknown): readonly unknown[] => (isFields(value) ? Object.values(value) : []);

const namedInside: Readonly<Record<GroupPlace, (value: unknown) => readonly unknown[]>> = {
  keys: keysOf,
  'inner-keys': (value) => [...keysOf(value), ...valuesOf(value).flatMap(keysOf)],
  items: (value) => (Array.isArray(value) ? value : []),
  field: (value) => (isFields(value) ? keysOf(value['groups']) : []),
  values: valuesOf,
};

/** The groups that the text of an option names; an empty text stands for its initial value. */
export const groupsNamed = (key: OptionKey, text: string): ReadonlySet<unknown> => {
  const { groupPlace, initial } = optionRow(key);
  if (groupPlace === undefined) return new Set();
  return new Set(namedInside[groupPlace](text.trim() === '' ? initial : parsed(text)));
};
