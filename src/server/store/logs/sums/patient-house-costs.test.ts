import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { AllowanceUse } from '#core/cost/allowance-use.ts';
import type { HouseCost, HouseCostStore } from '#core/cost/house-cost-store.ts';
import { patientHouseCosts } from './patient-house-costs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const open = () => {
  const written: HouseCost[] = [];
  const errors: string[] = [];
  const state = { isAway: false };
  const store: HouseCostStore = {
    add: async (cost) => {
      if (state.isAway) throw new Error('no database');
      written.push(cost);
    },
    days: async () => [],
  };
  const log = {
    info: () => undefined,
    warn: () => undefined,
    error: (text: string) => void errors.push(text),
  };
  return { costs: patientHouseCosts(store, log), written, errors, state };
};

const cost = (more: Partial<HouseCost> = {}): HouseCost => ({
  channelId: 1,
  kind: 'attempt',
  atMs: 86_400_000 * 100 + 5,
  costNano: 7,
  ...more,
});

const free: AllowanceUse = {
  day: 100,
  channelId: 1,
  keyId: 0,
  unit: 'tokens',
  name: 'a',
  amount: 120,
  limit: 1000,
  besideNano: 2,
};

it('costs that could not be written are written once the database is back, each once', async () => {
  const { costs, written, errors, state } = open();
  state.isAway = true;
  await costs.add(cost());
  await costs.add(cost({ costNano: 5 }));
  await costs.add(cost({ costNano: undefined }));
  await costs.add(cost({ isEstimated: true }));
  await costs.add(cost({ channelId: 2, calls: 3 }));
  await costs.add(cost({ free }));
  await costs.add(cost({ free: { ...free, amount: 30 } }));
  await costs.add(cost({ free: { ...free, name: 'other' } }));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([]);
  expect(errors).toHaveLength(1);
  state.isAway = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toEqual([
    cost({ costNano: 12, calls: 2 }),
    cost({ costNano: undefined }),
    cost({ isEstimated: true }),
    cost({ channelId: 2, calls: 3 }),
    cost({ costNano: 14, calls: 2, free: { ...free, amount: 150, besideNano: 4 } }),
    cost({ free: { ...free, name: 'other' } }),
  ]);
  await costs.add(cost());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(written).toHaveLength(7);
});
