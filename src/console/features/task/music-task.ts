import { listOwnTasks, listTasks } from '#contract/api/logs/tasks.ts';
import type { Data } from '#contract/endpoint.ts';
import { type Page, sortText, type View } from '../../kit/resource-table/column.ts';
import type { Tone } from '../../kit/status.tsx';
import { call } from '../../lib/server/api.ts';
import { HOUR_S } from '../../lib/text/spans.ts';
import { channelId } from '../../shared/channel-id.ts';

export type MusicTask = Data<typeof listTasks>['items'][number];

/** From today's midnight to an hour ahead, unless a time is chosen. Source: specification, default date ranges. */
export const rangeOf = (
  filters: Readonly<Record<string, string>>,
  now: Date,
): { readonly start_timestamp: number; readonly end_timestamp: number } => {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  return {
    start_timestamp: Number(filters['time_from']) || Math.floor(midnight.getTime() / 1000),
    end_timestamp: Number(filters['time_to']) || Math.floor(now.getTime() / 1000) + HOUR_S,
  };
};

export const loadTasks = (isAdmin: boolean, view: View, signal: AbortSignal): Promise<Page<MusicTask>> => {
  const { task_id = '', channel_id = '' } = view.filters;
  const query = {
    p: view.page,
    page_size: view.pageSize,
    sort: sortText(view.sort),
    task_id: task_id.trim(),
    ...rangeOf(view.filters, new Date()),
  };
  return isAdmin
    ? call(listTasks, { query: { ...query, channel_id: channelId(channel_id) } }, signal)
    : call(listOwnTasks, { query }, signal);
};

const statusTones = {
  SUCCESS: 'ok',
  NOT_START: 'muted',
  SUBMITTED: 'warn',
  IN_PROGRESS: 'info',
  FAILURE: 'bad',
  QUEUED: 'warn',
  UNKNOWN: 'muted',
} as const satisfies Record<string, Tone>;
export type MusicStatus = keyof typeof statusTones;

export const isStatus = (word: string): word is MusicStatus => Object.hasOwn(statusTones, word);
/** An empty status means that it is being submitted. */
export const statusTone = (status: string): Tone => (isStatus(status) ? statusTones[status] : 'muted');

/** The duration in seconds; undefined until the task has ended. */
export const secondsOf = (task: Pick<MusicTask, 'submit_time' | 'finish_time'>): number | undefined =>
  task.finish_time === 0 || task.submit_time === 0
    ? undefined
    : Math.max(0, task.finish_time - task.submit_time);
