import type { AllowanceUse } from '#core/cost/allowance-use.ts';
import type { HouseCost, HouseCostStore } from '#core/cost/house-cost-store.ts';
import { allowanceKey } from '#core/ledger/use-allowance.ts';
import type { Log } from '#core/logging.ts';
import { DAY_MS } from '#core/time/spans.ts';

const AGAIN_AFTER_MS = 10_000;

/** The key of costs that are added to one row of the database. */
const sameRow = ({ channelId, kind, atMs, costNano, isEstimated = false, free }: HouseCost): string =>
  [channelId, kind, Math.floor(atMs / DAY_MS), costNano === undefined, isEstimated, sameAllowance(free)].join(
    ' ',
  );

const sameAllowance = (free: AllowanceUse | undefined): string =>
  free === undefined ? '' : [free.limit, free.besideNano === undefined, allowanceKey(free)].join(' ');

const together = (one: HouseCost, other: HouseCost): HouseCost => ({
  ...one,
  costNano: one.costNano === undefined ? undefined : one.costNano + (other.costNano ?? 0),
  calls: (one.calls ?? 1) + (other.calls ?? 1),
  ...(one.free !== undefined && { free: usedTogether(one.free, other.free) }),
});

const usedTogether = (one: AllowanceUse, other: AllowanceUse | undefined): AllowanceUse => ({
  ...one,
  amount: one.amount + (other?.amount ?? 0),
  besideNano: one.besideNano === undefined ? undefined : one.besideNano + (other?.besideNano ?? 0),
});

/**
 * A store that loses no cost while the database is unavailable: costs that could not be written are added up in
 * memory and retried. Adding never rejects. If the connection breaks during a write, that cost may be counted twice.
 */
export const patientHouseCosts = (store: HouseCostStore, log: Log): HouseCostStore => {
  let unwritten = new Map<string, HouseCost>();
  let timer: NodeJS.Timeout | undefined;

  const keep = (cost: HouseCost): void => {
    const row = sameRow(cost);
    const known = unwritten.get(row);
    unwritten.set(row, known === undefined ? cost : together(known, cost));
    timer ??= setTimeout(() => void writeKept(), AGAIN_AFTER_MS).unref();
  };
  const writeKept = async (): Promise<void> => {
    timer = undefined;
    const costs = [...unwritten.values()];
    unwritten = new Map();
    for (const cost of costs) await store.add(cost).catch(() => keep(cost));
  };

  return {
    ...store,
    add: async (cost) => {
      try {
        await store.add(cost);
      } catch (error) {
        if (unwritten.size === 0) log.error('a cost of the house could not be written yet', { error });
        keep(cost);
      }
    },
  };
};
