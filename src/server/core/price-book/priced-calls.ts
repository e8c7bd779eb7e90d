import type { PriceSources } from '../quota/price.ts';
import type { PreviewSums, PricedSlice } from './preview.ts';

/** What kept calls were charged by. */
export interface PricedCalls {
  /** About how many calls there were in each hour, by hours since 1970. */
  byHour(fromMs: number, toMs: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Gives the calls of a stretch of time, slice by slice, in the order of time; with the names of models and groups by their
   * numbers. Slices are bounded, also those of one moment.
   * @returns all charged calls of that time, and their units, also of those that cannot be given
   */
  read(
    fromMs: number,
    toMs: number,
    each: (slice: PricedSlice, names: ReadonlyMap<number, string>) => void,
  ): Promise<{ readonly calls: number; readonly quotaUnits: number }>;
}

/** What is charged again, and by what. */
export interface AgainAsked {
  readonly fromMs: number;
  /** Included. */
  readonly toMs: number;
  readonly now: PriceSources['options'];
  readonly draft: PriceSources['options'];
}

/** What all calls of that time come to, by both lists of prices. */
export interface ChargedAgain {
  readonly sums: PreviewSums;
  /** Of the models, by their numbers. */
  readonly names: ReadonlyMap<number, string>;
  /** All charged calls of that time and the units they were charged, those included that cannot be charged again. */
  readonly calls: number;
  readonly quotaUnits: number;
}

/** Charges all calls of a time again, elsewhere than in the thread that serves calls. Rejects when it is aborted. */
export type ChargeCallsAgain = (
  asked: AgainAsked,
  watch: { readonly signal: AbortSignal; progressed(share: number, calls: number): void },
) => Promise<ChargedAgain>;

/** A stretch of time, both ends included. */
export interface TimePiece {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;

/** Cuts a time into stretches of about so many calls each, and at least one: together all of it, none of it twice. */
export const piecesOf = (
  { fromMs, toMs }: TimePiece,
  callsByHour: ReadonlyMap<number, number>,
  callsEach: number,
): readonly TimePiece[] => {
  const cuts: number[] = [];
  let gathered = 0;
  for (const [hour, calls] of [...callsByHour].toSorted(([one], [other]) => one - other)) {
    const beginMs = hour * HOUR_MS;
    if (gathered + calls > callsEach) {
      cuts.push(beginMs);
      gathered = 0;
    }
    gathered += calls;
    // Of one busy hour as many parts as it needs.
    const parts = Math.min(Math.ceil(calls / callsEach), HOUR_MS);
    for (let part = 1; part < parts; part += 1) cuts.push(beginMs + Math.floor((HOUR_MS / parts) * part));
  }
  const begins = [fromMs, ...new Set(cuts.filter((cut) => cut > fromMs && cut <= toMs))];
  return begins.map((begin, at) => ({ fromMs: begin, toMs: (begins[at + 1] ?? toMs + 1) - 1 }));
};
