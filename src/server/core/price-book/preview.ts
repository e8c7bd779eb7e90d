import type { PriceSources } from '../quota/price.ts';
import { type CallsGiven, type PackedCalls, PackReader } from './call-pack.ts';
import { areAlike, type ChargeAgain, chargerOf } from './charge-again.ts';
import { readKind } from './priced-call.ts';
import { BETWEEN_COLUMNS, CallRows, type PricedSlice, type ReadCall } from './call-rows.ts';
import { DAY_MS } from '../time/spans.ts';

/** In whole units and billionths of a US dollar. */
export interface PreviewSum {
  calls: number;
  /** By the current prices, and by the draft. */
  now: number;
  draft: number;
  /** For the calls whose cost is known. */
  costNano: number;
  costedNow: number;
  costedDraft: number;
}

/** The sums of a preview. Models and users are keyed by their ids, days by their number since 1970. */
export interface PreviewSums {
  readonly totals: PreviewTotals;
  readonly byModel: ReadonlyMap<number, PreviewSum>;
  readonly byUser: ReadonlyMap<number, PreviewSum>;
  readonly byDay: ReadonlyMap<number, PreviewSum>;
}

/** What the calls of some days would cost by another price book, in quota units. */
export interface PreviewTotals extends PreviewSum {
  /** What was charged when the calls were made. */
  charged: number;
  /** Calls whose model would have no price; they add nothing to the sums. */
  unpricedNow: number;
  unpricedDraft: number;
  /** Rows that could not be parsed. */
  unread: number;
}

interface Kind {
  readonly sum: PreviewSum;
  readonly now: ChargeAgain;
  readonly draft: ChargeAgain;
}

/**
 * More kinds than real traffic has; each takes about 11 KB in each thread. Kinds beyond this are not remembered but
 * computed anew for each call.
 */
const KINDS_MAX = 5000;

const emptySum = (): PreviewSum => ({
  calls: 0,
  now: 0,
  draft: 0,
  costNano: 0,
  costedNow: 0,
  costedDraft: 0,
});

const emptyTotals = (): PreviewTotals => ({
  ...emptySum(),
  charged: 0,
  unpricedNow: 0,
  unpricedDraft: 0,
  unread: 0,
});

const sumIn = (sums: Map<number, PreviewSum>, key: number): PreviewSum => {
  let sum = sums.get(key);
  if (sum === undefined) sums.set(key, (sum = emptySum()));
  return sum;
};

/** Charges calls again by two price lists and adds up what each call would have been charged exactly. */
export class Preview implements PreviewSums {
  readonly totals = emptyTotals();
  readonly byModel = new Map<number, PreviewSum>();
  readonly byUser = new Map<number, PreviewSum>();
  readonly byDay = new Map<number, PreviewSum>();

  readonly #now: PriceSources;
  readonly #draft: PriceSources;
  readonly #nameOf: (id: number) => string;
  readonly #rows = new CallRows();
  readonly #kinds = new Map<string, Kind | undefined>();

  /** @param nameOf gives the name of a model or group; called once for each kind of call */
  constructor(now: PriceSources, draft: PriceSources, nameOf: (id: number) => string) {
    this.#now = now;
    this.#draft = draft;
    this.#nameOf = nameOf;
  }

  add(calls: CallsGiven): void {
    if ('pack' in calls) this.#addPack(calls.pack);
    else this.#addRows(calls.rows);
  }

  #addRows(slice: PricedSlice): void {
    const rows = this.#rows;
    rows.open(slice);
    while (rows.next()) {
      const text = rows.kind();
      const kind = text === undefined ? undefined : this.#kindOf(text);
      if (kind === undefined) this.totals.unread += 1;
      else this.#addCall(kind, rows);
    }
  }

  #addPack({ data, hourMs, fromMs, toMs }: PackedCalls): void {
    const pack = new PackReader(data, hourMs);
    // Skips kinds that occur in no call of this time span.
    const kinds: (Kind | 'unread' | undefined)[] = pack.kinds.map(() => undefined);
    while (pack.next()) {
      if (pack.atMs < fromMs || pack.atMs > toMs) continue;
      const kind = (kinds[pack.kind] ??= this.#kindOf(pack.kinds[pack.kind] ?? '') ?? 'unread');
      if (kind === 'unread') this.totals.unread += 1;
      else this.#addCall(kind, pack);
    }
  }

  #addCall(kind: Kind, { atMs, user, units, costNano, counts, tools }: ReadCall): void {
    const now = kind.now(counts, tools, atMs);
    const draft = kind.draft === kind.now ? now : kind.draft(counts, tools, atMs);
    const { totals } = this;
    totals.charged += units;
    if (now === undefined) totals.unpricedNow += 1;
    if (draft === undefined) totals.unpricedDraft += 1;
    for (const sum of [
      totals,
      kind.sum,
      sumIn(this.byUser, user),
      sumIn(this.byDay, Math.floor(atMs / DAY_MS)),
    ])
      addTo(sum, now ?? 0, draft ?? 0, costNano);
  }

  #kindOf(key: string): Kind | undefined {
    const known = this.#kinds.get(key);
    if (known !== undefined || this.#kinds.has(key)) return known;
    const [text = '', modelId = '', groupId = ''] = key.split(BETWEEN_COLUMNS);
    const read = readKind(text);
    const [model, group] = [this.#nameOf(Number(modelId)), this.#nameOf(Number(groupId))];
    const now = read && chargerOf(this.#now, model, group, read);
    const kind = now && {
      sum: sumIn(this.byModel, Number(modelId)),
      now,
      // Most drafts change few models.
      draft: areAlike(this.#now, this.#draft, model, group, read)
        ? now
        : chargerOf(this.#draft, model, group, read),
    };
    if (this.#kinds.size < KINDS_MAX) this.#kinds.set(key, kind);
    return kind;
  }
}

const addTo = (sum: PreviewSum, now: number, draft: number, costNano: number | undefined): void => {
  sum.calls += 1;
  sum.now += now;
  sum.draft += draft;
  if (costNano === undefined) return;
  sum.costNano += costNano;
  sum.costedNow += now;
  sum.costedDraft += draft;
};

/** Joins sums of disjoint sets of calls. */
export const sumsOfAll = (parts: readonly PreviewSums[]): PreviewSums => {
  const all = {
    totals: emptyTotals(),
    byModel: new Map<number, PreviewSum>(),
    byUser: new Map<number, PreviewSum>(),
    byDay: new Map<number, PreviewSum>(),
  };
  for (const { totals, byModel, byUser, byDay } of parts) {
    addFields(all.totals, totals);
    for (const [id, sum] of byModel) addFields(sumIn(all.byModel, id), sum);
    for (const [id, sum] of byUser) addFields(sumIn(all.byUser, id), sum);
    for (const [id, sum] of byDay) addFields(sumIn(all.byDay, id), sum);
  }
  return all;
};

const addFields = <Sum extends PreviewSum>(into: Sum, more: Sum): void => {
  for (const name of Object.keys(into) as (keyof PreviewSum)[]) into[name] += more[name];
};
