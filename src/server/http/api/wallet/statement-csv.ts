import type { Statement } from '#contract/api/wallet/statements.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import type { IssuedStatement } from '#core/wallet/statement-store.ts';
import type { Download } from '../../handler.ts';

type Line = readonly (string | number)[];
type Used = Statement['models'][number] | Statement['tokens'][number];

const HEAD = ['part', 'name', 'count', 'prompt_tokens', 'completion_tokens', 'units'] as const;

const usedLine = (part: string, name: string, line: Used): Line => [
  part,
  name,
  line.calls,
  line.prompt_tokens,
  line.completion_tokens,
  line.units,
];

const balance = (part: string, units: number | null): Line[] =>
  units === null ? [] : [[part, '', '', '', '', units]];

const ownerOf = ({ token_id: token, tag }: Statement): 'account' | 'token' | 'tag' => {
  if (tag !== undefined) return 'tag';
  return token === 0 ? 'account' : 'token';
};

/** A token or a tag has no balance, only what it was charged in all. */
const isWhole = ({ opening_units: opening }: Statement): boolean => opening !== null;

/** Usage is never negative; movements can be: `charge` and `late_charge` are subtracted from the balance. */
const linesOf = ({ statement, sha256 }: IssuedStatement): Line[] => [
  HEAD,
  ['statement', `${statement.month} UTC`, '', '', '', ''],
  [ownerOf(statement), statement.name, '', '', '', ''],
  ['sha256', sha256, '', '', '', ''],
  ...balance('opening', statement.opening_units),
  ...balance('charged_before', isWhole(statement) ? null : statement.charged_before_units),
  ...statement.movements.flatMap(({ kind, count, in_units, out_units }): Line[] => [
    ['movement', kind, count, '', '', in_units + out_units],
  ]),
  ...balance('late_movement', statement.late_moved_units === 0 ? null : statement.late_moved_units),
  ...statement.models.map((line) => usedLine('charge', line.model, line)),
  ...statement.late.map((line) => usedLine('late_charge', line.model, line)),
  ...balance('closing', statement.closing_units),
  ...balance('charged_after', isWhole(statement) ? null : statement.charged_after_units),
  ...statement.tokens.map((line) => usedLine('of_token', line.name, line)),
];

/** A statement as a CSV file. */
export const statementFile = (issued: IssuedStatement): Download => {
  const lines = linesOf(issued);
  return {
    fileName: `statement-${issued.statement.month}.csv`,
    contentType: 'text/csv; charset=utf-8',
    rows: lines.length - 1,
    async *pieces() {
      yield await Promise.resolve(BYTE_ORDER_MARK + lines.map(csvLine).join(''));
    },
  };
};
