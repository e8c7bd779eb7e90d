import { keptAt } from '#core/channel/seats/seat.ts';
import type { TaskDeps } from './task-ports.ts';
import { awakeSignal } from '#core/time/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { isFinished, type Task, type TaskChanges, type TaskPlatform } from '#core/task/task.ts';
import { readTasks as readMidjourneyTasks, writeTask } from '../../dialects/midjourney/midjourney-wire.ts';
import { readTasks as readSunoTasks } from '../../dialects/suno/suno-wire.ts';
import { closeTask } from './task-hold.ts';
import { imageUrlOf } from './midjourney-calls.ts';
import { askUpstream, midjourneyRequest, sunoRequest } from './task-upstream.ts';

const POLL_TIMEOUT_MS = 15_000;
const HOOK_TIMEOUT_MS = 10_000;
/** After this many failed writes in a row, the database counts as away. */
const AWAY_AFTER = 10;

/** Handles some tasks of a channel. */
export interface TaskPages {
  /** Polls these tasks, stores the changes, and closes the finished. @returns whether any answer came, or none was needed */
  poll(page: readonly Task[]): Promise<boolean>;
  /** Closes a task that failed, and gives its hold back. */
  fail(task: Task, reason: string): Promise<void>;
}

export const createTaskPages = (deps: TaskDeps): TaskPages => {
  let failedInTurn = 0;
  /** Handles one task. A failed write does not stop the others, unless no task can be written. */
  const alone = async (task: Task, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      failedInTurn = 0;
    } catch (error) {
      failedInTurn += 1;
      if (failedInTurn >= AWAY_AFTER) throw error;
      deps.log.warn('a task could not be written', { task: task.publicId, error });
    }
  };
  const fail = (task: Task, failReason: string): Promise<void> =>
    alone(task, () => closeTask(deps, task, { status: 'FAILURE', changes: { failReason }, isUnsure: true }));

  const apply = async (task: Task, changes: TaskChanges): Promise<void> => {
    const status = changes.status ?? task.status;
    if (status === 'SUCCESS' || status === 'FAILURE') await closeTask(deps, task, { status, changes });
    else if (!isNews(task, changes) || !(await deps.tasks.update(task.id, changes))) return;
    if (status !== task.status || changes.progress !== task.progress) notifyHook(deps, task.publicId);
  };

  const pollSeat = async (seat: Channel, tasks: readonly Task[]): Promise<void> => {
    for (const platform of ['mj', 'suno'] as const) {
      const own = tasks.filter((task) => task.platform === platform);
      if (own.length === 0) continue;
      const reported = await fetchTasks(deps, platform, seat, own);
      for (const task of own) {
        const changes = reported.get(task.upstreamId);
        if (changes !== undefined) await alone(task, () => apply(task, changes));
      }
    }
  };

  const poll = async (page: readonly Task[]): Promise<boolean> => {
    const seats = Map.groupBy(
      page.filter(({ status, upstreamId }) => !isFinished(status) && upstreamId !== ''),
      (task) => keptAt(deps.routing().channels, task),
    );
    let isAnswered = seats.size === 0;
    for (const [seat, own] of seats) {
      try {
        if (seat !== undefined) await pollSeat(seat, own);
        else for (const task of own) await fail(task, 'the channel of the task is gone');
        isAnswered = true;
      } catch (error) {
        deps.log.warn('the tasks of a channel could not be polled', { channel: seat?.id, error });
      }
    }
    return isAnswered;
  };

  return { poll, fail };
};

/** Whether an upstream reported anything new; known values are not written again. */
const isNews = (task: Task, changes: TaskChanges): boolean =>
  (Object.keys(changes) as (keyof TaskChanges)[]).some(
    (field) => changes[field] !== undefined && changes[field] !== task[field],
  );

const fetchTasks = async (
  deps: TaskDeps,
  platform: TaskPlatform,
  channel: Channel,
  tasks: readonly Task[],
): Promise<ReadonlyMap<string, TaskChanges>> => {
  const ids = tasks.map(({ upstreamId }) => upstreamId);
  const request =
    platform === 'mj'
      ? midjourneyRequest(channel, '/mj/task/list-by-condition', { ids })
      : sunoRequest(channel, '/suno/fetch', { ids });
  // A POST that only reads.
  const asking = { ...request, mayRepeat: true };
  const { status, body } = await askUpstream(deps, channel, asking, POLL_TIMEOUT_MS);
  if (status >= 400) throw new Error(`status ${String(status)}`);
  const reported = platform === 'mj' ? readMidjourneyTasks(body) : readSunoTasks(body);
  return new Map(reported.map(({ upstreamId, changes }) => [upstreamId, changes]));
};

/** Calls the caller's webhook with the changed task. A failure is only logged. */
const notifyHook = (deps: TaskDeps, publicId: string): void => {
  const notify = async (): Promise<void> => {
    const task = await deps.tasks.byPublicId(publicId);
    if (task === undefined || task.notifyHook === '' || !deps.routing().options.MjNotifyEnabled) return;
    deps.hooks.checkUrl(task.notifyHook);
    const reply = await deps.hooks.sender.send(
      {
        method: 'POST',
        url: task.notifyHook,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(writeTask(task, imageUrlOf(deps, task, task.reachedAt))),
      },
      awakeSignal(HOOK_TIMEOUT_MS),
    );
    reply.body.discard();
  };
  notify().catch((error: unknown) => deps.log.warn('a task hook was not reached', { task: publicId, error }));
};
