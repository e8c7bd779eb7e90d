import type { PriceSources } from '../quota/price.ts';
import { type ChargeAgain, chargerOf } from './charge-again.ts';
import { readKind } from './priced-call.ts';
import { Row } from './row.ts';

/** In whole units and billionths of a US dollar. */
export interface PreviewSum {
  calls: number;
  /** By the prices that count now, and by the draft. */
  now: number;
  draft: number;
  /** Of the calls whose cost is known. */
  costNano: number;
  costedNow: number;
  costedDraft: number;
}

export interface PreviewTotals extends PreviewSum {
  /** What was charged for these calls when they were made. */
  charged: number;
  /** Calls of a model that would have no price; nothing is counted for them. */
  unpricedNow: number;
  unpricedDraft: number;
  /** Rows that do not read. */
  unread: number;
}

/** A slice of rows, each `moment TAB user TAB units TAB cost TAB priced TAB model TAB group`, models and groups by their numbers. */
export interface PricedSlice {
  readonly text: string;
  /** Rows of this moment and later are read again with the next slice. */
  readonly untilMs: number;
}

interface Kind {
  readonly sum: PreviewSum;
  readonly now: ChargeAgain;
  readonly draft: ChargeAgain;
}

const DAY_MS = 86_400_000;
/** More kinds than real traffic has; each takes about 11 KB and a part of a millisecond. Beyond, each is worked out anew. */
const KINDS_MAX = 20_000;

const emptySum = (): PreviewSum => ({
  calls: 0,
  now: 0,
  draft: 0,
  costNano: 0,
  costedNow: 0,
  costedDraft: 0,
});

const sumIn = (sums: Map<number, PreviewSum>, key: number): PreviewSum => {
  let sum = sums.get(key);
  if (sum === undefined) sums.set(key, (sum = emptySum()));
  return sum;
};

/** Charges calls again by two lists of prices, and adds up: exactly what would have been charged for each call. */
export class Preview {
  readonly totals: PreviewTotals = {
    ...emptySum(),
    charged: 0,
    unpricedNow: 0,
    unpricedDraft: 0,
    unread: 0,
  };
  readonly byModel = new Map<number, PreviewSum>();
  readonly byUser = new Map<number, PreviewSum>();
  /** Days since 1970. */
  readonly byDay = new Map<number, PreviewSum>();

  readonly #now: PriceSources;
  readonly #draft: PriceSources;
  readonly #nameOf: (id: number) => string;
  readonly #row = new Row();
  readonly #kinds = new Map<string, Kind | undefined>();

  /** @param nameOf of a model or group; called once for each kind of call */
  constructor(now: PriceSources, draft: PriceSources, nameOf: (id: number) => string) {
    this.#now = now;
    this.#draft = draft;
    this.#nameOf = nameOf;
  }

  /**
   * Adds the next rows of a slice, `rowsMax` at most.
   * @param from where in the text they begin
   * @returns where the next begin; the text's length or more when all are added
   */
  add({ text, untilMs }: PricedSlice, from = 0, rowsMax = Infinity): number {
    const { length } = text;
    let next = from;
    for (let rows = 0; rows < rowsMax && next < length; rows += 1) {
      const end = text.indexOf('\n', next);
      const to = end < 0 ? length : end;
      this.#addRow(text, next, to, untilMs);
      next = to + 1;
    }
    return next;
  }

  /** Read sign by sign: of millions of rows no text is made but that of their kind. */
  #addRow(text: string, from: number, to: number, untilMs: number): void {
    const row = this.#row;
    row.begin(text, from, to);
    const atMs = row.number();
    if (atMs >= untilMs) return;
    const user = row.number();
    const units = row.number();
    const costNano = row.numberOrNone();
    const counts = row.numbers();
    const tools = row.word();
    const kind = row.isWhole ? this.#kindOf(row.rest()) : undefined;
    if (kind === undefined) {
      this.totals.unread += 1;
      return;
    }
    const now = kind.now(counts, tools, atMs);
    const draft = kind.draft(counts, tools, atMs);
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
    const [text = '', modelId = '', groupId = ''] = key.split('\t');
    const read = readKind(text);
    const [model, group] = [this.#nameOf(Number(modelId)), this.#nameOf(Number(groupId))];
    const kind = read && {
      sum: sumIn(this.byModel, Number(modelId)),
      now: chargerOf(this.#now, model, group, read),
      draft: chargerOf(this.#draft, model, group, read),
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
