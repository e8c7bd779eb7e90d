import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { LogEntry } from '#core/ledger/book.ts';
import type { CallLog } from '#core/log/log.ts';
import { logType } from '#contract/codes.ts';
import { valuesOf } from '../../ledger/flat-records.ts';
import type { LogDaysTable, UsageHoursTable } from '../../database/log-schema.ts';
import { HOUR_MS } from '#core/time/spans.ts';

const HOURS_A_DAY = 24;

/** A table of sums: its key columns, in the order of the primary key, and the columns that are added up. */
export interface Sums<Row> {
  readonly table: string;
  readonly key: readonly string[];
  readonly added: readonly string[];
  /** All columns, in the order in which both engines write them. */
  readonly columns: readonly string[];
  readonly keyOf: (row: Row) => number[];
  readonly valuesOf: (row: Row) => number[];
}

/** Every column of a table is in exactly one of two lists; anything else does not compile. */
const allOf =
  <Row extends Record<keyof Row, number>>() =>
  <const Key extends keyof Row & string, const Added extends Exclude<keyof Row & string, Key>>(
    table: string,
    key: readonly Key[],
    added: readonly Added[] & ([Exclude<keyof Row, Key | Added>] extends [never] ? unknown : never),
  ): Sums<Row> => {
    const columns = [...key, ...added];
    return { table, key, added, columns, keyOf: valuesOf<Row>(key), valuesOf: valuesOf<Row>(columns) };
  };

/** `usage_hours`: sums of calls by hour and by everything usage is split by. */
export const hourSums = allOf<UsageHoursTable>()(
  'usage_hours',
  [
    'hour',
    'type',
    'user_id',
    'token_id',
    'token_name_id',
    'model_id',
    'channel_id',
    'group_id',
    'program_id',
  ],
  [
    'calls',
    'quota',
    'prompt_tokens',
    'completion_tokens',
    'log_rows',
    'log_quota',
    'cost',
    'uncosted_calls',
    'uncosted_quota',
    'cached_tokens',
    'saved',
  ],
);

/** `log_days`: sums of log rows by day. */
export const daySums = allOf<LogDaysTable>()(
  'log_days',
  ['day', 'type', 'model_id', 'channel_id', 'group_id'],
  ['log_rows', 'log_quota'],
);

/** Adds `rows` (a list of values or a query, in the order of the columns) to the stored sums. */
export const addSums = <Row>({ table, key, added, columns }: Sums<Row>, rows: string): string => {
  const more = added.map((column) => `${column} = ${table}.${column} + excluded.${column}`);
  return `INSERT INTO ${table} (${columns.join(', ')}) ${rows}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${more.join(', ')}`;
};

/** The values of each row in the order of the columns, sorted by key: concurrent writers use the same order. */
const inOrder = <Row>(sums: Sums<Row>, rows: readonly Row[]): number[][] =>
  rows.map((row) => sums.valuesOf(row)).sort((one, other) => compareKeys(one, other, sums.key.length));

const compareKeys = (one: readonly number[], other: readonly number[], width: number): number => {
  for (let at = 0; at < width; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Charges with an unknown cost are counted separately: they are not margin. */
const addCost = (sum: UsageHoursTable, { type, costNano, isHouse }: CallLog, quotaUnits: number): void => {
  if (costNano !== undefined) sum.cost += costNano;
  else if (type === logType.consume && isHouse !== true) {
    sum.uncosted_calls += 1;
    sum.uncosted_quota += quotaUnits;
  }
};

/** The hourly sums of a batch of log rows, one per key. */
const hoursOf = (entries: readonly LogEntry[], nameId: (name: string) => number): UsageHoursTable[] => {
  const sums = new Map<string, UsageHoursTable>();
  for (const { log, quotaUnits, written } of entries) {
    const fresh: UsageHoursTable = {
      hour: Math.floor(log.createdAtMs / HOUR_MS),
      type: log.type,
      user_id: log.userId,
      token_id: log.tokenId,
      token_name_id: nameId(log.tokenName),
      model_id: nameId(log.model),
      channel_id: log.channelId,
      group_id: nameId(log.group),
      program_id: nameId(log.program ?? ''),
      calls: 0,
      quota: 0,
      prompt_tokens: 0,
      completion_tokens: 0,
      log_rows: 0,
      log_quota: 0,
      cost: 0,
      uncosted_calls: 0,
      uncosted_quota: 0,
      cached_tokens: 0,
      saved: 0,
    };
    const key = hourSums.keyOf(fresh).join(' ');
    const sum = sums.get(key) ?? fresh;
    sum.calls += 1;
    sum.quota += quotaUnits;
    addCost(sum, log, quotaUnits);
    sum.prompt_tokens += promptTokens(log.usage);
    sum.completion_tokens += completionTokens(log.usage);
    sum.cached_tokens += log.usage.cacheReadTokens;
    sum.saved += log.savedUnits ?? 0;
    if (written) {
      sum.log_rows += 1;
      sum.log_quota += quotaUnits;
    }
    sums.set(key, sum);
  }
  return [...sums.values()];
};

/** The same per day, regardless of caller; excludes calls that were not logged. */
const daysOf = (hours: readonly UsageHoursTable[]): LogDaysTable[] => {
  const sums = new Map<string, LogDaysTable>();
  for (const { hour, type, model_id, channel_id, group_id, log_rows, log_quota } of hours) {
    if (log_rows === 0) continue;
    const day = Math.floor(hour / HOURS_A_DAY);
    const fresh = { day, type, model_id, channel_id, group_id, log_rows: 0, log_quota: 0 };
    const key = daySums.keyOf(fresh).join(' ');
    const sum = sums.get(key) ?? fresh;
    sum.log_rows += log_rows;
    sum.log_quota += log_quota;
    sums.set(key, sum);
  }
  return [...sums.values()];
};

/** What a batch of log rows adds to both tables: values in the order of their columns, sorted by key. */
export const sumsOf = (
  entries: readonly LogEntry[],
  nameId: (name: string) => number,
): { readonly hours: number[][]; readonly days: number[][] } => {
  const hours = hoursOf(entries, nameId);
  return { hours: inOrder(hourSums, hours), days: inOrder(daySums, daysOf(hours)) };
};

/** What a batch adds to the counters of channels, ordered by id. */
export const channelSums = (entries: readonly LogEntry[]): [number, number][] =>
  sumsBy(entries, ({ channelId }) => channelId);

/** The same for the keys of pools. */
export const keySums = (entries: readonly LogEntry[]): [number, number][] =>
  sumsBy(entries, ({ keyId = 0 }) => keyId);

const sumsBy = (entries: readonly LogEntry[], idOf: (log: CallLog) => number): [number, number][] => {
  const sums = new Map<number, number>();
  for (const { log, quotaUnits } of entries) {
    const id = idOf(log);
    if (log.type !== logType.consume || id === 0 || quotaUnits === 0) continue;
    sums.set(id, (sums.get(id) ?? 0) + quotaUnits);
  }
  return [...sums].sort(([one], [other]) => one - other);
};
