import { logType } from '#contract/codes.ts';
import { eventRow } from '#core/log/event-row.ts';
import type { CallLog } from '#core/log/log.ts';
import type { LogFilter, LogStat, LogStore } from '#core/log/log-store.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../database/database.ts';
import { countByStretch } from './log-count.ts';
import { exportLogs } from './log-export.ts';
import { matching, type Numbers, numbersOf, spanOf } from './log-filter.ts';
import { readLogPage } from './log-page.ts';
import type { Schema } from '../database/schema.ts';
import { unavailable } from '#core/error.ts';
import { MINUTE_MS } from '#core/time/spans.ts';

/** Charged calls and their tokens of the last minute. */
export const rates = async (reader: Kysely<Schema>, numbers: Numbers, nowMs: number) => {
  const { calls, prompt, completion } = await reader
    .selectFrom('logs')
    .select((is) => [
      is.fn.countAll<number>().as('calls'),
      is.fn.sum<number | null>('prompt_tokens').as('prompt'),
      is.fn.sum<number | null>('completion_tokens').as('completion'),
    ])
    .where('created_at', '>', nowMs - MINUTE_MS)
    .where('created_at', '<=', nowMs)
    .where(matching(numbers))
    .executeTakeFirstOrThrow();
  return { callsPerMinute: calls, tokensPerMinute: (prompt ?? 0) + (completion ?? 0) };
};

/** Only calls that were charged count, whatever type the filter names. */
const stat = async (reader: Kysely<Schema>, filter: LogFilter, nowMs: number): Promise<LogStat> => {
  const numbers = await numbersOf(reader, { ...filter, type: logType.consume });
  if (numbers === undefined) return { quotaUnits: 0, callsPerMinute: 0, tokensPerMinute: 0 };
  const rate = await rates(reader, numbers, nowMs);
  const charged =
    filter.requestId === undefined
      ? await countByStretch(reader, numbers, spanOf(filter))
      : (await readLogPage(reader, { ...filter, type: logType.consume }, { page: 1, pageSize: 1 })).items;
  return { ...rate, quotaUnits: charged.reduce((sum, { quotaUnits }) => sum + quotaUnits, 0) };
};

const note = async (database: Database, log: CallLog): Promise<void> => {
  const [outcome] = await database.runLedger([{ op: 'note', log }]);
  if (typeof outcome === 'object' && 'failed' in outcome) throw unavailable(new Error(outcome.failed));
};

/** Logs in the database. A username in a filter is the account that has it now. */
export const createLogStore = (database: Database): LogStore => ({
  page: (filter, page) => readLogPage(database.reader, filter, page),
  export: (filter) => exportLogs(database.reader, filter),
  stat: (filter, nowMs) => stat(database.reader, filter, nowMs),
  append: (event) => note(database, eventRow(event)),
  appendCall: (call) => note(database, call),
});
