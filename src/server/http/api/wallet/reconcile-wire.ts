import type { z } from 'zod';
import type * as contract from '#contract/api/wallet/reconcile.ts';
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts';
import { NANO_PER_USD } from '#contract/limits.ts';
import { type ComparedList, comparedLists } from '#contract/channel/reconcile.ts';
import { type BothSums, type ComparedLine, excess } from '#core/reconcile/compare.ts';
import type { Entry, Measure, Sums } from '#core/reconcile/entry.ts';
import type { FileSpan, ReconcileResult } from '#core/reconcile/reconciliation.ts';
import { usd } from '../logs/log-csv.ts';

export type ComparedWire = Omit<z.infer<typeof contract.reconcileFile.data>, 'house'> & {
  readonly failed: number;
};

/** Of each list; the file has the others. */
const LINES_SHOWN = 1000;
const MODELS_SHOWN = 200;
const LINES_A_PIECE = 200;

const sumsWire = ({ entries, calls, input, output, cached, money, unknownMoney }: Sums) => ({
  entries,
  calls,
  input,
  output,
  cached,
  money,
  unknown_money: unknownMoney,
});
const bothWire = ({ ours, theirs }: BothSums) => ({ ours: sumsWire(ours), theirs: sumsWire(theirs) });

const sideWire = (entry: Entry | undefined) =>
  entry === undefined
    ? null
    : {
        ref: entry.ref,
        at: entry.atMs,
        calls: entry.calls ?? null,
        input: entry.input ?? null,
        output: entry.output ?? null,
        cached: entry.cached ?? null,
        money: entry.money ?? null,
      };

const lineWire = ({ ours, theirs, by }: ComparedLine) => ({
  model: (theirs ?? ours)?.model ?? '',
  by: by ?? null,
  ours: sideWire(ours),
  theirs: sideWire(theirs),
});

/** A comparison as its caller gets it. */
export const comparedWire = (
  { comparison, leftOut, outside, currency, dateOf }: ReconcileResult,
  { by, fromMs, untilMs }: FileSpan,
  failed: number,
): ComparedWire => {
  const listWire = (list: ComparedList) => ({
    count: comparison.lists[list].length,
    lines: comparison.lists[list].slice(0, LINES_SHOWN).map(lineWire),
  });
  return {
    by,
    measures: [...comparison.measures],
    currency,
    from: fromMs,
    until: untilMs,
    totals: bothWire(comparison.totals),
    lists: {
      differing: listWire('differing'),
      missing_here: listWire('missing_here'),
      missing_there: listWire('missing_there'),
      matched: listWire('matched'),
    },
    days: [...comparison.days]
      .toSorted(([one], [other]) => one - other)
      .map(([day, sums]) => ({ day: dateOf(day), at: day, ...bothWire(sums) })),
    models: [...comparison.models]
      .toSorted(([, one], [, other]) => weight(other) - weight(one))
      .slice(0, MODELS_SHOWN)
      .map(([model, sums]) => ({ model, ...bothWire(sums) })),
    left_out: { totals: leftOut.totals, empty: leftOut.empty, other_keys: leftOut.otherKeys, outside },
    failed,
  };
};

/** The models that cost most first; without money those with the most tokens. */
const weight = ({ ours, theirs }: BothSums): number =>
  Math.max(ours.money, theirs.money) || Math.max(ours.input + ours.output, theirs.input + theirs.output);

const shown = (measure: Measure, value: number | undefined): string | number => {
  if (value === undefined) return '';
  if (measure !== 'money') return value;
  // A text with a minus would be taken for a formula.
  return value < 0 ? value / NANO_PER_USD : usd(value / NANO_PER_USD);
};

const fieldsOf = (entry: Entry | undefined, measures: readonly Measure[]) =>
  measures.map((measure) => shown(measure, entry?.[measure]));

/** All lines of a comparison as a CSV file: theirs, ours, and by how much ours exceeds theirs. */
export function* comparedPieces(
  { comparison, slackOfRow, dateOf, currency }: ReconcileResult,
  only: ComparedList | undefined,
): Generator<string, void> {
  const { measures, lists, by } = comparison;
  const titles = (side: string) =>
    measures.map((measure) => `${side}_${measure === 'money' ? currency.toLowerCase() : measure}`);
  yield (
    BYTE_ORDER_MARK +
    csvLine([
      'list',
      'matched_by',
      by === 'day' ? 'day' : 'time',
      'model',
      'line',
      'request_id',
      ...titles('theirs'),
      ...titles('ours'),
      ...titles('difference'),
    ])
  );
  const timeOf = (line: ComparedLine): string => {
    const at = (line.theirs ?? line.ours)?.atMs ?? 0;
    return by === 'day' ? dateOf(at) : new Date(at).toISOString();
  };
  const lineOf = (list: ComparedList, line: ComparedLine): string => {
    const { ours, theirs } = line;
    const differences = measures.map((measure) =>
      ours === undefined || theirs === undefined
        ? ''
        : shown(measure, excess({ ours, theirs }, measure, slackOfRow)),
    );
    return csvLine([
      list,
      line.by ?? '',
      timeOf(line),
      (theirs ?? ours)?.model ?? '',
      theirs?.ref ?? '',
      ours?.ref ?? '',
      ...fieldsOf(theirs, measures),
      ...fieldsOf(ours, measures),
      ...differences,
    ]);
  };
  for (const list of comparedLists) {
    if (only !== undefined && only !== list) continue;
    const lines = lists[list];
    for (let at = 0; at < lines.length; at += LINES_A_PIECE)
      yield lines
        .slice(at, at + LINES_A_PIECE)
        .map((line) => lineOf(list, line))
        .join('');
  }
}

/** How many lines the file has. */
export const comparedRows = ({ comparison }: ReconcileResult, only: ComparedList | undefined): number =>
  comparedLists.reduce(
    (sum, list) => (only === undefined || only === list ? sum + comparison.lists[list].length : sum),
    0,
  );
