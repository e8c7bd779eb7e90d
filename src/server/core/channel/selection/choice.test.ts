import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Choice,
  chancesByChoice,
  choicePolicyOf,
  drawByChoice,
  moveOf,
  othersWorthMoving,
} from './choice.ts';
import type { Channel } from '../channel.ts';
import { channelOf } from '../testing/channel.ts';

const policies: readonly Choice['policy'][] = ['cheapest', 'fastest', 'least_busy', 'session'];
const scored = fc.record({
  weight: fc.integer({ min: 0, max: 4 }),
  score: fc.constantFrom(undefined, 0, 1, 2, 5),
});
const tier = fc.array(scored, { minLength: 1, maxLength: 8 });
const at = (weights: readonly number[]): Channel[] =>
  weights.map((weight, place) => channelOf(1, { id: place + 1, weight }));
const by = (policy: Choice['policy'], scores: readonly (number | undefined)[]): Choice => ({
  policy,
  scoreOf: ({ id }) => scores[id - 1],
});
const rounded = (chances: readonly number[]): number[] =>
  chances.map((chance) => Math.round(chance * 1e4) / 1e4);

describe('a choice', () => {
  it('gives the cheapest known all but one call in twenty, which the others get by weight', () => {
    const three = at([1, 3, 1]);
    expect(rounded(chancesByChoice(three, by('cheapest', [1, 2, 0.5])))).toEqual([0.0125, 0.0375, 0.95]);
    expect(rounded(chancesByChoice(three, by('cheapest', [1, 1, 2])))).toEqual([0.2375, 0.7125, 0.05]);
  });

  it('never takes a channel of unknown cost for the cheapest, not even beside the most expensive', () => {
    expect(rounded(chancesByChoice(at([1, 1]), by('cheapest', [undefined, 1e9])))).toEqual([0.05, 0.95]);
    expect(rounded(chancesByChoice(at([1, 1]), by('session', [undefined, 1e9])))).toEqual([0, 1]);
  });

  it('takes a cost of nothing for one', () => {
    expect(rounded(chancesByChoice(at([1, 1]), by('session', [0, undefined])))).toEqual([1, 0]);
  });

  it('goes by weight where nothing is known, or all are equal', () => {
    for (const policy of policies)
      for (const score of [undefined, 7])
        expect(rounded(chancesByChoice(at([3, 1, 0]), by(policy, [score, score, score])))).toEqual([
          0.75, 0.25, 0,
        ]);
  });

  it('takes times that a tenth divides for equal', () => {
    expect(rounded(chancesByChoice(at([1, 1, 1]), by('fastest', [200, 219, 221])))).toEqual([
      0.475, 0.475, 0.05,
    ]);
  });

  it('draws as often as it says, only from what it is given, and never a weight of 0 beside others', () => {
    const throws = 2000;
    fc.assert(
      fc.property(tier, fc.constantFrom(...policies), (made, policy) => {
        const channels = at(made.map(({ weight }) => weight));
        const choice = by(
          policy,
          made.map(({ score }) => score),
        );
        const chances = chancesByChoice(channels, choice);
        const taken = new Map<number, number>();
        for (let place = 0; place < throws; place += 1) {
          const { id = 0 } = drawByChoice(channels, choice, (place + 0.5) / throws) ?? {};
          taken.set(id, (taken.get(id) ?? 0) + 1);
        }
        for (const [place, { id, weight }] of channels.entries()) {
          expect(Math.abs((taken.get(id) ?? 0) / throws - (chances[place] ?? 0))).toBeLessThan(0.002);
          const isLast = weight === 0 && channels.some((other) => other.weight > 0);
          expect(isLast && taken.has(id)).toBe(false);
        }
        expect(taken.has(0)).toBe(false);
        expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
        expect(drawByChoice(channels, choice, 1 - 2 ** -53)).toBeDefined();
      }),
    );
  });

  it('gives the best known at least 95 of 100, whatever the weights are', () => {
    fc.assert(
      fc.property(tier, fc.constantFrom(...policies), (made, policy) => {
        const isEven = made.every(({ weight }) => weight === 0);
        const usable = made.filter(({ weight }) => isEven || weight > 0);
        const best = Math.min(...usable.map(({ score = Infinity }) => score));
        fc.pre(best < Infinity);
        const chances = chancesByChoice(
          at(made.map(({ weight }) => weight)),
          by(
            policy,
            made.map(({ score }) => score),
          ),
        );
        const ofBest = made.reduce(
          (sum, { score }, place) => sum + (score === best ? (chances[place] ?? 0) : 0),
          0,
        );
        expect(ofBest).toBeGreaterThanOrEqual(0.95 - 1e-9);
      }),
    );
  });
});

describe('the rule of a model', () => {
  const rules = {
    models: { 'claude-*': 'session', 'claude-haiku-*': 'fastest' },
    groups: { vip: { '*': 'cheapest', 'claude-*': 'weight' } },
  } as const;
  it.each([
    ['claude-opus', 'default', 'session'],
    ['claude-haiku-4', 'default', 'fastest'],
    ['gpt', 'default', 'weight'],
    ['gpt', 'vip', 'cheapest'],
    ['claude-opus', 'vip', 'weight'],
    ['gpt', 'constructor', 'weight'],
  ])('%s in group %s is %s', (model, group, policy) => {
    expect(choicePolicyOf(rules, model, group)).toBe(policy);
  });
});

describe('a bound session', () => {
  const [bound, other, third] = at([1, 1, 1]) as [Channel, Channel, Channel];
  const choice = (stay: number, scores: readonly (number | undefined)[]): Choice => ({
    ...by('session', scores),
    stayScoreOf: ({ id }) => (id === 1 ? stay : 30),
  });

  it('moves only where that gains more than a tenth', () => {
    expect(othersWorthMoving([bound, other], bound, choice(100, [200, 90]))).toBeUndefined();
    expect(othersWorthMoving([bound, other], bound, choice(100, [200, 89]))).toEqual([other]);
  });

  it('stays if the cost of staying or moving is unknown, or no other channel is open', () => {
    expect(othersWorthMoving([bound, other], bound, choice(100, [200, undefined]))).toBeUndefined();
    expect(othersWorthMoving([bound, other], bound, by('session', [200, 1]))).toBeUndefined();
    expect(othersWorthMoving([bound], bound, choice(100, [1]))).toBeUndefined();
  });

  it('states the cost of staying and of moving, and the part that is the cold prompt', () => {
    expect(moveOf(bound, third, choice(100, [200, 90, 50]))).toEqual({ stay: 100, move: 50, cold: 20 });
  });
});
