import { timeBucket } from '../evidence/evidence.ts';
import type { AppError } from '../error.ts';
import { type AvailabilityRow, callerBit, outcomeOf } from './availability.ts';
import { DAY_S, HOUR_MS, HOUR_S } from '../time/spans.ts';

/** A call that has ended. */
export interface EndedCall {
  readonly atMs: number;
  readonly userId: number;
  readonly group: string;
  /** The name the caller used; a model this site offers. */
  readonly model: string;
  readonly failure: AppError | undefined;
  /** Set for streams only. */
  readonly firstTokenMs: number | undefined;
}

const FAILED = -2;
const ANSWERED = -1;

interface Sum {
  calls: number;
  callers: number;
}

/** One hour of a model in a group, counted by outcome or by time bucket. */
interface Page {
  readonly start: number;
  readonly group: string;
  readonly model: string;
  readonly sums: Map<number, Sum>;
}

/** Sums of calls that have not been written to the database yet. */
export class AvailabilitySums {
  readonly #pages = new Map<string, Page>();
  /** The page of the last counted call; the next call is mostly counted there too. */
  #last: Page | undefined;

  /** The number of model hours in memory. */
  get size(): number {
    return this.#pages.size;
  }

  /** Adds a call; costs only a few lookups. */
  add(call: EndedCall): void {
    const outcome = outcomeOf(call.failure);
    if (outcome === undefined) return;
    const { sums } = this.#page(call);
    const caller = callerBit(call.userId);
    add(sums, outcome === 'answered' ? ANSWERED : FAILED, caller);
    if (call.firstTokenMs !== undefined) add(sums, timeBucket(call.firstTokenMs), caller);
  }

  /**
   * Returns the sums of each hour and of its day. Two hours of the same day share one row, so that no statement writes
   * a row twice.
   */
  rows(): AvailabilityRow[] {
    return rowsOf([...this.#pages.values()]);
  }

  #page({ atMs, group, model }: EndedCall): Page {
    const hour = Math.floor(atMs / HOUR_MS);
    const start = hour * HOUR_S;
    const last = this.#last;
    if (last !== undefined && last.start === start && last.model === model && last.group === group)
      return last;
    const key = `${String(hour)} ${group}\n${model}`;
    const page = this.#pages.get(key) ?? { start, group, model, sums: new Map<number, Sum>() };
    this.#pages.set(key, page);
    this.#last = page;
    return page;
  }
}

const add = (sums: Page['sums'], detail: number, caller: number): void => {
  const sum = sums.get(detail);
  if (sum === undefined) sums.set(detail, { calls: 1, callers: caller });
  else {
    sum.calls += 1;
    sum.callers |= caller;
  }
};

const rowsOf = (pages: readonly Page[]): AvailabilityRow[] => {
  const rows = new Map<string, { -readonly [Name in keyof AvailabilityRow]: AvailabilityRow[Name] }>();
  for (const { start, group, model, sums } of pages)
    for (const stretch of [HOUR_S, DAY_S] as const)
      for (const [detail, { calls, callers }] of sums) {
        const begin = Math.floor(start / stretch) * stretch;
        const key = `${String(stretch)} ${String(begin)} ${String(detail)} ${group}\n${model}`;
        const row = rows.get(key);
        if (row === undefined)
          rows.set(key, { stretch, start: begin, group, model, ...measured(detail), calls, callers });
        else {
          row.calls += calls;
          row.callers |= callers;
        }
      }
  return [...rows.values()];
};

const measured = (detail: number): Pick<AvailabilityRow, 'measure' | 'bucket'> =>
  detail >= 0
    ? { measure: 'first_token', bucket: detail }
    : { measure: detail === FAILED ? 'failed' : 'answered', bucket: 0 };
