import type { Page, PageRequest } from '../paging.ts';
import type { CallLog, EventLog, LogRow } from './log.ts';

/** Absent means any. Times are inclusive. */
export interface LogFilter {
  readonly userId?: number;
  readonly type?: number;
  readonly username?: string;
  readonly tokenName?: string;
  readonly model?: string;
  readonly channelId?: number;
  readonly group?: string;
  readonly requestId?: string;
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface LogStat {
  readonly quotaUnits: number;
  /** Calls of the last 60 seconds. */
  readonly callsPerMinute: number;
  /** Tokens in and out of the last 60 seconds. */
  readonly tokensPerMinute: number;
}

/**
 * Logs, newest first. With a million rows any page under any filter answers within 100 ms and `stat`
 * within 20 ms for the rates: no method counts the whole table.
 */
export interface LogStore {
  page(filter: LogFilter, page: PageRequest): Promise<Page<LogRow>>;
  stat(filter: LogFilter, nowMs: number): Promise<LogStat>;
  append(event: EventLog): Promise<void>;
  /** The row of a call that never held anything: all others come from the ledger. */
  appendCall(call: CallLog): Promise<void>;
}
