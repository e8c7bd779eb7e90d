import { expect, it } from 'vitest';
import type { Statement } from '#contract/api/wallet/statements.ts';
import { statementFile } from './statement-csv.ts';
import { statementPaper } from './statement-pdf.ts';

const moved = (kind: string, units: number) => ({ kind, count: 1, in_units: units, out_units: 0 });
const ACCOUNT: Statement = {
  month: '2026-10',
  user_id: 1,
  token_id: 0,
  name: 'alice',
  issued_at: 0,
  opening_units: 1,
  closing_units: 1 + 10 + 100 - 4,
  movements: [moved('grant', 10), moved('redeem', 100)],
  models: [],
  tokens: [],
  charged_units: 4,
  late: [],
  late_units: 0,
  late_moved_units: 0,
  charged_before_units: 0,
  charged_after_units: 4,
  // A unit has decimals without an end: 0.000142857…
  units_per_dollar: 7000,
};

const paperOf = async (statement: Statement): Promise<string> => {
  const reader = { language: 'en', siteName: 'Site', quotaPerUnit: 500_000 } as const;
  const pieces = await Array.fromAsync(statementPaper({ statement, sha256: '' }, reader).pieces());
  return pieces.map(String).join('');
};

it('the dollars of a statement on paper add up to the last of them, whatever a unit is worth', async () => {
  const shown = [...(await paperOf(ACCOUNT)).matchAll(/\((-?\d\.\d+)\) Tj/g)].map(([, amount]) =>
    Number(amount),
  );
  expect(shown).toHaveLength(5);
  const closing = shown.pop();
  expect(closing).toBe(0.015286);
  expect(Math.round(shown.reduce((sum, one) => sum + one, 0) * 1e6)).toBe(15_286);
});

it('the file of a token says that it is one, and what that was charged before and after', async () => {
  const token = {
    ...ACCOUNT,
    token_id: 7,
    name: 'laptop',
    opening_units: null,
    closing_units: null,
    movements: [],
  };
  const file = statementFile({
    statement: { ...token, charged_before_units: 5, charged_after_units: 9 },
    sha256: 'ab',
  });
  expect((await Array.fromAsync(file.pieces())).join('').split('\r\n').slice(2)).toEqual([
    'token,laptop,,,,',
    'sha256,ab,,,,',
    'charged_before,,,,,5',
    'charged_after,,,,,9',
    '',
  ]);
});
