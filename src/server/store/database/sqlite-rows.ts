import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;

/** What also writes must not be run a second time. */
const onlyReads = (text: string): boolean =>
  /^\s*(?:select|with)\s/i.test(text) && !/\b(?:insert|update|delete)\s/i.test(text);

const isBeyondExact = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_OUT_OF_RANGE';

const asNumbers = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );

/**
 * The rows of a statement. Node throws where an integer is beyond 2^53, as sums of amounts may be that are each exact:
 * then it is the nearest number, as PostgreSQL's sums are.
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
