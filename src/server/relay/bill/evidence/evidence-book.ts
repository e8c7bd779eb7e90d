import {
  type EvidenceMeasure,
  type EvidenceRow,
  type EvidenceStore,
  MORE_THAN_PROMPT,
  ratioBucket,
  timeBucket,
  TOLD,
} from '#core/evidence/evidence.ts';
import type { Log } from '#core/logging.ts';
import { DAY_MS } from '#core/time/spans.ts';

interface Counted {
  readonly reported: number;
  readonly counted: number;
}

/** What one answered call says about its upstream. */
export interface Observation {
  readonly channelId: number;
  /** As the caller named it. */
  readonly model: string;
  readonly atMs: number;
  readonly tokens: number;
  readonly named: string | undefined;
  readonly isOther: boolean;
  readonly output: Counted | undefined;
  readonly prompt: Counted | undefined;
  /** The tokens reported for thoughts, if none were asked for or shown. */
  readonly hiddenTokens: number | undefined;
  readonly firstTokenMs: number | undefined;
  readonly cacheTokens: number;
  readonly isCacheOdd: boolean;
  /** It reports more tokens than are possible. */
  readonly isImpossible: boolean;
}

const WRITE_AFTER_MS = 10_000;
/** The most names of one channel and model on one day; further ones are counted together. */
const MOST_NAMES = 20;
/** The most pairs of channel and model whose names are remembered. */
const MOST_NAMED = 10_000;
/** With more books than this, they are written at once. */
const MOST_BOOKS = 2000;
const OTHERS = '…';

interface Sum {
  calls: number;
  amount: number;
}

/** The sums of one channel and model. */
interface Book {
  readonly channelId: number;
  readonly model: string;
  readonly day: number;
  readonly sums: Map<EvidenceMeasure, Map<string, Sum>>;
}

/** By day, channel and model. In steps, because a joined name would be written and hashed for every call. */
type Books = Map<number, Map<number, Map<string, Book>>>;

/**
 * Collects observations of answered calls in memory, and adds them to the store from time to time. A crash loses
 * seconds.
 */
export class EvidenceBook {
  readonly #store: Pick<EvidenceStore, 'add'>;
  readonly #log: Log;
  #books: Books = new Map();
  #bookCount = 0;
  /** The day's names by channel and model. They outlive a flush, so that the limit holds for the whole day. */
  readonly #names = new Map<string, Set<string>>();
  #namesDay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<EvidenceStore, 'add'>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Takes a few lookups. */
  note(seen: Observation): void {
    const { sums } = this.#book(seen);
    add(sums, 'calls', '', seen.tokens);
    if (seen.named !== undefined) add(sums, 'named', seen.isOther ? this.#nameOf(seen, seen.named) : '', 0);
    addRatio(sums, 'output', seen.output);
    addRatio(sums, 'prompt', seen.prompt);
    if (seen.hiddenTokens !== undefined)
      add(sums, 'hidden', seen.hiddenTokens > 0 ? TOLD : '', seen.hiddenTokens);
    if (seen.firstTokenMs !== undefined)
      add(sums, 'first_token', String(timeBucket(seen.firstTokenMs)), Math.round(seen.firstTokenMs));
    if (seen.cacheTokens > 0) add(sums, 'cache', seen.isCacheOdd ? MORE_THAN_PROMPT : '', seen.cacheTokens);
    if (seen.isImpossible) add(sums, 'impossible', '', seen.tokens);
    if (this.#bookCount > MOST_BOOKS) void this.flush();
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }

  /** Writes what was collected. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#books.values()].flatMap((ofDay) =>
      [...ofDay.values()].flatMap((ofChannel) => [...ofChannel.values()].flatMap(rowsOf)),
    );
    this.#books = new Map();
    this.#bookCount = 0;
    if (rows.length === 0) return;
    try {
      await this.#store.add(rows);
    } catch (error) {
      this.#log.error('evidence about channels could not be written', { error, rows: rows.length });
    }
  }

  /** Returns the name, or `OTHERS` if the day has too many names. */
  #nameOf({ channelId, model, atMs }: Observation, name: string): string {
    const day = Math.floor(atMs / DAY_MS);
    if (day > this.#namesDay || this.#names.size > MOST_NAMED) {
      this.#names.clear();
      this.#namesDay = day;
    }
    const key = `${String(channelId)} ${model}`;
    const names = this.#names.get(key) ?? new Set<string>();
    this.#names.set(key, names);
    if (!names.has(name) && names.size >= MOST_NAMES) return OTHERS;
    names.add(name);
    return name;
  }

  #book({ channelId, model, atMs }: Observation): Book {
    const day = Math.floor(atMs / DAY_MS);
    const known = this.#books.get(day)?.get(channelId)?.get(model);
    if (known !== undefined) return known;
    const ofDay = this.#books.get(day) ?? new Map<number, Map<string, Book>>();
    const ofChannel = ofDay.get(channelId) ?? new Map<string, Book>();
    const book: Book = { channelId, model, day, sums: new Map() };
    this.#books.set(day, ofDay.set(channelId, ofChannel.set(model, book)));
    this.#bookCount += 1;
    return book;
  }
}

const add = (sums: Book['sums'], measure: EvidenceMeasure, detail: string, amount: number): void => {
  let details = sums.get(measure);
  if (details === undefined) sums.set(measure, (details = new Map<string, Sum>()));
  const sum = details.get(detail);
  if (sum === undefined) details.set(detail, { calls: 1, amount });
  else {
    sum.calls += 1;
    sum.amount += amount;
  }
};

const addRatio = (sums: Book['sums'], measure: 'output' | 'prompt', seen: Counted | undefined): void => {
  if (seen === undefined || seen.reported <= 0) return;
  add(sums, measure, String(ratioBucket(seen.reported, seen.counted)), seen.reported - seen.counted);
};

const rowsOf = ({ channelId, model, day, sums }: Book): EvidenceRow[] =>
  [...sums].flatMap(([measure, details]) =>
    [...details].map(([detail, sum]) => ({ channelId, model, day, measure, detail, ...sum })),
  );
