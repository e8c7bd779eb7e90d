import type { ColumnRole } from '#contract/channel/reconcile.ts';
import { type Entry, type Measure, measures } from './entry.ts';
import type { FileColumns } from './file-shapes.ts';
import { type DecimalSign, inPlaces, statedNumber } from './file-numbers.ts';
import type { FileTimes } from './file-times.ts';
import type { TableRow } from './table-reader.ts';
import { unreadable } from './unreadable.ts';

/** The measures that a row is about, in bills with one amount per row. */
const KINDS: Readonly<Record<string, readonly Exclude<Measure, 'money'>[]>> = {
  input_cache_hit_tokens: ['input', 'cached'],
  input_cache_miss_tokens: ['input'],
  input_tokens: ['input'],
  prompt_tokens: ['input'],
  output_tokens: ['output'],
  completion_tokens: ['output'],
  request_count: ['calls'],
};

const AMOUNTS = ['input', 'output', 'cached', 'cost', 'calls', 'amount'] as const;
const TOTAL = /^(?:(?:sub|grand)[ -]?)?(?:total|sum|合计|总计|小计)/i;
const NANO_PLACES = 9;
/** A million of the currency in one row. */
const MONEY_MAX = 10n ** 15n;
const COUNT_MAX = 10n ** 12n;
/** Half a cent: more is no rounding. */
const SLACK_MAX = 5_000_000;
/** Both sides round to the billionth. */
const SLACK_LEAST = 2;
const SHOWN_MAX_LENGTH = 40;
const ID_MAX_LENGTH = 200;

/** How a file is read. */
export interface FileReading {
  readonly columns: FileColumns;
  readonly times: FileTimes;
  readonly sign: DecimalSign;
  /** Only rows with this text in the column of keys; undefined for all. */
  readonly key: string | undefined;
}

/** Rows that are not compared. */
export interface LeftOut {
  totals: number;
  /** Rows of other keys. */
  otherKeys: number;
  /** Rows with a time and nothing else. */
  empty: number;
}

/** Reads the rows of one file. A cell that cannot be read is an error with its line. */
export class FileEntries {
  readonly leftOut: LeftOut = { totals: 0, otherKeys: 0, empty: 0 };
  /** Whether every time so far had no time of day. */
  areDays = true;
  readonly #reading: FileReading;
  readonly #header: readonly string[];
  readonly #places: ReadonlyMap<ColumnRole, readonly number[]>;
  readonly #stated = new Set<ColumnRole>();
  #moneyPlaces = 0;

  constructor(header: readonly string[], reading: FileReading) {
    this.#reading = reading;
    this.#header = header;
    this.#places = new Map(
      Object.entries(reading.columns).map(([role, titles]) => [
        role as ColumnRole,
        titles.map((title) => placeOf(header, title)),
      ]),
    );
    if (!this.#has('time')) throw unreadable('reconcile_no_time');
    if (!AMOUNTS.some((role) => this.#has(role))) throw unreadable('reconcile_no_amounts');
  }

  /** What the rows so far state: a column that is empty in all of them says nothing. */
  get measures(): readonly Measure[] {
    if (this.#has('kind')) return ['calls', 'input', 'output', 'cached'];
    return measures.filter((measure) => this.#stated.has(measure === 'money' ? 'cost' : measure));
  }

  get hasModels(): boolean {
    return this.#has('model');
  }

  get hasIds(): boolean {
    return this.#has('id');
  }

  /** Whether its rows are sums. */
  get areSums(): boolean {
    return this.#has('calls') || this.#has('kind') || this.areDays;
  }

  /** How far an amount of one row may be off because the file rounds it, in billionths. */
  get slackOfRow(): number {
    const half = 0.5 * 10 ** (NANO_PLACES - this.#moneyPlaces);
    return Math.min(SLACK_MAX, Math.max(SLACK_LEAST, half));
  }

  /** Undefined for a row that is not compared, which is counted. */
  read({ line, cells }: TableRow): Entry | undefined {
    const cellOf = (role: ColumnRole): string =>
      cells[this.#places.get(role)?.[0] ?? cells.length]?.trim() ?? '';
    const time = cellOf('time');
    const isTotal = TOTAL.test(cells.find((cell) => cell.trim() !== '')?.trim() ?? '');
    if (isTotal || (time === '' && !this.#hasAmounts(cells))) {
      this.leftOut.totals += 1;
      return undefined;
    }
    const { key, times } = this.#reading;
    if (key !== undefined && cellOf('key') !== key) {
      this.leftOut.otherKeys += 1;
      return undefined;
    }
    if (!this.#hasAmounts(cells)) {
      this.leftOut.empty += 1;
      return undefined;
    }
    const stated = times.read(time);
    if (stated === undefined) throw this.#bad('reconcile_bad_time', 'time', line, time);
    if (!stated.isDay) this.areDays = false;
    return {
      ref: String(line),
      atMs: stated.atMs,
      untilMs: stated.atMs,
      // `gpt-4o-2024-08-06, input` is a line of a cost export.
      model: cellOf('model').split(', ')[0] ?? '',
      id: cellOf('id').slice(0, ID_MAX_LENGTH) || undefined,
      ...(this.#has('kind') ? this.#kind(cells, line) : this.#amounts(cells, line)),
      rows: 1,
    };
  }

  #hasAmounts(cells: readonly string[]): boolean {
    return AMOUNTS.some((role) =>
      (this.#places.get(role) ?? []).some((place) => (cells[place] ?? '').trim() !== ''),
    );
  }

  #has(role: ColumnRole): boolean {
    return (this.#places.get(role)?.length ?? 0) > 0;
  }

  #kind(cells: readonly string[], line: number): Pick<Entry, Measure> {
    const kind = cells[this.#places.get('kind')?.[0] ?? cells.length]?.trim().toLowerCase() ?? '';
    const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
    if (known === undefined) throw this.#bad('reconcile_bad_kind', 'kind', line, kind);
    const amount = this.#count('amount', cells, line);
    const of = (measure: Exclude<Measure, 'money'>): number => (known.includes(measure) ? (amount ?? 0) : 0);
    return {
      calls: of('calls'),
      input: of('input'),
      output: of('output'),
      cached: of('cached'),
      money: undefined,
    };
  }

  #amounts(cells: readonly string[], line: number): Pick<Entry, Measure> {
    return {
      calls: this.#has('calls') ? this.#count('calls', cells, line) : 1,
      input: this.#count('input', cells, line),
      output: this.#count('output', cells, line),
      cached: this.#count('cached', cells, line),
      money: this.#money(cells, line),
    };
  }

  /** The sum of the role's columns; undefined if all of their cells are empty. */
  #sum(
    role: ColumnRole,
    cells: readonly string[],
    line: number,
    add: (cell: string) => bigint | undefined,
  ): number | undefined {
    const places = this.#places.get(role) ?? [];
    if (places.every((place) => (cells[place] ?? '').trim() === '')) return undefined;
    this.#stated.add(role);
    let sum = 0n;
    const most = role === 'cost' ? MONEY_MAX : COUNT_MAX;
    for (const place of places) {
      const cell = (cells[place] ?? '').trim();
      const value = cell === '' ? 0n : add(cell);
      if (value === undefined || value > most || value < -most)
        throw this.#bad('reconcile_bad_number', role, line, cell);
      sum += value;
    }
    return Number(sum);
  }

  #count(role: ColumnRole, cells: readonly string[], line: number): number | undefined {
    return this.#sum(role, cells, line, (cell) => {
      const stated = statedNumber(cell, this.#reading.sign);
      if (stated === undefined) return undefined;
      const whole = inPlaces(stated, 0);
      return inPlaces(stated, NANO_PLACES) === whole * 10n ** BigInt(NANO_PLACES) ? whole : undefined;
    });
  }

  #money(cells: readonly string[], line: number): number | undefined {
    return this.#sum('cost', cells, line, (cell) => {
      const stated = statedNumber(cell, this.#reading.sign);
      if (stated === undefined) return undefined;
      this.#moneyPlaces = Math.max(this.#moneyPlaces, Math.min(NANO_PLACES, stated.places));
      return inPlaces(stated, NANO_PLACES);
    });
  }

  #bad(key: Parameters<typeof unreadable>[0], role: ColumnRole, line: number, cell: string) {
    const column = this.#header[this.#places.get(role)?.[0] ?? -1] ?? '';
    return unreadable(key, { line, column, cell: cell.slice(0, SHOWN_MAX_LENGTH) });
  }
}

const placeOf = (header: readonly string[], title: string): number => {
  const place = header.indexOf(title);
  if (place === -1) throw unreadable('reconcile_no_column', { column: title.slice(0, SHOWN_MAX_LENGTH) });
  return place;
};
