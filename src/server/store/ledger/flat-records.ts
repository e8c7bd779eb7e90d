/** What crosses to another thread as it is. */
export type Plain = string | number | boolean | null | undefined;

/**
 * Every field of a record, named once for both ends: `plain` crosses as it is, a record inside is spelled the same way,
 * `maybe` marks one that may be missing, and `stays` one that does not cross. A field left out, one too many or one of
 * another kind does not compile; their order is nobody's business, because writing and reading are made of one list.
 */
export type Fields<Of> = { readonly [Key in keyof Of]-?: Field<Of[Key]> };

type Field<Value> = [Value] extends [Plain]
  ? 'plain'
  : undefined extends Value
    ? 'stays' | { readonly maybe: Fields<NonNullable<Value>> }
    : Fields<Value>;

type AnyField = 'plain' | 'stays' | { readonly maybe: AnyFields } | AnyFields;
interface AnyFields {
  readonly [name: string]: AnyField;
}

/** Where reading has come to. */
interface Cursor {
  at: number;
}

export interface FlatRecord<Of> {
  /** Appends the record's values. */
  readonly write: (into: Plain[], record: Of) => void;
  /** Reads the values from `cursor.at` on and moves it behind them. */
  readonly read: (from: readonly unknown[], cursor: Cursor) => Of;
}

const isMaybe = (field: AnyFields): field is { readonly maybe: AnyFields } => typeof field.maybe === 'object';

/** The fields that cross, plain ones first: both texts walk in this order. */
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
 * Writes and reads records of one shape as values in a row. Both functions are made as text, once, out of names that
 * stand in our own files: reading each field by its name in a loop takes four times as long, and every call passes here.
 */
export const flatRecord = <Of>(fields: Fields<Of>): FlatRecord<Of> => {
  const shape = fields as unknown as AnyFields;
  const read = `let at = cursor.at; const record = ${readText(shape)}; cursor.at = at; return record;`;
  // oxlint-disable typescript/no-implied-eval -- The text is made of names the compiler checked; nothing comes from outside.
  return {
    write: new Function('into', 'record', writeText(shape, 'record')) as FlatRecord<Of>['write'],
    read: new Function('from', 'cursor', read) as FlatRecord<Of>['read'],
  };
};

/** The values of a row in the order of `columns`, taken by their names. Made as text for the same reason. */
export const valuesOf = <Row>(columns: readonly (keyof Row & string)[]): ((row: Row) => Row[keyof Row][]) =>
  // oxlint-disable-next-line typescript/no-implied-eval -- As above.
  new Function('row', `return [${columns.map((column) => `row.${column}`).join(', ')}]`) as (
    row: Row,
  ) => Row[keyof Row][];
