import type { ChoicePolicy } from '#contract/channel/choice.ts';
import type { BelowCostRule } from '#contract/options/cost.ts';

/** A choice in a cell. */
export type CellWord = ChoicePolicy | BelowCostRule | 'yes' | 'no' | 'pass' | 'strip' | 'refuse';

/** The words above the columns: `column.<name>` in `settings.json`. */
export type ColumnName =
  | 'name'
  | 'ratio'
  | 'text'
  | 'address'
  | 'number'
  | 'total'
  | 'succeeded'
  | 'route'
  | 'slug'
  | 'asked'
  | 'model'
  | 'minutes'
  | 'group'
  | 'policy'
  | 'deadline'
  | 'hedge'
  | 'firstByte'
  | 'firstEvent'
  | 'wholeReply'
  | 'idle'
  | 'description'
  | 'content'
  | 'date'
  | 'question'
  | 'answer'
  | 'userGroup'
  | 'usedGroup'
  | 'terms'
  | 'rule'
  | 'dollars'
  | 'currency'
  | 'since'
  | 'code'
  | 'colour'
  | 'header';

/** How a JSON option is shown as a table: rows of texts, and back. */
export interface JsonShape {
  readonly columns: readonly ColumnName[];
  /** How many of the first columns identify a row; only the first of them is required. Default 1. */
  readonly nameColumns?: number;
  /** Columns with a fixed list of choices; their texts are `cell.<choice>`. */
  readonly choices?: Readonly<Partial<Record<ColumnName, readonly CellWord[]>>>;
  /** Undefined if the value does not have this shape. */
  readonly read: (value: unknown) => string[][] | undefined;
  readonly write: (rows: readonly (readonly string[])[]) => unknown;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isScalar = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** Invalid numbers stay strings; the option's own validation then reports their place. */
export const numberOf = (text: string): number | string =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;

export const map = (columns: JsonShape['columns'], toValue: (text: string) => unknown): JsonShape => ({
  columns,
  read: (value) => {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return entries.every(([, one]) => isScalar(one))
      ? entries.map(([name, one]) => [name, String(one)])
      : undefined;
  },
  write: (rows) => Object.fromEntries(rows.map(([name = '', text = '']) => [name, toValue(text)])),
});

export const names: JsonShape = {
  columns: ['name'],
  read: (value) =>
    Array.isArray(value) && value.every(isScalar) ? value.map((one) => [String(one)]) : undefined,
  write: (rows) => rows.map(([name = '']) => name),
};

/** A list of objects whose fields are texts; those in `mayMiss` are left out while they are empty. */
export const list = (
  fields: Readonly<Record<string, ColumnName>>,
  mayMiss: readonly string[] = [],
): JsonShape => {
  const entries = Object.entries(fields);
  return {
    columns: entries.map(([, column]) => column),
    read: (value) => {
      // An option that was never set counts as an empty object.
      if (isObject(value) && Object.keys(value).length === 0) return [];
      if (!Array.isArray(value) || !value.every(isObject)) return undefined;
      const isKnown = value.every((one) =>
        Object.entries(one).every(([name, text]) => name in fields && typeof text === 'string'),
      );
      if (!isKnown) return undefined;
      const texts = value as readonly Readonly<Record<string, string>>[];
      return texts.map((one) => entries.map(([name]) => one[name] ?? ''));
    },
    write: (rows) =>
      rows.map((row) =>
        Object.fromEntries(
          entries
            .map(([name], at) => [name, row[at] ?? ''] as const)
            .filter(([name, text]) => text !== '' || !mayMiss.includes(name)),
        ),
      ),
  };
};

/** Objects by name, whose own fields are the second column. An empty object cannot be shown as rows. */
export const nested = (columns: JsonShape['columns'], toValue: (text: string) => unknown): JsonShape => ({
  columns,
  nameColumns: 2,
  read: (value) => {
    if (!isObject(value)) return undefined;
    const rows = Object.entries(value).map(([name, one]) => {
      const own = isObject(one) ? Object.entries(one) : [];
      return own.every(([, inner]) => isScalar(inner))
        ? own.map(([second, inner]) => [name, second, String(inner)])
        : [];
    });
    return rows.every((own) => own.length > 0) ? rows.flat() : undefined;
  },
  write: (rows) => {
    const names = [...new Set(rows.map(([name = '']) => name))];
    const own = (of: string) => rows.filter(([name]) => name === of);
    return Object.fromEntries(
      names.map((name) => [
        name,
        Object.fromEntries(own(name).map(([, second = '', text = '']) => [second, toValue(text)])),
      ]),
    );
  },
});
