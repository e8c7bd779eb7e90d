import { awakeSignal } from '#core/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { isFinished, type Task, type TaskChanges, type TaskPlatform } from '#core/task/task.ts';
import { readTasks as readMidjourneyTasks, writeTask } from '../../dialects/midjourney/midjourney-wire.ts';
import { readTasks as readSunoTasks } from '../../dialects/suno/suno-wire.ts';
import { closeTask } from './close-task.ts';
import { imageUrlOf, midjourneyRequest } from './midjourney-calls.ts';
import { readUpstream } from './read-upstream.ts';
import { sunoRequest } from './suno-calls.ts';
import type { TaskDeps } from './task-ports.ts';

const ASK_TIMEOUT_MS = 15_000;
const AT_ONCE = 500;
const HOOK_TIMEOUT_MS = 10_000;
/** A task that was never taken is given up after this long: the run that made it is gone. */
const HANDOVER_MS = 5 * 60_000;
const LIFE_MS: Readonly<Record<TaskPlatform, number>> = { mj: 3_600_000, suno: 24 * 3_600_000 };

export interface TaskPoller {
  /** Asks for everything that is not finished. */
  run(): Promise<void>;
  /** Asks for these now. */
  ask(tasks: readonly Task[]): Promise<void>;
}

/** Asks upstreams how their tasks are, writes it down, and ends what is over. */
export const createTaskPoller = (deps: TaskDeps): TaskPoller => {
  const fail = (task: Task, failReason: string): Promise<void> =>
    closeTask(deps, task, { status: 'FAILURE', changes: { failReason } });

  const move = async (task: Task, changes: TaskChanges): Promise<void> => {
    const status = changes.status ?? task.status;
    if (status === 'SUCCESS' || status === 'FAILURE') await closeTask(deps, task, { status, changes });
    else if (!(await deps.tasks.update(task.id, changes))) return;
    if (status !== task.status || changes.progress !== task.progress) tellHook(deps, task.publicId);
  };

  const askChannel = async (channel: Channel, tasks: readonly Task[]): Promise<void> => {
    for (const platform of ['mj', 'suno'] as const) {
      const own = tasks.filter((task) => task.platform === platform);
      if (own.length === 0) continue;
      const told = await askUpstream(deps, platform, channel, own);
      for (const task of own) {
        const changes = told.get(task.upstreamId);
        if (changes !== undefined) await move(task, changes);
      }
    }
  };

  const ask = async (tasks: readonly Task[]): Promise<void> => {
    const nowMs = deps.clock.now();
    const byChannel = new Map<Channel, Task[]>();
    for (const task of tasks) {
      if (isFinished(task.status)) continue;
      const ageMs = nowMs - task.createdAtMs;
      const channel = deps.routing().channels.get(task.channelId);
      if (task.upstreamId === '') {
        if (ageMs > HANDOVER_MS) await fail(task, 'the task was not handed over');
      } else if (channel === undefined) await fail(task, 'the channel of the task is gone');
      else byChannel.set(channel, [...(byChannel.get(channel) ?? []), task]);
    }
    for (const [channel, own] of byChannel) {
      await askChannel(channel, own).catch((error: unknown) =>
        deps.log.warn('an upstream did not tell of its tasks', { channel: channel.id, error }),
      );
    }
  };

  return {
    ask,
    async run() {
      await ask(await deps.tasks.unfinished(AT_ONCE));
      // What is still open after the upstream was asked, and too old, will not come any more.
      const nowMs = deps.clock.now();
      for (const task of await deps.tasks.unfinished(AT_ONCE))
        if (nowMs - task.createdAtMs > LIFE_MS[task.platform]) await fail(task, 'upstream timeout');
    },
  };
};

const askUpstream = async (
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
  const { status, body } = await readUpstream(deps, channel, request, ASK_TIMEOUT_MS);
  if (status >= 400) throw new Error(`status ${String(status)}`);
  const told = platform === 'mj' ? readMidjourneyTasks(body) : readSunoTasks(body);
  return new Map(told.map(({ upstreamId, changes }) => [upstreamId, changes]));
};

/** The caller asked to hear of changes; whether it listens is its own business. */
const tellHook = (deps: TaskDeps, publicId: string): void => {
  const tell = async (): Promise<void> => {
    const task = await deps.tasks.byPublicId(publicId);
    if (task === undefined || task.notifyHook === '' || !deps.routing().options.MjNotifyEnabled) return;
    deps.checkUrl(task.notifyHook);
    const reply = await deps.sender.send(
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
  tell().catch((error: unknown) => deps.log.warn('a task hook was not reached', { task: publicId, error }));
};
