/** What is compared. */
export const measures = ['calls', 'input', 'output', 'cached', 'money'] as const;
export type Measure = (typeof measures)[number];

/** A call, or the calls of a day, as one of both sides states it. */
export interface Entry {
  /** Where to look it up: a line of the file, or our id of the call. */
  readonly ref: string;
  readonly atMs: number;
  /** When it ended; the same for a file, which states one time. */
  readonly untilMs: number;
  /** Empty if the file does not name models. */
  readonly model: string;
  /** The upstream's id of the answer. */
  readonly id: string | undefined;
  /** Undefined if the file does not say. */
  readonly calls: number | undefined;
  /** All tokens of the prompt, cached ones included. */
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cached: number | undefined;
  /** In billionths of the file's currency; undefined if not known. */
  readonly money: number | undefined;
  /** How many rows of the file, or calls of ours, it is the sum of. */
  readonly rows: number;
}

/** Sums of one side. */
export interface Sums {
  entries: number;
  calls: number;
  input: number;
  output: number;
  cached: number;
  money: number;
  /** How many entries have no amount. */
  unknownMoney: number;
}

export const noSums = (): Sums => ({
  entries: 0,
  calls: 0,
  input: 0,
  output: 0,
  cached: 0,
  money: 0,
  unknownMoney: 0,
});

/** Adds an entry to sums. */
export const addEntry = (sums: Sums, entry: Entry): void => {
  sums.entries += 1;
  for (const measure of measures) sums[measure] += entry[measure] ?? 0;
  if (entry.money === undefined) sums.unknownMoney += 1;
};
