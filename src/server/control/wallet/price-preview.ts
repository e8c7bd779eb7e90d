import { type OptionValues, optionRow } from '#contract/options.ts';
import { priceOptions } from '#contract/price-book.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import type { PriceBookStore } from '#core/price-book/price-book-store.ts';
import type { PreviewSum, PreviewTotals } from '#core/price-book/preview.ts';
import { type PriceEntry, tablesOf, withEntries } from '#core/price-book/price-tables.ts';
import type { AgainAsked, ChargeCallsAgain, ChargedAgain } from '#core/price-book/priced-calls.ts';
import type { UserStore } from '#core/user/user-store.ts';
import { refuse } from '../refuse.ts';
import { checked } from './book/price-drafts.ts';
import { DAY_MS } from '#core/time/spans.ts';

export interface PreviewDeps {
  readonly priceBook: Pick<PriceBookStore, 'texts' | 'draft'>;
  readonly chargeAgain: ChargeCallsAgain;
  readonly users: Pick<UserStore, 'byId'>;
  readonly routing: () => Routing;
  readonly clock: Clock;
  readonly log: Log;
}

interface NamedSum extends PreviewSum {
  readonly id: number;
  readonly name: string;
}

/** What calls were charged and would be: in total, by model, by day and by user. */
export interface PreviewResult {
  readonly totals: PreviewTotals;
  /** Rows that do not say what they were charged by, such as tasks, and their charges. */
  readonly leftOut: { readonly calls: number; readonly quotaUnits: number };
  /** The models whose charges differ most, then the others. */
  readonly models: readonly NamedSum[];
  /** Days since 1970. */
  readonly days: readonly NamedSum[];
  /** The users whose charges would rise most. */
  readonly users: readonly NamedSum[];
  readonly durationMs: number;
}

/** A running preview, or its result. */
export interface PreviewRun {
  readonly id: number;
  readonly state: 'running' | 'done' | 'cancelled' | 'failed';
  /** How much of the time span has been read, 0 to 1. */
  readonly progress: number;
  readonly calls: number;
  readonly result: PreviewResult | undefined;
}

const RUNS_KEPT = 5;
const MODELS_SHOWN = 50;
const USERS_SHOWN = 10;

interface Run {
  id: number;
  state: PreviewRun['state'];
  progress: number;
  calls: number;
  result: PreviewResult | undefined;
  readonly stop: AbortController;
}

/** The options that charges depend on; they are copied to other threads. */
const PRICE_OPTIONS = [...priceOptions, 'SelfUseModeEnabled', 'QuotaPerUnit'] as const;

const pricesIn = (options: OptionValues): AgainAsked['now'] =>
  Object.fromEntries(PRICE_OPTIONS.map((name) => [name, options[name]])) as AgainAsked['now'];

export type PricePreviews = ReturnType<typeof createPricePreviews>;

/** Previews a draft with the calls of the last days, one run at a time. Results stay in memory for a while. */
export const createPricePreviews = (deps: PreviewDeps) => {
  const runs = new Map<number, Run>();
  // Larger than any id of an earlier run of the server.
  let lastId = deps.clock.now();

  const execute = async (run: Run, draft: OptionValues, days: number): Promise<void> => {
    const { clock, routing, chargeAgain } = deps;
    const begunMs = clock.monotonic();
    const toMs = clock.now();
    const asked = {
      fromMs: toMs - days * DAY_MS,
      toMs,
      now: pricesIn(routing().options),
      draft: pricesIn(draft),
    };
    const charged = await chargeAgain(asked, {
      signal: run.stop.signal,
      progressed: (share, calls) => Object.assign(run, { progress: share, calls }),
    });
    if (run.state !== 'running') return;
    run.result = await resultOf(deps, charged, clock.monotonic() - begunMs);
    run.progress = 1;
    run.calls = charged.sums.totals.calls;
    run.state = 'done';
  };
  const stop = (run: Run): void => {
    if (run.state !== 'running') return;
    run.state = 'cancelled';
    run.stop.abort();
  };

  return {
    /** Starts a run of a saved draft, or of entries; cancels the running one. */
    async start(
      what: { readonly draft: number } | { readonly entries: readonly PriceEntry[] },
      days: number,
    ): Promise<number> {
      const entries = 'entries' in what ? what.entries : (await deps.priceBook.draft(what.draft))?.entries;
      if (entries === undefined) throw refuse('price_draft_missing');
      const draft = optionsWith(deps.routing().options, await deps.priceBook.texts(), entries);
      for (const run of runs.values()) stop(run);
      const id = (lastId += 1);
      const stopping = new AbortController();
      const run: Run = { id, state: 'running', progress: 0, calls: 0, result: undefined, stop: stopping };
      runs.set(id, run);
      for (const old of [...runs.keys()].slice(0, -RUNS_KEPT)) runs.delete(old);
      void execute(run, draft, days).catch((error: unknown) => {
        // It was cancelled, and its threads are gone.
        if (run.state !== 'running') return;
        run.state = 'failed';
        deps.log.error('a preview of prices failed', { error });
      });
      return id;
    },

    read(id: number): PreviewRun {
      const run = runs.get(id);
      if (run === undefined) throw refuse('price_preview_missing');
      return run;
    },

    cancel(id: number): void {
      const run = runs.get(id);
      if (run !== undefined) stop(run);
    },
  };
};

/** The options as the draft would make them. */
const optionsWith = (
  options: OptionValues,
  texts: Parameters<typeof tablesOf>[0],
  entries: readonly PriceEntry[],
): OptionValues => {
  const tables = tablesOf(texts);
  const changed = checked(tables, withEntries(tables, entries));
  const values = [...changed].map(
    ([option, text]) => [option, optionRow(option).schema.parse(text)] as const,
  );
  return { ...options, ...Object.fromEntries(values) };
};

const named = (sums: ReadonlyMap<number, PreviewSum>, nameOf: (id: number) => string): NamedSum[] =>
  [...sums].map(([id, sum]) => ({ id, name: nameOf(id), ...sum }));

const more = ({ now, draft }: PreviewSum): number => draft - now;

/** The users whose charges would rise most, found in one pass, because there may be very many. */
const hardestHit = (
  byUser: ReadonlyMap<number, PreviewSum>,
  count: number,
): (PreviewSum & { id: number })[] => {
  const hardest: (PreviewSum & { id: number })[] = [];
  let least = 0;
  for (const [id, sum] of byUser) {
    if (more(sum) <= least) continue;
    hardest.push({ id, ...sum });
    hardest.sort((one, other) => more(other) - more(one));
    const last = hardest[count - 1];
    if (last === undefined) continue;
    hardest.length = count;
    least = more(last);
  }
  return hardest;
};

const resultOf = async (
  { users }: PreviewDeps,
  { sums: { totals, byModel, byUser, byDay }, names, calls, quotaUnits }: ChargedAgain,
  durationMs: number,
): Promise<PreviewResult> => {
  const hardest = hardestHit(byUser, USERS_SHOWN);
  const people = await Promise.all(hardest.map(({ id }) => users.byId(id)));
  return {
    totals,
    leftOut: {
      calls: Math.max(0, calls - totals.calls),
      quotaUnits: Math.max(0, quotaUnits - totals.charged),
    },
    models: named(byModel, (id) => names.get(id) ?? '')
      .toSorted((one, other) => Math.abs(more(other)) - Math.abs(more(one)) || other.now - one.now)
      .slice(0, MODELS_SHOWN),
    days: named(byDay, () => '').toSorted((one, other) => one.id - other.id),
    users: hardest.map((sum, at) => ({ ...sum, name: people[at]?.username ?? '' })),
    durationMs,
  };
};
