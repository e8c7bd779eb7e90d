import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { LogEntry } from '#core/ledger/book.ts';
import { logType } from '#contract/codes.ts';

const HOUR_MS = 3_600_000;

export const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS);
export const startOfHour = (hour: number): number => hour * HOUR_MS;

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
      hourOf(log.createdAtMs),
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
  return [...sums.values()].sort(compareKeys);
};

const compareKeys = (one: UsageSum, other: UsageSum): number => {
  for (let at = 0; at < 7; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** hour, type | log rows, log quota: the same without who and what, in the order of the key. */
export const hourSums = (sums: readonly UsageSum[]): [number, number, number, number][] => {
  const hours = new Map<string, [number, number, number, number]>();
  for (const [hour, type, , , , , , , , , , rows, quota] of sums) {
    const total = hours.get(`${hour} ${type}`) ?? [hour, type, 0, 0];
    total[2] += rows;
    total[3] += quota;
    hours.set(`${hour} ${type}`, total);
  }
  // Sums come by hour, then type, and a map keeps that order.
  return [...hours.values()].filter(([, , rows]) => rows > 0);
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

/** How the hours of `hourSums` are added. */
export const addHours = (
  rows: string,
): string => `INSERT INTO log_hours (hour, type, log_rows, log_quota) ${rows}
  ON CONFLICT (hour, type) DO UPDATE SET
    log_rows = log_hours.log_rows + excluded.log_rows, log_quota = log_hours.log_quota + excluded.log_quota`;
