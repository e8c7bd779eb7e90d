import { AppError } from '../../error.ts';
import { replaced } from '#contract/glob.ts';
import { type Fields, isFields, ownOf } from '../../json/fields.ts';
import type { Override } from './override.ts';

/** The most bytes that rules may add to a body, in however many places. */
const MOST_GROWTH = 4 * 1024 * 1024;
/** The most places that the rules of one call may change. */
const MOST_CHANGES = 20_000;

/** What the rules of one call may still change. */
interface Allowance {
  changes: number;
  growth: number;
}

type Change = (value: unknown) => unknown;

const GONE = Symbol('gone');

/**
 * The body after the rules that apply, in their order; the same object if nothing changes. The given body is never
 * modified, because another channel may get it next. Throws `invalid_request` if the body would grow too much.
 */
export const overriddenBody = (body: Fields, overrides: readonly Override[]): Fields => {
  const left: Allowance = { changes: MOST_CHANGES, growth: MOST_GROWTH };
  let sent = body;
  for (const override of overrides) {
    if (override.on !== 'body') continue;
    const changed = changedAt(sent, override.path, changeOf(override, left), makesPath(override));
    if (isFields(changed)) sent = changed;
  }
  return sent;
};

const makesPath = ({ op }: Override): boolean => op === 'set' || op === 'append';

const changeOf = (override: Override, left: Allowance): Change => {
  const change = plainChange(override, left);
  const size = makesPath(override) ? (JSON.stringify(override.value) ?? '').length : 0;
  return (before) => {
    const after = change(before);
    if (after === before) return before;
    left.changes -= 1;
    left.growth -= size;
    if (left.changes < 0 || left.growth < 0) throw tooMuch();
    return after;
  };
};

const tooMuch = (): AppError =>
  new AppError('invalid_request', 'the overrides of this channel make the request too large');

const plainChange = ({ op, value, find }: Override, left: Allowance): Change => {
  switch (op) {
    case 'set':
      return () => value;
    case 'delete':
      return (before) => (before === undefined ? before : GONE);
    case 'append':
      return (before) => appended(before, value);
    case 'replace':
      return (before) => {
        if (typeof before !== 'string') return before;
        const by = typeof value === 'string' ? value : '';
        const after = replaced(find, before, by, before.length + Math.max(0, left.growth));
        if (after === undefined) throw tooMuch();
        left.growth -= Math.max(0, after.length - before.length);
        return after;
      };
    case 'pass':
      return (before) => before;
  }
};

/** Appends an item or the items of a list to a list, or a text to a text. A missing field starts as the value. */
const appended = (before: unknown, value: unknown): unknown => {
  if (Array.isArray(before)) return [...(before as unknown[]), ...(Array.isArray(value) ? value : [value])];
  if (typeof before === 'string') return typeof value === 'string' ? before + value : before;
  if (before !== undefined && before !== null) return before;
  return isFields(value) ? [value] : value;
};

const INDEX = /^-?\d+$/;

const changedAt = (
  value: unknown,
  path: readonly string[],
  change: Change,
  makes: boolean,
  at = 0,
): unknown => {
  const name = path[at];
  if (name === undefined) return change(value);
  const inner = (part: unknown): unknown => changedAt(part, path, change, makes, at + 1);
  if (Array.isArray(value)) return inList(value, name, inner);
  if (isFields(value)) return inFields(value, name, inner);
  // A missing list item is not created.
  if (!makes || (value !== undefined && value !== null) || name === '*' || INDEX.test(name)) return value;
  const made = inFields({}, name, inner);
  return Object.keys(made).length === 0 ? value : made;
};

const inList = (list: readonly unknown[], name: string, inner: Change): readonly unknown[] => {
  if (name === '*') {
    const changed = list.map(inner);
    return changed.every((item, at) => item === list[at]) ? list : changed.filter((item) => item !== GONE);
  }
  if (!INDEX.test(name)) return list;
  const index = Number(name) < 0 ? list.length + Number(name) : Number(name);
  if (index < 0 || index >= list.length) return list;
  const item = inner(list[index]);
  if (item === list[index]) return list;
  return item === GONE ? list.toSpliced(index, 1) : list.with(index, item);
};

const inFields = (fields: Fields, name: string, inner: Change): Fields => {
  if (name === '*') {
    const entries = Object.entries(fields).map(([key, value]) => [key, inner(value)] as const);
    if (entries.every(([key, value]) => value === fields[key])) return fields;
    return Object.fromEntries(entries.filter(([, value]) => value !== GONE));
  }
  const before = ownOf(fields, name);
  const after = inner(before);
  if (after === before) return fields;
  if (after === GONE) return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
  return { ...fields, [name]: after };
};
