import { isFields, type Fields, parsedObject } from '#contract/json-text.ts';
import { overrideOperations, type OverrideOperation } from '#contract/channel/channel-overrides.ts';
import { shownValue, valueOf } from './pairs/json-pairs.ts';

/** A rule in the editor: every field is a string. */
export interface Rule {
  readonly op: OverrideOperation;
  readonly on: 'body' | 'header';
  readonly path: string;
  readonly find: string;
  /** JSON, or plain text. */
  readonly value: string;
  readonly model: string;
  readonly group: string;
  readonly header: string;
  readonly headerValue: string;
}

export const newRule: Rule = {
  op: 'set',
  on: 'body',
  path: '',
  find: '',
  value: '',
  model: '',
  group: '',
  header: '',
  headerValue: '',
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const ruleOf = (given: unknown): Rule | undefined => {
  if (!isFields(given)) return undefined;
  const op = overrideOperations.find((one) => one === given['op']);
  if (op === undefined) return undefined;
  const when = isFields(given['when']) ? given['when'] : {};
  const header = isFields(when['header']) ? when['header'] : {};
  const isText = given['on'] === 'header' || op === 'replace';
  return {
    op,
    on: given['on'] === 'header' ? 'header' : 'body',
    path: textOf(given['path']),
    find: textOf(given['find']),
    value: isText ? textOf(given['value']) : shownValue(given['value']),
    model: textOf(when['model']),
    group: textOf(when['group']),
    header: textOf(header['name']),
    headerValue: textOf(header['value']),
  };
};

/** The rules in a channel's settings; undefined if they cannot be edited as a table. */
export const rulesIn = (setting: string): readonly Rule[] | undefined => {
  if (setting.trim() === '') return [];
  const fields = parsedObject(setting);
  if (fields === undefined) return undefined;
  const list = fields['overrides'] ?? [];
  if (!Array.isArray(list)) return undefined;
  const rules = list.map(ruleOf);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
};

/** Whether an operation has a value. */
export const hasValue = (op: OverrideOperation): boolean => op !== 'delete' && op !== 'pass';

/** Whether the typed text is stored as this value. */
export const means = (typed: string, value: string): boolean => shownValue(valueOf(typed)) === value;

const writtenRule = ({ op, on, path, find, value, ...when }: Rule): Fields => {
  const isText = on === 'header' || op === 'replace';
  const conditions = {
    ...(when.model !== '' && { model: when.model }),
    ...(when.group !== '' && { group: when.group }),
    ...(when.header !== '' && {
      header: { name: when.header, ...(when.headerValue !== '' && { value: when.headerValue }) },
    }),
  };
  return {
    op,
    ...(on === 'header' && { on }),
    path,
    ...(op === 'replace' && { find }),
    ...(hasValue(op) && { value: isText ? value : valueOf(value) }),
    ...(Object.keys(conditions).length > 0 && { when: conditions }),
  };
};

/** The settings with these rules. */
export const withRules = (setting: string, rules: readonly Rule[]): string => {
  const fields = setting.trim() === '' ? {} : parsedObject(setting);
  if (fields === undefined) return setting;
  const { overrides: _, ...rest } = fields;
  const next = rules.length === 0 ? rest : { ...rest, overrides: rules.map(writtenRule) };
  return Object.keys(next).length === 0 ? '' : JSON.stringify(next, null, 2);
};
