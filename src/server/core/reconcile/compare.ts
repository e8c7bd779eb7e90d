import type { ComparedList } from '#contract/channel/reconcile.ts';
import { isSameModel } from '../evidence/same-model.ts';
import { addEntry, type Entry, type Measure, noSums, type Sums } from './entry.ts';
import { type Matched, type MatchedBy, matchCalls, matchDays, type Pair } from './match.ts';

/** A pair, or an entry of one side only. */
export interface ComparedLine {
  readonly ours: Entry | undefined;
  readonly theirs: Entry | undefined;
  readonly by: MatchedBy | undefined;
}

export interface BothSums {
  readonly ours: Sums;
  readonly theirs: Sums;
}

export interface Comparison {
  readonly by: 'call' | 'day';
  /** What the file states, and so what is compared. */
  readonly measures: readonly Measure[];
  readonly totals: BothSums;
  readonly lists: Readonly<Record<ComparedList, readonly ComparedLine[]>>;
  readonly days: ReadonlyMap<number, BothSums>;
  readonly models: ReadonlyMap<string, BothSums>;
}

/** How two sides are compared. */
export interface ComparisonRule {
  readonly by: 'call' | 'day';
  readonly measures: readonly Measure[];
  readonly windowMs: number;
  readonly slackOfRow: number;
  /** The times the file is about: calls outside are only partners. */
  readonly fromMs: number;
  readonly untilMs: number;
  readonly dayOf: (atMs: number) => number;
}

type DaySum = Omit<Entry, Measure | 'rows'> & { -readonly [Key in Measure | 'rows']: Entry[Key] };

/** Sums by day and model, whatever the number of calls. */
export class DaySums {
  readonly #dayOf: (atMs: number) => number;
  readonly #sums = new Map<string, DaySum>();

  constructor(dayOf: (atMs: number) => number) {
    this.#dayOf = dayOf;
  }

  add(entry: Entry): void {
    const day = this.#dayOf(entry.atMs);
    const key = `${String(day)}\n${entry.model}`;
    const sum = this.#sums.get(key);
    if (sum === undefined) {
      this.#sums.set(key, { ...entry, ref: '', id: undefined, atMs: day, untilMs: day });
      return;
    }
    for (const measure of ['calls', 'input', 'output', 'cached'] as const)
      sum[measure] = (sum[measure] ?? 0) + (entry[measure] ?? 0);
    // A sum with an unknown part is unknown.
    sum.money = sum.money === undefined || entry.money === undefined ? undefined : sum.money + entry.money;
    sum.rows += entry.rows;
  }

  get entries(): readonly Entry[] {
    return [...this.#sums.values()];
  }
}

/** By how much ours exceeds theirs in a measure; 0 if they agree or one of them does not say. */
export const excess = (
  { ours, theirs }: Pick<Pair, 'ours' | 'theirs'>,
  measure: Measure,
  slackOfRow: number,
): number => {
  const [own, other] = [ours[measure], theirs[measure]];
  if (own === undefined || other === undefined) return 0;
  const slack = measure === 'money' ? theirs.rows * slackOfRow + ours.rows : 0;
  return Math.abs(own - other) <= slack ? 0 : own - other;
};

/** Names are compared pairwise; of a file with more, only those written alike are the same. */
const COMPARED_MAX = 400;

/**
 * One name for each model, whichever way both sides write it: ours, if we have it. Dates, releases and vendors in names
 * are ignored, because a bill says `gpt-4o-2024-08-06` where a call asked for `gpt-4o`.
 */
const commonNames = (ours: ReadonlySet<string>, theirs: ReadonlySet<string>): ((name: string) => string) => {
  const known = new Map<string, string>();
  const firsts: string[] = [];
  for (const name of [...[...ours].toSorted(), ...[...theirs].toSorted()]) {
    if (known.has(name)) continue;
    const same = firsts.find((first) => isAlike(first, name));
    known.set(name, same ?? name);
    if (same === undefined && firsts.length < COMPARED_MAX) firsts.push(name);
  }
  return (name) => known.get(name) ?? name;
};

const isAlike = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() ||
  (one !== '' && other !== '' && (isSameModel(one, other) || isSameModel(other, one)));

const named = (entries: readonly Entry[], nameOf: (name: string) => string): readonly Entry[] =>
  entries.map((entry) => {
    const model = nameOf(entry.model);
    return model === entry.model ? entry : { ...entry, model };
  });

const merged = (entries: readonly Entry[], dayOf: ComparisonRule['dayOf']): readonly Entry[] => {
  const sums = new DaySums(dayOf);
  for (const entry of entries) sums.add(entry);
  return sums.entries;
};

const namesOf = (entries: readonly Entry[]): ReadonlySet<string> =>
  new Set(entries.map(({ model }) => model));

/** Compares both sides. Each entry of the file is in one list; so is each call in its time, and its partners outside. */
export const compareSides = (
  ours: readonly Entry[],
  theirs: readonly Entry[],
  rule: ComparisonRule,
): Comparison => {
  const nameOf = commonNames(namesOf(ours), namesOf(theirs));
  const [own, other] = [named(ours, nameOf), named(theirs, nameOf)];
  const matched =
    rule.by === 'call'
      ? matchCalls(own, other, rule)
      : matchDays(merged(own, rule.dayOf), merged(other, rule.dayOf));
  return summed(matched, rule);
};

const isWithin = (entry: Entry, { fromMs, untilMs }: ComparisonRule): boolean =>
  entry.atMs >= fromMs && entry.atMs <= untilMs;

const summed = ({ pairs, onlyOurs, onlyTheirs }: Matched, rule: ComparisonRule): Comparison => {
  const totals = { ours: noSums(), theirs: noSums() };
  const days = new Map<number, BothSums>();
  const models = new Map<string, BothSums>();
  const lists: Record<ComparedList, ComparedLine[]> = {
    differing: [],
    missing_here: [],
    missing_there: [],
    matched: [],
  };
  const count = (side: keyof BothSums, entry: Entry, like: Entry): void => {
    addEntry(totals[side], entry);
    addEntry(sumsAt(days, rule.dayOf(like.atMs))[side], entry);
    addEntry(sumsAt(models, like.model)[side], entry);
  };
  for (const pair of pairs) {
    const differs = rule.measures.some((measure) => excess(pair, measure, rule.slackOfRow) !== 0);
    lists[differs ? 'differing' : 'matched'].push(pair);
    // Both count for the day of the file, so that a call over midnight makes no difference.
    count('ours', pair.ours, pair.theirs);
    count('theirs', pair.theirs, pair.theirs);
  }
  for (const entry of onlyTheirs) {
    lists.missing_here.push({ ours: undefined, theirs: entry, by: undefined });
    count('theirs', entry, entry);
  }
  for (const entry of onlyOurs) {
    if (rule.by === 'call' && !isWithin(entry, rule)) continue;
    lists.missing_there.push({ ours: entry, theirs: undefined, by: undefined });
    count('ours', entry, entry);
  }
  for (const list of Object.values(lists)) list.sort((one, next) => timeOf(one) - timeOf(next));
  return { by: rule.by, measures: rule.measures, totals, lists, days, models };
};

const timeOf = ({ theirs, ours }: ComparedLine): number => theirs?.atMs ?? ours?.atMs ?? 0;

const sumsAt = <Key>(sums: Map<Key, BothSums>, key: Key): BothSums => {
  let found = sums.get(key);
  if (found === undefined) sums.set(key, (found = { ours: noSums(), theirs: noSums() }));
  return found;
};
