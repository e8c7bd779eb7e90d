import type { askPrices } from '#contract/api/channels/channel-checks.ts';
import type { Data } from '#contract/endpoint.ts';
import type { call } from '../../../../lib/server/api.ts';
import { type CostRow, costRow, modelCost } from './channel-cost.ts';

/** What an upstream asks for its models, beside what the table of the channel says. */

export type Asked = Data<typeof askPrices>;
export type AskedChannel = NonNullable<NonNullable<Parameters<typeof call<typeof askPrices>>[1]>['body']>;

/** Why a price is not taken over unless somebody ticks it. */
export type Doubt = 'partial' | 'free' | 'jump';

export interface AskedRow {
  readonly row: CostRow;
  /** The row of the table now. */
  readonly now: CostRow | undefined;
  readonly isSame: boolean;
  readonly doubt: Doubt | undefined;
}

/** About tenfold: a price that becomes that much more or less is rather a mistake, or in another unit. */
const JUMP = 9.9;
/** A product shows no noise of binary fractions. */
const PLACES = 9;

/** @param times what is paid for each dollar the upstream asks */
export const askedRows = (
  prices: Asked['prices'],
  rows: readonly CostRow[],
  times: number,
): readonly AskedRow[] =>
  prices.map(({ model, cost, partial }) => {
    const now = rows.find((known) => known.model.trim() === model);
    const row = withConditions(costRow(model, scaled(cost, times)), now);
    const isSame = now !== undefined && amountsOf(now).join(' ') === amountsOf(row).join(' ');
    return { row, now, isSame, doubt: partial ? 'partial' : doubtOf(row, now) };
  });

/** What prices depend on is told by no upstream, and stays as it was entered. */
const withConditions = (row: CostRow, now: CostRow | undefined): CostRow =>
  now === undefined || !('dimensions' in now.others)
    ? row
    : { ...row, others: { ...row.others, dimensions: now.others['dimensions'] } };

/** The table with these rows, each in place of the one of its model. */
export const withTaken = (rows: readonly CostRow[], taken: readonly CostRow[]): readonly CostRow[] => {
  const left = new Map(taken.map((row) => [row.model, row]));
  const kept = rows.map((row) => {
    const model = row.model.trim();
    const next = left.get(model);
    left.delete(model);
    return next ?? row;
  });
  return [...kept.filter(({ model }) => model.trim() !== ''), ...left.values()];
};

/** The group of the upstream whose ratio counts until another is chosen. */
export const usualGroup = (groups: Asked['groups']): string =>
  groups.find(({ name }) => name === 'default')?.name ?? groups[0]?.name ?? '';

const scaled = (cost: Asked['prices'][number]['cost'], times: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(cost).flatMap(([kind, amount]) =>
      typeof amount === 'number' ? [[kind, Number((amount * times).toFixed(PLACES))]] : [],
    ),
  );

const amountsOf = (row: CostRow): readonly string[] =>
  Object.entries(modelCost(row))
    .map(([kind, amount]) => `${kind} ${JSON.stringify(amount)}`)
    .toSorted();

const mainOf = ({ input, output, call }: CostRow): number => call ?? (input ?? 0) + (output ?? 0);

const doubtOf = (row: CostRow, now: CostRow | undefined): Doubt | undefined => {
  if (mainOf(row) === 0) return 'free';
  if (now === undefined || mainOf(now) === 0) return undefined;
  if ((row.call === undefined) !== (now.call === undefined)) return 'jump';
  const change = mainOf(row) / mainOf(now);
  return Math.max(change, 1 / change) >= JUMP ? 'jump' : undefined;
};
