import { type Entry, type Measure, measures } from './entry.ts';

/** By what a pair was found. */
export type MatchedBy = 'id' | 'tokens' | 'time' | 'day';

export interface Pair {
  readonly ours: Entry;
  readonly theirs: Entry;
  readonly by: MatchedBy;
}

/** Each entry of both sides, once. */
export interface Matched {
  readonly pairs: readonly Pair[];
  readonly onlyOurs: readonly Entry[];
  readonly onlyTheirs: readonly Entry[];
}

const NONE = -1;
/** What is nearer goes first, so that one missing call does not shift all that are alike. */
const NEAR_MS = [1000, 5000, 30_000];
const UNLIKE_MS = 5000;

const compare = (one: Entry, other: Entry): number => {
  if (one.atMs !== other.atMs) return one.atMs - other.atMs;
  if (one.untilMs !== other.untilMs) return one.untilMs - other.untilMs;
  for (const measure of measures) {
    const difference = (one[measure] ?? NONE) - (other[measure] ?? NONE);
    if (difference !== 0) return difference;
  }
  if (one.model !== other.model) return one.model < other.model ? -1 : 1;
  const [id, otherId] = [one.id ?? '', other.id ?? ''];
  return id === otherId ? 0 : id < otherId ? -1 : 1;
};

/**
 * Entries that are still waiting for a partner. On top is the one that ends first; of those that end together the one that began
 * last, because what began earlier can take every time that it can. A binary heap.
 */
class Waiting {
  readonly #heap: { readonly entry: Entry; readonly rank: number }[] = [];

  get first(): Entry | undefined {
    return this.#heap[0]?.entry;
  }

  add(entry: Entry, rank: number): void {
    const heap = this.#heap;
    heap.push({ entry, rank });
    let at = heap.length - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  take(): Entry | undefined {
    const heap = this.#heap;
    const taken = heap[0];
    const last = heap.pop();
    if (taken === undefined || last === undefined || heap.length === 0) return taken?.entry;
    heap[0] = last;
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && this.#isBefore(left, least)) least = left;
      if (right < heap.length && this.#isBefore(right, least)) least = right;
      if (least === at) return taken.entry;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) return false;
    return (
      left.entry.untilMs - right.entry.untilMs < 0 ||
      (left.entry.untilMs === right.entry.untilMs && left.rank > right.rank)
    );
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#heap[one], this.#heap[other]];
    if (left === undefined || right === undefined) return;
    this.#heap[one] = right;
    this.#heap[other] = left;
  }
}

type Found = readonly (readonly [Entry, Entry])[];

/**
 * Pairs calls with times of the file that lie within them, give or take the window: as many as possible, because each time
 * takes the call that ends first. Both are sorted.
 */
const pairInTime = (ours: readonly Entry[], theirs: readonly Entry[], windowMs: number): Found => {
  const found: (readonly [Entry, Entry])[] = [];
  const waiting = new Waiting();
  let next = 0;
  for (const one of theirs) {
    for (
      let entry = ours[next];
      entry !== undefined && entry.atMs - windowMs <= one.atMs;
      entry = ours[next]
    ) {
      waiting.add(entry, next);
      next += 1;
    }
    while (waiting.first !== undefined && waiting.first.untilMs + windowMs < one.atMs) waiting.take();
    const partner = waiting.take();
    if (partner !== undefined) found.push([partner, one]);
  }
  return found;
};

const grouped = (entries: Iterable<Entry>, keyOf: (entry: Entry) => string | undefined) => {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return groups;
};

/** Entries of both sides that have no partner yet, in order. */
class Unmatched {
  readonly pairs: Pair[] = [];
  readonly #ours: Set<Entry>;
  readonly #theirs: Set<Entry>;

  constructor(ours: readonly Entry[], theirs: readonly Entry[]) {
    this.#ours = new Set(ours.toSorted(compare));
    this.#theirs = new Set(theirs.toSorted(compare));
  }

  /** Looks for pairs among entries of the same key. */
  match(
    by: MatchedBy,
    keyOf: (entry: Entry) => string | undefined,
    pair: (ours: readonly Entry[], theirs: readonly Entry[]) => Found,
  ): void {
    const ours = grouped(this.#ours, keyOf);
    for (const [key, theirs] of grouped(this.#theirs, keyOf))
      for (const [own, other] of pair(ours.get(key) ?? [], theirs)) {
        this.#ours.delete(own);
        this.#theirs.delete(other);
        this.pairs.push({ ours: own, theirs: other, by });
      }
  }

  end(): Matched {
    return { pairs: this.pairs, onlyOurs: [...this.#ours], onlyTheirs: [...this.#theirs] };
  }
}

const inOrder = (ours: readonly Entry[], theirs: readonly Entry[]): Found =>
  theirs.flatMap((other, at): Found => {
    const own = ours[at];
    return own === undefined ? [] : [[own, other]];
  });

/** What of a file may decide, and by how much its amounts of money may be off. */
interface MatchRule {
  /** What the file has; what it leaves out decides nothing. */
  readonly measures: readonly Measure[];
  readonly slackOfRow: number;
  readonly windowMs: number;
}

/**
 * Pairs calls one to one: by id; then near in time by the same model, tokens and money, by the same model and tokens, by the
 * same input, the same output, or only the same model within seconds. The order of the entries does not matter: equal ones can stand for
 * each other.
 */
export const matchCalls = (
  ours: readonly Entry[],
  theirs: readonly Entry[],
  { measures: stated, slackOfRow, windowMs }: MatchRule,
): Matched => {
  const left = new Unmatched(ours, theirs);
  left.match('id', ({ id }) => id, inOrder);
  const valueOf = (entry: Entry, measure: Measure): number | string => {
    const value = entry[measure];
    if (value === undefined) return '';
    // Amounts that are off by rounding are mostly in the same step; those that are not find each other by their tokens.
    return measure === 'money' ? Math.round(value / (2 * slackOfRow)) : value;
  };
  const keyOf =
    (of: readonly Measure[]) =>
    (entry: Entry): string =>
      [entry.model, ...of.map((measure) => valueOf(entry, measure))].join('\n');
  const tokens = (['input', 'output'] as const).filter((measure) => stated.includes(measure));
  const inTime = (by: MatchedBy, of: readonly Measure[], mostMs = windowMs): void => {
    for (const window of [...NEAR_MS.filter((near) => near < mostMs), mostMs])
      left.match(by, keyOf(of), (own, other) => pairInTime(own, other, window));
  };
  if (stated.length > 0) inTime('tokens', stated);
  if (tokens.length > 0) inTime('tokens', tokens);
  if (tokens.length > 1) for (const one of tokens) inTime('time', [one]);
  // Of the same model only, two calls some time apart are rather two that are missing.
  inTime('time', [], tokens.length > 0 ? Math.min(windowMs, UNLIKE_MS) : windowMs);
  return left.end();
};

/** Pairs the sums of days. */
export const matchDays = (ours: readonly Entry[], theirs: readonly Entry[]): Matched => {
  const left = new Unmatched(ours, theirs);
  left.match('day', ({ atMs, model }) => `${String(atMs)}\n${model}`, inOrder);
  return left.end();
};
