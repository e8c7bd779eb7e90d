import { expect, it } from 'vitest';
import { statementsInOrder, unprovenLate } from './statements-in-order.ts';
import { statementOf } from './testing/sealed-months.ts';

const of = (month: string, opening: number, closing: number, charged = 0, user = 1) => ({
  ...statementOf(user, [], [], month),
  opening_units: opening,
  closing_units: closing,
  charged_before_units: charged,
  charged_after_units: charged,
});

it.each([
  ['that go on from each other', [of('2026-02', 5, 6), of('2026-01', 3, 5)], [], []],
  ['over the end of a year', [of('2025-12', 1, 2), of('2026-01', 2, 3)], [], []],
  ['the same twice', [of('2026-01', 1, 2), of('2026-01', 1, 2)], [], []],
  ['another balance', [of('2026-01', 3, 5), of('2026-02', 6, 6)], ['the balance is 5 units'], []],
  ['another sum', [of('2026-01', 3, 5, 9), of('2026-02', 5, 6, 8)], ['all that was ever charged is 9'], []],
  ['two of one month', [of('2026-01', 3, 5), of('2026-01', 3, 6)], ['two statements of 2026-01 differ'], []],
  ['of two accounts', [of('2026-01', 3, 5), of('2026-02', 5, 5, 0, 2)], ['of several accounts'], []],
  ['with a month missing', [of('2026-01', 3, 5), of('2026-03', 9, 9)], [], ['between 2026-01 and 2026-03']],
])('statements %s are told', (_, statements, problems, notes) => {
  const found = statementsInOrder(statements);
  expect(found.problems).toEqual(problems.map((problem) => expect.stringContaining(problem) as string));
  expect(found.notes).toEqual(notes.map((note) => expect.stringContaining(note) as string));
});

/** A month with late charges and late movements, and what its own receipts show to have come late. */
const month = (name: string, lateUnits: number, units: number | undefined, lateMoved = 0, outUnits = 0) => ({
  statement: { ...of(name, 0, 0), late_units: lateUnits, late_moved_units: lateMoved },
  late: { units, outUnits },
});

it.each([
  ['all in the month before', [month('2026-01', 0, 30), month('2026-02', 30, 0)], []],
  ['in two months before', [month('2026-01', 0, 30), month('2026-02', 20, 5), month('2026-03', 15, 0)], []],
  ['deleted in the month before', [month('2026-01', 0, undefined), month('2026-02', 999, 0)], []],
  ['of months that are not given', [month('2026-02', 999, 0)], []],
  ['made up', [month('2026-02', 40, 0), month('2026-01', 0, 30)], ['10 units of late charges of 2026-02']],
  [
    'charged twice',
    [month('2026-01', 0, 30), month('2026-02', 30, 0), month('2026-03', 30, 0)],
    ['30 units of late charges of 2026-03'],
  ],
  ['money that left late, as it did', [month('2026-01', 0, 0, 0, -7), month('2026-02', 0, 0, -7)], []],
  [
    'money that never left',
    [month('2026-01', 0, 0, 0, -7), month('2026-02', 0, 0, -9)],
    ['2 units that left late in 2026-02'],
  ],
])('late charges that are %s', (_, months, notes) => {
  expect(unprovenLate(months)).toEqual(notes.map((note) => expect.stringContaining(note) as string));
});
