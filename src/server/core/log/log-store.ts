import type { Page, PageRequest } from '../paging.ts';
import type { CallLog, EventLog, LogRow } from './log.ts';

/** Absent fields match anything. Times are inclusive. */
export interface LogFilter {
  readonly userId?: number;
  readonly type?: number;
  readonly username?: string;
  readonly tokenId?: number;
  /** Part of a token's name, in any case; with `=` before it the whole name. */
  readonly tokenNamePart?: string;
  /** The same of a model's name. */
  readonly modelPart?: string;
  readonly channelId?: number;
  readonly group?: string;
  readonly program?: string;
  readonly requestId?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** What to export: without `withDetails` rows come without what only details show (`other`). */
export interface LogExportFilter extends LogFilter {
  readonly withDetails?: boolean;
}

/** Sums of the calls under a filter. */
export interface LogStat {
  readonly quotaUnits: number;
  /** Calls of the last 60 seconds. */
  readonly callsPerMinute: number;
  /** Tokens in and out of the last 60 seconds. */
  readonly tokensPerMinute: number;
}

/** Every row under a filter, newest first, read in pages as they are asked for. */
export interface LogExport {
  readonly total: number;
  readonly pages: AsyncIterable<readonly LogRow[]>;
}

/** One page of logs, and how many rows match. */
export interface LogPage extends Page<LogRow> {
  /** Only rows since then were sorted, and counted: there are more than are sorted at once. */
  readonly sortedSinceMs?: number;
}

/**
 * Logs, newest first. No method counts the whole table: with a million rows, any page under any filter takes at most
 * 100 ms in the order of time, and the rates of `stat` at most 20 ms. By `times`, `prompt`, `completion` or `cost` the newest
 * million rows of the span are sorted, in a tenth of a second.
 */
export interface LogStore {
  page(filter: LogFilter, page: PageRequest): Promise<LogPage>;
  export(filter: LogExportFilter): Promise<LogExport>;
  stat(filter: LogFilter, nowMs: number): Promise<LogStat>;
  append(event: EventLog): Promise<void>;
  /** Adds the row of a call that never had a hold; the ledger writes all others. */
  appendCall(call: CallLog): Promise<void>;
}
