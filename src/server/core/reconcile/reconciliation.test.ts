import { expect, it } from 'vitest';
import { AppError } from '../error.ts';
import { Reconciliation, type ReconcileAsked } from './reconciliation.ts';

/** What a whole file comes to, and why one is refused. */

const asked: ReconcileAsked = { zone: 'UTC', windowMs: 60_000, currency: 'USD', rates: {} };
const TITLES = 'created_at,model,prompt_tokens,completion_tokens,cost';
const compare = (lines: readonly string[], more: Partial<ReconcileAsked> = {}, titles = TITLES) => {
  const reconciliation = new Reconciliation({ ...asked, ...more });
  reconciliation.addPiece(Buffer.from([titles, ...lines].join('\n')));
  const span = reconciliation.endFile();
  return { ...reconciliation.compare(), span };
};
/** Code, reason and line of the error. */
const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (thrown) {
    return thrown instanceof AppError ? [thrown.code, thrown.reason, thrown.values?.['line']] : thrown;
  }
};
const ROW = '2026-03-10T08:00:00Z,m,1,2,1';

it.each([
  ['a number of two readings', [ROW, '2026-03-10T08:00:00Z,m,"1.234,56",2,1'], 'reconcile_bad_number', 3, {}],
  ['NaN', ['2026-03-10T08:00:00Z,m,NaN,2,1'], 'reconcile_bad_number', 2, {}],
  ['half a token', ['2026-03-10T08:00:00Z,m,1.5,2,1'], 'reconcile_bad_number', 2, {}],
  ['an amount beyond reason', ['2026-03-10T08:00:00Z,m,1,2,1e9'], 'reconcile_bad_number', 2, {}],
  ['no time', ['soon,m,1,2,1'], 'reconcile_bad_time', 2, {}],
  ['amounts without a time', [ROW, ',m,1,2,1'], 'reconcile_bad_time', 3, {}],
  ['an open quote', [ROW, '"x,m'], 'reconcile_open_quote', 3, {}],
  ['titles only', [], 'reconcile_no_rows', undefined, {}],
  ['no title of time', [ROW], 'reconcile_no_time', undefined, { columns: { cost: ['cost'] } }],
  ['no title of amounts', [ROW], 'reconcile_no_amounts', undefined, { columns: { time: ['created_at'] } }],
  ['binary', ['\0\0'], 'reconcile_not_text', undefined, {}],
  ['two far days', [ROW, '2020-01-01T00:00:00Z,m,1,2,1'], 'reconcile_span', undefined, {}],
  ['days as calls', ['2026-03-10,m,1,2,1'], 'reconcile_only_days', undefined, { by: 'call' as const }],
  ['a column it lacks', [ROW], 'reconcile_no_column', undefined, { columns: { time: ['when'] } }],
  ['dates of either order', ['01/02/2026 08:00,m,1,2,1'], 'reconcile_date_order', undefined, {}],
  [
    'more than can be counted exactly',
    Array.from({ length: 20 }, () => '2026-03-10T08:00:00Z,m,1,2,1000000'),
    'reconcile_large_sums',
    11,
    {},
  ],
])('%s is refused with its line', (_, lines, reason, line, more) => {
  expect(refusal(() => compare(lines, more))).toEqual(['invalid_request', reason, line]);
});

it('refunds, duplicates and rows with an empty amount count as they stand, and rows of sums do not', () => {
  const { comparison, leftOut } = compare([
    ROW,
    ROW,
    '2026-03-10T09:00:00Z,m,0,0,-0.25',
    '2026-03-10T10:00:00Z,m,,,',
    'Total,,2,4,1.75',
  ]);
  expect(comparison.lists.missing_here).toHaveLength(3);
  expect(comparison.totals.theirs).toMatchObject({ input: 2, output: 4, money: 1_750_000_000 });
  expect(leftOut).toEqual({ totals: 1, otherKeys: 0, empty: 1 });
});

it('an empty column says nothing, and an empty cell is not 0', () => {
  const rows = ['2026-03-10T08:00:00Z,m,1,,', '2026-03-10T08:00:00Z,m,,,2'];
  const { comparison } = compare(rows);
  expect(comparison.measures).toEqual(['input', 'money']);
  expect(comparison.lists.missing_here.map(({ theirs }) => [theirs?.input, theirs?.money])).toEqual([
    [undefined, 2e9],
    [1, undefined],
  ]);
});

it('a bill with one amount a row adds up to days', () => {
  const { comparison, span } = compare(
    [
      'u,20260310,deepseek-chat,k,input_cache_hit_tokens,0.02,1000',
      'u,20260310,deepseek-chat,k,input_cache_miss_tokens,0.2,500',
      'u,20260310,deepseek-chat,k,output_tokens,0.3,70',
      'u,20260310,deepseek-chat,k,request_count,,3',
    ],
    {},
    'user_id,utc_date,model,api_key_name,type,price,amount',
  );
  expect(span.by).toBe('day');
  expect(comparison.lists.missing_here).toHaveLength(1);
  expect(comparison.totals.theirs).toMatchObject({ calls: 3, input: 1500, output: 70, cached: 1000 });
});
