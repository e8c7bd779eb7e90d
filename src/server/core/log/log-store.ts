import type { Page, PageRequest } from '../paging.ts';
import type { CallLog, EventLog, LogRow } from './log.ts';

/** Missing fields match everything. Times are inclusive. */
export interface LogFilter {
  readonly userId?: number;
  readonly type?: number;
  readonly username?: string;
  readonly tokenId?: number;
  /** Part of a token's name, ignoring case; with a leading `=` the whole name. */
  readonly tokenNamePart?: string;
  /** The same for a model's name. */
  readonly modelPart?: string;
  readonly channelId?: number;
  readonly group?: string;
  readonly program?: string;
  readonly requestId?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** What to export. Without `withDetails`, rows come without `other`, which only details show. */
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

/** Every row that matches a filter, newest first, read in pages on demand. */
export interface LogExport {
  readonly total: number;
  readonly pages: AsyncIterable<readonly LogRow[]>;
}

/** One page of logs, and how many rows match. */
export interface LogPage extends Page<LogRow> {
  /** Set if there are too many rows to sort: only rows since then were sorted and counted. */
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
