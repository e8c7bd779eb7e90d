import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;

/** Statements that also write must not run twice. */
const onlyReads = (text: string): boolean =>
  /^\s*(?:select|with)\s/i.test(text) && !/\b(?:insert|update|delete)\s/i.test(text);

const isBeyondExact = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_OUT_OF_RANGE';

const asNumber = (value: SQLOutputValue): SQLOutputValue =>
  typeof value === 'bigint' ? Number(value) : value;

const asNumbers = (row: Row | readonly SQLOutputValue[]): unknown =>
  Array.isArray(row)
    ? row.map(asNumber)
    : Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asNumber(value)]));

/**
 * The rows of a statement. Node throws if an integer exceeds 2^53, as sums of exact amounts may; then the nearest
 * number is returned, as for PostgreSQL's sums.
 */
export const rowsOf = (
  statement: StatementSync,
  text: string,
  parameters: readonly SQLInputValue[],
): unknown[] => {
  try {
    return statement.all(...parameters);
  } catch (thrown) {
    if (!isBeyondExact(thrown) || !onlyReads(text)) throw thrown;
  }
  statement.setReadBigInts(true);
  try {
    return statement.all(...parameters).map(asNumbers);
  } finally {
    statement.setReadBigInts(false);
  }
};
