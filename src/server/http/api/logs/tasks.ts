import type { z } from 'zod';
import type * as contract from '#contract/api/logs/tasks.ts';
import type { asyncTask, drawing } from '#contract/api/logs/tasks.ts';
import { parsed } from '#contract/json-text.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Task, TaskFilter, TaskStore } from '#core/task/task.ts';
import type { Handlers } from '../../handler.ts';
import { channelNameOf } from '../channels/channel-name.ts';
import { pageOf, pageRequest, toSeconds } from '../page.ts';

interface TaskHandlerDeps {
  readonly taskStore: Pick<TaskStore, 'page'>;
  readonly routing: () => Routing;
  /** The URL of a drawing's picture, for a user who reached this site at `origin`. */
  readonly imageUrlOf: (task: Task, origin: string) => string;
}

interface DrawingQuery {
  readonly channel_id: number;
  readonly mj_id: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

interface TaskQuery extends Omit<DrawingQuery, 'mj_id'> {
  readonly task_id: string;
  readonly status: string;
  readonly action: string;
}

/** Drawings and music: those of all users for admins, their own for users. */
export const taskHandlers = ({
  taskStore,
  routing,
  imageUrlOf,
}: TaskHandlerDeps): Handlers<typeof contract> => ({
  listDrawings: async ({ query }, { origin }) =>
    pageOf(await taskStore.page(drawingFilter(query), pageRequest(query)), query, (task) =>
      drawingWire(task, channelNameOf(routing(), task.channelId), imageUrlOf(task, origin)),
    ),
  listOwnDrawings: async ({ query }, { actor, origin }) => {
    const filter = { ...drawingFilter({ ...query, channel_id: 0 }), userId: actor.user.id };
    return pageOf(await taskStore.page(filter, pageRequest(query)), query, (task) => ({
      ...drawingWire(task, '', imageUrlOf(task, origin)),
      channel_id: 0,
    }));
  },
  listTasks: async ({ query }) =>
    pageOf(await taskStore.page(taskFilter(query), pageRequest(query)), query, (task) =>
      taskWire(task, channelNameOf(routing(), task.channelId)),
    ),
  listOwnTasks: async ({ query }, { actor }) => {
    const filter = { ...taskFilter({ ...query, channel_id: 0 }), userId: actor.user.id };
    return pageOf(await taskStore.page(filter, pageRequest(query)), query, (task) => ({
      ...taskWire(task, ''),
      channel_id: 0,
    }));
  },
});

// Empty and 0 mean no filter.
const drawingFilter = (query: DrawingQuery): TaskFilter => ({
  platform: 'mj',
  ...(query.channel_id && { channelId: query.channel_id }),
  ...(query.mj_id && { publicId: query.mj_id }),
  ...(query.start_timestamp && { fromMs: query.start_timestamp }),
  ...(query.end_timestamp && { toMs: query.end_timestamp }),
});

const taskFilter = (query: TaskQuery): TaskFilter => ({
  platform: 'other',
  ...(query.channel_id && { channelId: query.channel_id }),
  ...(query.task_id && { publicId: query.task_id }),
  ...(query.status && { status: query.status }),
  ...(query.action && { action: query.action }),
  ...(query.start_timestamp && { fromMs: query.start_timestamp * 1000 }),
  ...(query.end_timestamp && { toMs: query.end_timestamp * 1000 + 999 }),
});

const drawingWire = (task: Task, channelName: string, imageUrl: string): z.infer<typeof drawing> => ({
  id: task.id,
  code: task.code,
  user_id: task.userId,
  username: task.username,
  action: task.action,
  mj_id: task.publicId,
  prompt: task.prompt,
  prompt_en: task.promptEn,
  description: task.description,
  state: task.state,
  submit_time: task.submittedAtMs,
  start_time: task.startedAtMs,
  finish_time: task.finishedAtMs,
  image_url: imageUrl,
  status: task.status,
  progress: task.progress,
  fail_reason: task.failReason,
  channel_id: task.channelId,
  channel_name: channelName,
  quota: task.quotaUnits,
  buttons: task.buttons,
  properties: task.properties,
});

const taskWire = (task: Task, channelName: string): z.infer<typeof asyncTask> => ({
  id: task.id,
  created_at: toSeconds(task.createdAtMs),
  updated_at: toSeconds(task.finishedAtMs || task.startedAtMs || task.submittedAtMs),
  task_id: task.publicId,
  platform: task.platform,
  user_id: task.userId,
  username: task.username,
  channel_id: task.channelId,
  channel_name: channelName,
  quota: task.quotaUnits,
  action: task.action,
  status: task.status,
  fail_reason: task.failReason,
  submit_time: toSeconds(task.submittedAtMs),
  start_time: toSeconds(task.startedAtMs),
  finish_time: toSeconds(task.finishedAtMs),
  progress: task.progress,
  properties: { input: task.prompt },
  data: parsed(task.data) ?? null,
});
