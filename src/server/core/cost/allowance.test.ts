import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ChannelCost, channelCost } from '#contract/channel/channel-cost.ts';
import { noUsage } from '../chat/usage.ts';
import { costOfUse } from './allowance.ts';
import { type AllowanceUse, costBeyond, freeOf } from './allowance-use.ts';
import type { Bought } from './bought.ts';

// 3 US dollars for a million in, 15 out.
const catalogue = {
  find: (model: string) => (model === 'dear' ? { modelRatio: 1.5, completionRatio: 5 } : undefined),
};
const sources = { catalogue, rates: {} };
const NOON_MS = Date.UTC(2026, 2, 29, 12);
const bought = (changes: Partial<Bought> = {}): Bought => ({
  model: 'dear',
  usage: { ...noUsage, inputTokens: 100, outputTokens: 20 },
  service: {},
  times: 1,
  atMs: NOON_MS,
  ...changes,
});
const costed = (cost: object, changes: Partial<Bought> = {}, keyId = 0) =>
  costOfUse(
    { id: 12, keyId, setting: { cost: channelCost.parse(cost) as ChannelCost } },
    sources,
    bought(changes),
  );
const free = (allowance: object, changes: Partial<Bought> = {}, keyId = 0): AllowanceUse | undefined =>
  costed(
    { factor: 1, allowances: [{ name: 'a', models: ['dear'], of: 'tokens', amount: 1000, ...allowance }] },
    changes,
    keyId,
  ).free;

/** Settles uses in order, each at a cost, and gives what they cost together. */
const settled = (
  uses: readonly (readonly [AllowanceUse, number])[],
): { readonly cost: number; readonly given: number } => {
  let given = 0;
  let cost = 0;
  for (const [use, costNano] of uses) {
    const now = freeOf(use, given);
    given += now;
    cost += costBeyond(use, costNano, now) ?? Number.NaN;
  }
  return { cost, given };
};

describe('of a free allowance', () => {
  const template = free({}) as AllowanceUse;
  const nat = (max: number) => fc.nat({ max });

  it('tokens of one price cost, in any order, what is beyond it, to the billionth', () => {
    fc.assert(
      fc.property(
        nat(60_000),
        fc.array(nat(5000), { maxLength: 40 }),
        nat(30_000),
        (price, amounts, limit) => {
          const uses = amounts.map((amount) => [{ ...template, amount, limit }, amount * price] as const);
          const all = amounts.reduce((sum, amount) => sum + amount, 0);
          const { cost, given } = settled(uses);
          expect(given).toBe(Math.min(all, limit));
          expect(cost).toBe(Math.max(0, all - limit) * price);
          expect(settled(uses.toReversed())).toEqual({ cost, given });
        },
      ),
    );
  });

  it('dollars cost, in any order and at any prices, what is beyond them, to the billionth', () => {
    fc.assert(
      fc.property(fc.array(nat(2 ** 31 - 1), { maxLength: 40 }), nat(2 ** 31 - 1), (costs, limit) => {
        const uses = costs.map(
          (cost) => [{ ...template, unit: 'dollars', amount: cost, limit } as const, cost] as const,
        );
        const all = costs.reduce((sum, cost) => sum + cost, 0);
        const { cost } = settled(uses);
        expect(cost).toBe(Math.max(0, all - limit));
        expect(settled(uses.toReversed()).cost).toBe(cost);
      }),
    );
  });

  it('a call never costs more than without it, less than nothing, or less than what it does not cover', () => {
    fc.assert(
      fc.property(
        nat(10 ** 9),
        nat(10 ** 9),
        nat(10 ** 6),
        nat(10 ** 6),
        (tokensNano, besideNano, amount, given) => {
          const use = { ...template, amount: amount + 1, limit: 500_000, besideNano };
          const cost = costBeyond(use, tokensNano + besideNano, freeOf(use, given)) ?? Number.NaN;
          expect(cost).toBeGreaterThanOrEqual(besideNano);
          expect(cost).toBeLessThanOrEqual(tokensNano + besideNano);
        },
      ),
    );
  });

  it('the largest amounts are divided exactly, and rounded once, half up', () => {
    expect([1, 2, 3, 5].map((cost) => costBeyond({ ...template, amount: 2 }, cost, 1))).toEqual([1, 1, 2, 3]);
    const use = { ...template, amount: 300_000_000, limit: 299_999_999 };
    expect(costBeyond(use, 100_000_000_000_000, freeOf(use, 0))).toBe(333_333);
  });
});

describe('a call uses a free allowance', () => {
  it('by its tokens, as one call, or by what it would have cost', () => {
    expect(free({})).toMatchObject({ unit: 'tokens', amount: 120, limit: 1000, besideNano: 0 });
    expect(free({ of: 'calls' })).toMatchObject({ unit: 'calls', amount: 1, limit: 1000 });
    expect(free({ of: 'dollars', amount: 2.5 })).toMatchObject({ amount: 600_000, limit: 2_500_000_000 });
    expect(free({}, { usage: noUsage })).toBeUndefined();
  });

  it('of the first one that names its model, as the upstream calls it', () => {
    const list = [
      { name: 'minis', models: ['gpt-*-mini'], of: 'tokens', amount: 5 },
      { name: 'all', models: ['gpt-*', 'o3'], of: 'calls', amount: 5 },
    ];
    const nameOf = (model: string) => costed({ allowances: list }, { model }).free?.name;
    expect(['gpt-5-mini', 'gpt-5', 'o3', 'o3-pro'].map(nameOf)).toEqual(['minis', 'all', 'all', undefined]);
  });

  it('of its channel, of its key, or of all channels that share it', () => {
    expect(free({}, {}, 7)).toMatchObject({ channelId: 12, keyId: 0 });
    expect(free({ by: 'key' }, {}, 7)).toMatchObject({ channelId: 12, keyId: 7 });
    expect(free({ by: 'name' }, {}, 7)).toMatchObject({ channelId: 0, keyId: 0 });
  });

  it('which of tokens does not pay for the tools that the upstream ran', () => {
    const usage = { ...noUsage, inputTokens: 100, toolCalls: { web_search: 1 } };
    const { costNano, free: use } = costed(
      { factor: 1, allowances: [{ name: 'a', models: ['*'], of: 'tokens', amount: 1000 }] },
      { usage },
    );
    expect(costNano).toBeGreaterThan(300_000);
    expect(use?.besideNano).toBe((costNano ?? 0) - 300_000);
    const unknown = costed(
      { allowances: [{ name: 'a', models: ['*'], of: 'tokens', amount: 1000 }] },
      { usage },
    );
    expect(unknown.free && costBeyond(unknown.free, unknown.costNano, 100)).toBeUndefined();
  });

  it('in part, at a cost that is unknown as long as that of the call or of its tools is', () => {
    const use = { ...(free({}) as AllowanceUse), amount: 100 };
    expect(costBeyond({ ...use, besideNano: 0 }, undefined, 40)).toBeUndefined();
    expect(costBeyond({ ...use, besideNano: undefined }, 5000, 40)).toBeUndefined();
    expect(costBeyond({ ...use, besideNano: 0 }, 5000, 40)).toBe(3000);
  });

  it.each([
    ['UTC', '2026-03-29T00:30:00Z', '2026-03-29'],
    ['America/Los_Angeles', '2026-03-29T06:59:59Z', '2026-03-28'],
    ['America/Los_Angeles', '2026-03-29T07:00:00Z', '2026-03-29'],
    // Twenty-three hours, then twenty-five.
    ['Europe/Berlin', '2026-03-28T22:59:59Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
    ['Asia/Kathmandu', '2025-12-31T18:15:00Z', '2026-01-01'],
    ['Pacific/Kiritimati', '2026-02-28T10:00:00Z', '2026-03-01'],
  ])('of the day on which it began, on the clock of %s: %s is on %s', (zone, at, day) => {
    expect(free({ zone }, { atMs: Date.parse(at) })?.day).toBe(Date.parse(day) / 86_400_000);
  });
});

it.each([
  [{ amount: 0 }],
  [{ amount: 1.5 }],
  [{ amount: 2e12 }],
  [{ of: 'dollars', amount: 2e6 }],
  [{ of: 'words' }],
  [{ models: [] }],
  [{ models: ['a*b*c*d*e*f'] }],
  [{ zone: 'Europe/Nowhere' }],
  [{ by: 'user' }],
  [{ name: ' ' }],
  [{ name: 'a\0' }],
  [{ name: '\uD800' }],
  [{ more: 1 }],
])('an allowance is refused with %o', (changes) => {
  const good = { name: 'a', models: ['m'], of: 'tokens', amount: 5 };
  expect(channelCost.safeParse({ allowances: [good] }).success).toBe(true);
  expect(channelCost.safeParse({ allowances: [{ ...good, ...changes }] }).success).toBe(false);
  expect(channelCost.safeParse({ allowances: [good, { ...good, of: 'calls' }] }).success).toBe(false);
});
