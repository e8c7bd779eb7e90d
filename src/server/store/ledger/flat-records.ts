/** A value that is sent to another thread as it is. */
export type Plain = string | number | boolean | null | undefined;

/**
 * Every field of a record, named once for both ends: `plain` is sent as it is, a nested record is described in the same
 * way, `maybe` marks a field that may be missing, and `stays` one that is not sent. A missing field, an extra one or
 * one of another kind does not compile. The order does not matter, because writing and reading use the same list.
 */
export type RecordFields<Of> = { readonly [Key in keyof Of]-?: Field<Of[Key]> };

type Field<Value> = [Value] extends [Plain]
  ? 'plain'
  : undefined extends Value
    ? 'stays' | { readonly maybe: RecordFields<NonNullable<Value>> }
    : RecordFields<Value>;

type AnyField = 'plain' | 'stays' | { readonly maybe: AnyFields } | AnyFields;
interface AnyFields {
  readonly [name: string]: AnyField;
}

/** The current reading position. */
interface Cursor {
  at: number;
}

export interface FlatRecord<Of> {
  /** Appends the record's values. */
  readonly write: (into: Plain[], record: Of) => void;
  /** Reads the values from `cursor.at` on and advances the cursor. */
  readonly read: (from: readonly unknown[], cursor: Cursor) => Of;
}

const isMaybe = (field: AnyFields): field is { readonly maybe: AnyFields } => typeof field.maybe === 'object';

/** The fields that are sent, plain ones first: both generated functions use this order. */
const partsOf = (fields: AnyFields) => {
  const plain = Object.keys(fields).filter((name) => fields[name] === 'plain');
  const inner = Object.entries(fields).flatMap(([name, field]) =>
    typeof field === 'string' ? [] : [{ name, field }],
  );
  return { plain, inner };
};

const writeText = (fields: AnyFields, record: string): string => {
  const { plain, inner } = partsOf(fields);
  const texts = inner.map(({ name, field }) => {
    const value = `${record}.${name}`;
    return isMaybe(field)
      ? `into.push(${value} !== undefined); if (${value} !== undefined) { ${writeText(field.maybe, value)} }`
      : writeText(field, value);
  });
  return [`into.push(${plain.map((name) => `${record}.${name}`).join(', ')});`, ...texts].join('\n');
};

const readText = (fields: AnyFields): string => {
  const { plain, inner } = partsOf(fields);
  const texts = inner.map(({ name, field }) =>
    isMaybe(field)
      ? `${name}: from[at++] ? ${readText(field.maybe)} : undefined`
      : `${name}: ${readText(field)}`,
  );
  return `{ ${[...plain.map((name) => `${name}: from[at++]`), ...texts].join(', ')} }`;
};

/**
 * Writes and reads records of one shape as consecutive values. Both functions are generated once as source text from
 * names in our own files, because reading each field by name in a loop takes four times as long, and every call comes
 * through here.
 */
export const flatRecord = <Of>(fields: RecordFields<Of> & AnyFields): FlatRecord<Of> => {
  const read = `let at = cursor.at; const record = ${readText(fields)}; cursor.at = at; return record;`;
  // oxlint-disable typescript/no-implied-eval -- The text is made of names the compiler checked; nothing comes from outside.
  return {
    write: new Function('into', 'record', writeText(fields, 'record')) as FlatRecord<Of>['write'],
    read: new Function('from', 'cursor', read) as FlatRecord<Of>['read'],
  };
};

/** A row's values in the order of `columns`, read by name. Generated as source text for the same reason. */
export const valuesOf = <Row>(columns: readonly (keyof Row & string)[]): ((row: Row) => Row[keyof Row][]) =>
  // oxlint-disable-next-line typescript/no-implied-eval -- As above.
  new Function('row', `return [${columns.map((column) => `row.${column}`).join(', ')}]`) as (
    row: Row,
  ) => Row[keyof Row][];
