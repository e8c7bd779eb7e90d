import { describe, expect, it } from 'vitest';
import { askedRows, usualGroup, withTaken } from './asked-prices.ts';
import { costRow } from './channel-cost.ts';

const priced = (
  model: string,
  cost: { input: number; output: number } | { call: number },
  partial = false,
) => ({
  model,
  cost,
  partial,
});

describe('prices of an upstream beside the table of its channel', () => {
  it('are multiplied by what is paid for a dollar, without the noise of binary fractions', () => {
    const [found] = askedRows([priced('a', { input: 0.1, output: 0.7 })], [], 3);
    expect(found?.row).toMatchObject({ model: 'a', input: 0.3, output: 2.1 });
  });

  it('are the same where every amount is, whatever the order', () => {
    const rows = [costRow(' a', { output: 2, input: 1, cache_write: 3 })];
    const there = { model: 'a', cost: { cache_write: 3, input: 1, output: 2 }, partial: false };
    expect(askedRows([there], rows, 1)[0]?.isSame).toBe(true);
    expect(askedRows([{ ...there, cost: { ...there.cost, cache_write: 4 } }], rows, 1)[0]?.isSame).toBe(
      false,
    );
  });

  it.each([
    ['new', priced('b', { input: 1, output: 2 }), undefined],
    ['a little dearer', priced('a', { input: 2, output: 4 }), undefined],
    ['free', priced('a', { input: 0, output: 0 }), 'free'],
    ['ten times as dear', priced('a', { input: 10, output: 20 }), 'jump'],
    ['a tenth', priced('a', { input: 0.1, output: 0.2 }), 'jump'],
    ['by call instead of by token', priced('a', { call: 2 }), 'jump'],
    ['only a part of what it asks', priced('a', { input: 1, output: 3 }, true), 'partial'],
  ] as const)('%s', (_, there, doubt) => {
    expect(askedRows([there], [costRow('a', { input: 1, output: 2 })], 1)[0]?.doubt).toBe(doubt);
  });

  it('replace the rows of their models and leave the others', () => {
    const rows = [costRow('a ', { input: 1, output: 2 }), costRow('b', { call: 1 }), costRow('', {})];
    const next = withTaken(rows, [costRow('a', { input: 3, output: 4 }), costRow('c', { call: 2 })]);
    expect(next.map(({ model, input, call }) => [model, input ?? call])).toEqual([
      ['a', 3],
      ['b', 1],
      ['c', 2],
    ]);
  });

  it('begin with the default group of the upstream, else with its first', () => {
    expect(
      usualGroup([
        { name: 'vip', ratio: 1 },
        { name: 'default', ratio: 1 },
      ]),
    ).toBe('default');
    expect(usualGroup([{ name: 'vip', ratio: 1 }])).toBe('vip');
    expect(usualGroup([])).toBe('');
  });
});
