import type { ColumnRole } from '#contract/channel/reconcile.ts';
import type { CurrencyRates } from '#contract/channel/channel-cost.ts';
import { dollarsOn } from '../cost/cost.ts';
import { ONE } from '../quota/decimal.ts';
import { type Comparison, compareSides, DaySums } from './compare.ts';
import type { Entry } from './entry.ts';
import { FileEntries, type LeftOut } from './file-entries.ts';
import { decimalSignOf, type DecimalSign } from './file-numbers.ts';
import { type FileColumns, guessColumns } from './file-shapes.ts';
import { FileText } from './file-text.ts';
import { type DateOrder, dateOrderOf, FileTimes } from './file-times.ts';
import { TableReader, type TableRow } from './table-reader.ts';
import { unreadable } from './unreadable.ts';
import { DAY_MS } from '../time/spans.ts';

const ROWS_MAX = 1_000_000;
const DAYS_MAX = 400;
/** Rows that decide how dates and decimals are written. */
const LOOKED_AT = 1000;
const NUMBER_ROLES: readonly ColumnRole[] = ['input', 'output', 'cached', 'cost', 'calls', 'amount'];

/** How a file is compared; what is missing is guessed from it. */
export interface ReconcileAsked {
  readonly columns?: FileColumns | undefined;
  readonly zone: string;
  readonly dateOrder?: DateOrder | undefined;
  readonly decimalSign?: DecimalSign | undefined;
  readonly key?: string | undefined;
  readonly by?: 'call' | 'day' | undefined;
  readonly windowMs: number;
  /** Only rows from then on, and until then. */
  readonly fromMs?: number | undefined;
  readonly untilMs?: number | undefined;
  readonly currency: string;
  readonly rates: CurrencyRates;
}

/** One of our calls to the channels. */
export interface OwnCall {
  readonly requestId: string;
  readonly createdAtMs: number;
  readonly useTimeMs: number;
  /** As the upstream was asked for it. */
  readonly model: string;
  /** The upstream's id of its answer. */
  readonly upstreamId: string | undefined;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly costNano: number | undefined;
}

/** What the file is about. */
export interface FileSpan {
  readonly by: 'call' | 'day';
  readonly fromMs: number;
  readonly untilMs: number;
  /** Calls before and after may be partners of its rows. */
  readonly paddingMs: number;
}

export interface ReconcileResult {
  readonly comparison: Comparison;
  readonly leftOut: LeftOut;
  /** Rows before and after the span. */
  readonly outside: number;
  readonly slackOfRow: number;
  readonly currency: string;
  readonly dateOf: (atMs: number) => string;
}

/** A file of an upstream against our calls: first the file in pieces, then the calls, then the result. */
export class Reconciliation {
  readonly #asked: ReconcileAsked;
  readonly #text = new FileText();
  readonly #table = new TableReader();
  readonly #first: TableRow[] = [];
  readonly #theirs: Entry[] = [];
  readonly #ours: Entry[] = [];
  #entries: FileEntries | undefined;
  #times: FileTimes | undefined;
  #days: DaySums | undefined;
  #span: FileSpan | undefined;
  #outside = 0;
  /** The sum of all sizes, so that no sum of some of them is inexact. */
  #size = 0;

  constructor(asked: ReconcileAsked) {
    this.#asked = asked;
  }

  addPiece(piece: Uint8Array): void {
    this.#addRows(this.#table.add(this.#text.add(piece)));
  }

  /** Ends the file. @returns which calls to compare it with */
  endFile(): FileSpan {
    this.#addRows(this.#table.add(this.#text.end(), 'last'));
    const { entries, times } = this.#begin();
    const isByDay = this.#asked.by === 'day' || (this.#asked.by === undefined && entries.areSums);
    if (!isByDay && entries.areSums) throw unreadable('reconcile_only_days');
    const [first, last] = this.#edges();
    const fromMs = this.#asked.fromMs ?? (isByDay ? times.dayOf(first) : first);
    const untilMs = this.#asked.untilMs ?? (isByDay ? times.endOfDay(last) - 1 : last);
    if (untilMs - fromMs > DAYS_MAX * DAY_MS) throw unreadable('reconcile_span', { days: DAYS_MAX });
    if (isByDay) this.#days = new DaySums((atMs) => times.dayOf(atMs));
    this.#span = {
      by: isByDay ? 'day' : 'call',
      fromMs,
      untilMs,
      paddingMs: isByDay ? 0 : this.#asked.windowMs + DAY_MS / 24,
    };
    return this.#span;
  }

  addOwn(call: OwnCall): void {
    const { entries } = this.#begin();
    const entry: Entry = {
      ref: call.requestId,
      atMs: call.createdAtMs,
      untilMs: call.createdAtMs + call.useTimeMs,
      model: entries.hasModels ? call.model : '',
      id: call.upstreamId,
      calls: 1,
      input: call.promptTokens,
      output: call.completionTokens,
      cached: call.cachedTokens,
      money: this.#inCurrency(call),
      rows: 1,
    };
    if (this.#days !== undefined) this.#days.add(entry);
    else if (this.#ours.length < ROWS_MAX) this.#ours.push(entry);
    else throw unreadable('reconcile_many_calls', { most: ROWS_MAX });
  }

  compare(): ReconcileResult {
    const { entries, times } = this.#begin();
    const span = this.#span;
    if (span === undefined) throw new Error('the file has not ended');
    const { slackOfRow, measures, leftOut } = entries;
    const rule = { ...span, measures, slackOfRow, windowMs: this.#asked.windowMs };
    const dayOf = (atMs: number): number => times.dayOf(atMs);
    const ours = this.#days?.entries ?? this.#ours;
    return {
      comparison: compareSides(ours, this.#theirs, { ...rule, dayOf }),
      leftOut,
      outside: this.#outside,
      slackOfRow,
      currency: this.#asked.currency,
      dateOf: (atMs) => times.dateOf(atMs),
    };
  }

  #addRows(rows: Iterable<TableRow>): void {
    for (const row of rows) {
      if (this.#entries !== undefined) this.#addRow(row);
      else if (this.#first.push(row) >= LOOKED_AT) this.#begin();
    }
  }

  /** Decides how to read the file from its first rows, and reads them. */
  #begin(): { readonly entries: FileEntries; readonly times: FileTimes } {
    if (this.#entries !== undefined && this.#times !== undefined)
      return { entries: this.#entries, times: this.#times };
    const header = this.#table.header ?? [];
    const { zone, key, dateOrder, decimalSign } = this.#asked;
    const columns = this.#asked.columns ?? guessColumns(header).columns;
    const cells = (roles: readonly ColumnRole[]): string[] => {
      const places = roles.flatMap((role) => (columns[role] ?? []).map((title) => header.indexOf(title)));
      return this.#first.flatMap((row) => places.map((place) => row.cells[place]?.trim() ?? ''));
    };
    const order = dateOrder ?? dateOrderOf(cells(['time']));
    if (order === undefined) throw unreadable('reconcile_date_order');
    const times = (this.#times = new FileTimes(zone, order === 'none' ? 'month-first' : order));
    const sign = decimalSign ?? decimalSignOf(cells(NUMBER_ROLES));
    const entries = (this.#entries = new FileEntries(header, { columns, times, sign, key }));
    for (const row of this.#first.splice(0)) this.#addRow(row);
    return { entries, times };
  }

  #addRow(row: TableRow): void {
    const entry = this.#entries?.read(row);
    if (entry === undefined) return;
    const { fromMs = -Infinity, untilMs = Infinity } = this.#asked;
    if (entry.atMs < fromMs || entry.atMs > untilMs) {
      this.#outside += 1;
      return;
    }
    if (this.#theirs.length >= ROWS_MAX) throw unreadable('reconcile_many_rows', { most: ROWS_MAX });
    this.#size += Math.abs(entry.money ?? 0) + Math.abs(entry.input ?? 0) + Math.abs(entry.output ?? 0);
    if (this.#size > Number.MAX_SAFE_INTEGER) throw unreadable('reconcile_large_sums', { line: row.line });
    this.#theirs.push(entry);
  }

  #edges(): readonly [number, number] {
    let [first, last] = [Infinity, -Infinity];
    for (const { atMs } of this.#theirs) {
      first = Math.min(first, atMs);
      last = Math.max(last, atMs);
    }
    if (first === Infinity) throw unreadable('reconcile_no_rows');
    return [first, last];
  }

  /** What a call costs us in the file's currency, by the rate of its day. */
  #inCurrency({ costNano, createdAtMs }: OwnCall): number | undefined {
    if (costNano === undefined) return undefined;
    const rate = dollarsOn(this.#asked.currency, this.#asked.rates, createdAtMs);
    if (rate === undefined || rate === ONE) return rate === undefined ? undefined : costNano;
    return Number((BigInt(costNano) * ONE * 2n + rate) / (rate * 2n));
  }
}

/** The titles and first rows of a file by its beginning, and what its columns seem to be. */
export const lookAtFile = (head: Uint8Array, isWhole: boolean, rowsMax: number) => {
  const text = new FileText();
  const table = new TableReader();
  const rows = [...table.add(text.add(head)), ...(isWhole ? table.add(text.end(), 'last') : [])];
  if (table.header === undefined) throw unreadable('reconcile_no_header');
  return { ...guessColumns(table.header), header: table.header, rows: rows.slice(0, rowsMax) };
};
