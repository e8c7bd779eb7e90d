import { listLogs, listOwnLogs, readLogStat, readOwnLogStat } from '#contract/api/logs/logs.ts';
import type { Data } from '#contract/endpoint.ts';
import { loggedPrograms } from '#contract/programs.ts';
import { sortText, type View } from '../../kit/resource-table/column.ts';
import { call } from '../../lib/server/api.ts';
import { channelId } from '../../shared/channel-id.ts';
import { stretchOf } from './log-times.ts';

export type LogEntry = Data<typeof listLogs>['items'][number];
export type LogStat = Data<typeof readLogStat>;
export type Filters = Readonly<Record<string, string>>;

/** The query for one's own rows under the filters. */
export const ownQuery = (filters: Filters, nowMs: number) => ({
  type: Number(filters['type']) || 0,
  token_name: filters['token_name'] ?? '',
  model_name: filters['model_name'] ?? '',
  group: filters['group'] ?? '',
  program: loggedPrograms.find((one) => one === filters['program']) ?? ('' as const),
  request_id: filters['request_id'] ?? '',
  ...stretchOf(filters, nowMs),
});

/** The query for all users' rows. */
export const adminQuery = (filters: Filters, nowMs: number) => ({
  ...ownQuery(filters, nowMs),
  username: filters['username'] ?? '',
  channel: channelId(filters['channel'] ?? ''),
});

/** A page of all rows for admins, of one's own rows for others. */
export const loadLogs = (
  isAdmin: boolean,
  view: View,
  signal: AbortSignal,
): Promise<Data<typeof listLogs>> => {
  const paging = { p: view.page, page_size: view.pageSize, sort: sortText(view.sort) };
  const nowMs = Date.now();
  return isAdmin
    ? call(listLogs, { query: { ...adminQuery(view.filters, nowMs), ...paging } }, signal)
    : call(listOwnLogs, { query: { ...ownQuery(view.filters, nowMs), ...paging } }, signal);
};

/** Total usage under the same filters, and the rates of the last minute. */
export const loadLogStat = (isAdmin: boolean, filters: Filters, signal: AbortSignal): Promise<LogStat> =>
  isAdmin
    ? call(readLogStat, { query: adminQuery(filters, Date.now()) }, signal)
    : call(readOwnLogStat, { query: ownQuery(filters, Date.now()) }, signal);
