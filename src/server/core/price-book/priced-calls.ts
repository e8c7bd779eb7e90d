import type { PriceSources } from '../quota/price.ts';
import type { CallsGiven } from './call-pack.ts';
import type { PreviewSums } from './preview.ts';
import { HOUR_MS } from '../time/spans.ts';

/** Reads what logged calls were charged by. */
export interface PricedCalls {
  /** The approximate number of calls in each hour, by hours since 1970. */
  byHour(fromMs: number, toMs: number): Promise<ReadonlyMap<number, number>>;
  /**
   * Passes on the calls of a time span in order of hours, with the names of models and groups by their ids. Slices of rows
   * are in order of time, and bounded even if all calls are of one moment.
   * @returns the number and units of all charged calls of that span, including those that could not be passed on
   */
  read(
    fromMs: number,
    toMs: number,
    each: (calls: CallsGiven, names: ReadonlyMap<number, string>) => void,
  ): Promise<{ readonly calls: number; readonly quotaUnits: number }>;
}

/** Which calls to charge again, and by which prices. */
export interface AgainAsked {
  readonly fromMs: number;
  /** Included. */
  readonly toMs: number;
  readonly now: PriceSources['options'];
  readonly draft: PriceSources['options'];
}

/** The sums of all calls of the span, by both price lists. */
export interface ChargedAgain {
  readonly sums: PreviewSums;
  /** Model names by id. */
  readonly names: ReadonlyMap<number, string>;
  /** The number and units of all charged calls of the span, including those that cannot be charged again. */
  readonly calls: number;
  readonly quotaUnits: number;
}

/** Charges all calls of a time span again, in another thread than the one that serves calls. Rejects when aborted. */
export type ChargeCallsAgain = (
  asked: AgainAsked,
  watch: { readonly signal: AbortSignal; progressed(share: number, calls: number): void },
) => Promise<ChargedAgain>;

/** A time span, both ends included. */
export interface TimePiece {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Cuts a time span into pieces of about `callsEach` calls, at least one piece. They cover the whole span without
 * overlap.
 */
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
    // A busy hour is cut into as many parts as it needs.
    const parts = Math.min(Math.ceil(calls / callsEach), HOUR_MS);
    for (let part = 1; part < parts; part += 1) cuts.push(beginMs + Math.floor((HOUR_MS / parts) * part));
  }
  const begins = [fromMs, ...new Set(cuts.filter((cut) => cut > fromMs && cut <= toMs))];
  return begins.map((begin, at) => ({ fromMs: begin, toMs: (begins[at + 1] ?? toMs + 1) - 1 }));
};
