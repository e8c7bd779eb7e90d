import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { LogEntry } from '#core/ledger/book.ts';
import { logType } from '#contract/codes.ts';

export const HOUR_MS = 3_600_000;

/** hour, type, user, token name, model, channel, group | calls, quota, prompt and completion tokens, log rows, log quota */
export type UsageSum = [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** The hourly sums a batch of log rows adds up to, one per key, in the order of the key. */
export const usageSums = (entries: readonly LogEntry[], nameId: (name: string) => number): UsageSum[] => {
  const sums = new Map<string, UsageSum>();
  for (const { log, quotaUnits, written } of entries) {
    const key = [
      Math.floor(log.createdAtMs / HOUR_MS),
      log.type,
      log.userId,
      nameId(log.tokenName),
      nameId(log.model),
      log.channelId,
      nameId(log.group),
    ] as const;
    const text = key.join(' ');
    const sum = sums.get(text) ?? [...key, 0, 0, 0, 0, 0, 0];
    sum[7] += 1;
    sum[8] += quotaUnits;
    sum[9] += promptTokens(log.usage);
    sum[10] += completionTokens(log.usage);
    if (written) {
      sum[11] += 1;
      sum[12] += quotaUnits;
    }
    sums.set(text, sum);
  }
  return [...sums.values()].sort((one, other) => compareKeys(one, other, 7));
};

const compareKeys = (one: readonly number[], other: readonly number[], width: number): number => {
  for (let at = 0; at < width; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** day, type, model, channel, group | log rows, log quota */
export type DaySum = [number, number, number, number, number, number, number];

/** The same by the day and without who called, in the order of the key; what was not logged is left out. */
export const daySums = (sums: readonly UsageSum[]): DaySum[] => {
  const days = new Map<string, DaySum>();
  for (const [hour, type, , , model, channel, group, , , , , rows, quota] of sums) {
    if (rows === 0) continue;
    const key = [Math.floor(hour / 24), type, model, channel, group] as const;
    const text = key.join(' ');
    const total = days.get(text) ?? [...key, 0, 0];
    total[5] += rows;
    total[6] += quota;
    days.set(text, total);
  }
  return [...days.values()].sort((one, other) => compareKeys(one, other, 5));
};

/** What a batch adds to the counters of channels, in the order of their ids. */
export const channelSums = (entries: readonly LogEntry[]): [number, number][] => {
  const sums = new Map<number, number>();
  for (const { log, quotaUnits } of entries) {
    if (log.type !== logType.consume || log.channelId === 0 || quotaUnits === 0) continue;
    sums.set(log.channelId, (sums.get(log.channelId) ?? 0) + quotaUnits);
  }
  return [...sums].sort(([one], [other]) => one - other);
};

/** The columns of `logs` in the order both engines write them, without the id. */
export const LOG_COLUMNS = [
  'created_at',
  'type',
  'user_id',
  'username_id',
  'token_id',
  'token_name_id',
  'channel_id',
  'group_id',
  'model_id',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time_ms',
  'is_stream',
  'ip',
  'request_id',
  'content',
  'other',
] as const;

/** One log row's values, in the order of `LOG_COLUMNS`. */
export const logValues = (
  { log, quotaUnits }: LogEntry,
  nameId: (name: string) => number,
): (string | number)[] => [
  log.createdAtMs,
  log.type,
  log.userId,
  nameId(log.username),
  log.tokenId,
  nameId(log.tokenName),
  log.channelId,
  nameId(log.group),
  nameId(log.model),
  quotaUnits,
  promptTokens(log.usage),
  completionTokens(log.usage),
  Math.round(log.useTimeMs),
  log.isStream ? 1 : 0,
  log.ip,
  log.requestId,
  log.content,
  log.other,
];

/** The columns of `usage_hours` in the order of `UsageSum`. */
export const USAGE_COLUMNS = [
  'hour',
  'type',
  'user_id',
  'token_name_id',
  'model_id',
  'channel_id',
  'group_id',
  'calls',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'log_rows',
  'log_quota',
] as const;

/** What a sum does to the row that is there already. */
export const USAGE_CONFLICT = `ON CONFLICT (${USAGE_COLUMNS.slice(0, 7).join(', ')}) DO UPDATE SET ${USAGE_COLUMNS.slice(
  7,
)
  .map((column) => `${column} = usage_hours.${column} + excluded.${column}`)
  .join(', ')}`;

/** How the rows of `daySums` are added. */
export const addDays = (
  rows: string,
): string => `INSERT INTO log_days (day, type, model_id, channel_id, group_id, log_rows, log_quota) ${rows}
  ON CONFLICT (day, type, model_id, channel_id, group_id) DO UPDATE SET
    log_rows = log_days.log_rows + excluded.log_rows, log_quota = log_days.log_quota + excluded.log_quota`;
