import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ComparedLine, Comparison, ComparisonRule } from './compare.ts';
import { compareSides } from './compare.ts';
import { type Entry, measures, noSums, type Sums, addEntry } from './entry.ts';

/** Comparisons of an upstream's file with calls: nothing is lost, counted twice, or decided by the order of rows. */

const DAY_MS = 86_400_000;
const models = ['gpt-4o', 'gpt-4o-2024-08-06', 'claude-sonnet-4', ''];
/** Few values, so that many entries are alike and near each other. */
const entry = (side: string) =>
  fc
    .record({
      atMs: fc.integer({ min: 0, max: 40 }).map((step) => step * 10_000),
      lastMs: fc.constantFrom(0, 0, 30_000),
      model: fc.constantFrom(...models),
      id: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      input: fc.option(fc.integer({ min: -1, max: 2 }), { nil: undefined }),
      output: fc.integer({ min: 0, max: 2 }),
      money: fc.option(fc.integer({ min: -5, max: 1_000_000 }), { nil: undefined }),
    })
    .map(({ atMs, lastMs, ...rest }): Entry => {
      const untilMs = side === 'ours' ? atMs + lastMs : atMs;
      return { ...rest, ref: '', atMs, untilMs, calls: 1, cached: 0, rows: 1 };
    });
const numbered = (entries: readonly Entry[]): Entry[] =>
  entries.map((one, at) => ({ ...one, ref: String(at) }));
const sides = fc.record({
  ours: fc.array(entry('ours'), { maxLength: 25 }).map(numbered),
  theirs: fc.array(entry('theirs'), { maxLength: 25 }).map(numbered),
  by: fc.constantFrom('call' as const, 'day' as const),
  stated: fc.subarray([...measures]),
  windowMs: fc.constantFrom(0, 5000, 60_000),
});
const ruleOf = (of: Pick<ComparisonRule, 'by' | 'windowMs'>, stated: ComparisonRule['measures']) => ({
  by: of.by,
  windowMs: of.windowMs,
  measures: stated,
  slackOfRow: 2,
  fromMs: 0,
  untilMs: DAY_MS,
  dayOf: (atMs: number) => Math.floor(atMs / 100_000) * 100_000,
});

const linesOf = ({ lists }: Comparison): ComparedLine[] => Object.values(lists).flat();
const sumOf = (entries: Iterable<Entry | undefined>): Sums => {
  const sums = noSums();
  for (const one of entries) if (one !== undefined) addEntry(sums, one);
  return sums;
};
const withoutCounts = (sums: Sums) => ({ ...sums, entries: 0, unknownMoney: 0 });

it('each entry of both sides is in exactly one list, and one call has one partner', () => {
  fc.assert(
    fc.property(sides, ({ ours, theirs, stated, windowMs }) => {
      const lines = linesOf(compareSides(ours, theirs, ruleOf({ by: 'call', windowMs }, stated)));
      const refs = (side: 'ours' | 'theirs') =>
        lines.flatMap((line) => line[side]?.ref ?? []).toSorted((one, other) => Number(one) - Number(other));
      expect(refs('ours')).toEqual(ours.map(({ ref }) => ref));
      expect(refs('theirs')).toEqual(theirs.map(({ ref }) => ref));
      const far = lines.filter(({ ours: own, theirs: other, by }) => {
        if (own === undefined || other === undefined || by === 'id') return false;
        return other.atMs < own.atMs - windowMs || other.atMs > own.untilMs + windowMs;
      });
      expect(far).toEqual([]);
    }),
  );
});

it('the lists, days and models each add up to both inputs', () => {
  fc.assert(
    fc.property(sides, ({ ours, theirs, by, stated, windowMs }) => {
      const compared = compareSides(ours, theirs, ruleOf({ by, windowMs }, stated));
      for (const [side, given] of [
        ['ours', ours],
        ['theirs', theirs],
      ] as const) {
        // A day with an unknown amount has none.
        const isKnown = by === 'call' || given.every(({ money }) => money !== undefined);
        const sums = (some: Sums) => ({ ...withoutCounts(some), ...(isKnown ? {} : { money: 0 }) });
        const total = sums(sumOf(given));
        expect(sums(compared.totals[side])).toEqual(total);
        expect(sums(sumOf(linesOf(compared).map((line) => line[side])))).toEqual(total);
        for (const parts of [compared.days, compared.models]) {
          const all = noSums();
          for (const part of parts.values())
            for (const name of Object.keys(all) as (keyof Sums)[]) all[name] += part[side][name];
          expect(sums(all)).toEqual(total);
        }
      }
    }),
  );
});

it('the order of rows decides nothing', () => {
  const shown = (entries: Comparison): string[] =>
    Object.entries(entries.lists).flatMap(([list, lines]) =>
      lines
        .map(({ ours, theirs, by }) => JSON.stringify([list, by, { ...ours, ref: 0 }, { ...theirs, ref: 0 }]))
        .toSorted(),
    );
  fc.assert(
    fc.property(sides, fc.infiniteStream(fc.nat()), ({ ours, theirs, by, stated, windowMs }, dice) => {
      const rule = ruleOf({ by, windowMs }, stated);
      const shuffled = (entries: readonly Entry[]): Entry[] =>
        entries
          .map((one) => ({ one, at: Number(dice.next().value) }))
          .toSorted((left, right) => left.at - right.at)
          .map(({ one }) => one);
      expect(shown(compareSides(shuffled(ours), shuffled(theirs), rule))).toEqual(
        shown(compareSides(ours, theirs, rule)),
      );
    }),
  );
});

it('a file that states the same calls matches them all, and one changed token, amount or row is found', () => {
  fc.assert(
    fc.property(fc.array(entry('ours'), { minLength: 1, maxLength: 25 }), fc.nat(), (calls, at) => {
      const ours = numbered(calls.map((call) => ({ ...call, id: undefined, money: call.money ?? 7 })));
      const theirs = ours.map((call) => ({ ...call, untilMs: call.atMs }));
      const rule = ruleOf({ by: 'call', windowMs: 0 }, measures);
      const same = compareSides(ours, theirs, rule);
      expect(same.lists.matched).toHaveLength(ours.length);
      const place = at % ours.length;
      const without = compareSides(ours, theirs.toSpliced(place, 1), rule);
      expect(without.lists.missing_there.length).toBe(1);
      expect(without.lists.missing_here).toEqual([]);
      const [one] = theirs.slice(place);
      if (one === undefined) return;
      const dearer = { ...one, money: (one.money ?? 0) + 1000 };
      const other = compareSides(ours, theirs.toSpliced(place, 1, dearer), rule);
      expect(other.totals.theirs.money - other.totals.ours.money).toBe(1000);
      // A call that took long may take the time of another that cost the same: the two that are left then have no pair.
      const { matched, differing, missing_here: here, missing_there: there } = other.lists;
      expect(matched).toHaveLength(ours.length - 1);
      expect([differing.length, here.length, there.length]).toEqual(
        differing.length === 1 ? [1, 0, 0] : [0, 1, 1],
      );
    }),
  );
});
