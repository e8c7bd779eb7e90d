import { keptAt } from '#core/channel/seats/seat.ts';
import type { TaskPoller, TaskDeps } from './task-ports.ts';
import { awakeSignal } from '#core/awake-timer.ts';
import type { Channel } from '#core/channel/channel.ts';
import { steadyTime } from '#core/steady-time.ts';
import { isFinished, type Task, type TaskChanges, type TaskPlatform } from '#core/task/task.ts';
import { readTasks as readMidjourneyTasks, writeTask } from '../../dialects/midjourney/midjourney-wire.ts';
import { readTasks as readSunoTasks } from '../../dialects/suno/suno-wire.ts';
import { closeTask } from './task-hold.ts';
import { imageUrlOf } from './midjourney-calls.ts';
import { askUpstream, midjourneyRequest, sunoRequest } from './task-upstream.ts';

const POLL_TIMEOUT_MS = 15_000;
const BATCH_SIZE = 500;
const HOOK_TIMEOUT_MS = 10_000;
/** A task without an upstream id is closed after this long: the process that submitted it is gone. */
const SUBMIT_LIFE_MS = 5 * 60_000;
/**
 * And it must have been seen without an id for this long, without a gap: while the database is away, the process that
 * submitted the task cannot record that it was accepted, and retries every ten seconds.
 */
const LOOKED_AT_MS = 60_000;
const LOOK_GAP_MS = 45_000;
/** After this many failed writes in a row, the database counts as away. */
const AWAY_AFTER = 10;
const LIFE_MS: Readonly<Record<TaskPlatform, number>> = { mj: 3_600_000, suno: 24 * 3_600_000 };

/** Polls upstreams for their tasks, stores the changes, and closes finished tasks. */
export const createTaskPoller = (deps: TaskDeps): TaskPoller => {
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
    alone(task, () => closeTask(deps, task, { status: 'FAILURE', changes: { failReason } }));
  // A steady clock: setting the system clock forward must not expire tasks.
  const steadyMs = steadyTime(deps.clock);
  const unsubmitted = new Unsubmitted();

  const apply = async (task: Task, changes: TaskChanges): Promise<void> => {
    const status = changes.status ?? task.status;
    if (status === 'SUCCESS' || status === 'FAILURE') await closeTask(deps, task, { status, changes });
    else if (!(await deps.tasks.update(task.id, changes))) return;
    if (status !== task.status || changes.progress !== task.progress) notifyHook(deps, task.publicId);
  };

  const pollChannel = async (channel: Channel, tasks: readonly Task[]): Promise<void> => {
    for (const platform of ['mj', 'suno'] as const) {
      for (const few of batchesOf(tasks.filter((task) => task.platform === platform))) {
        const reported = await fetchTasks(deps, platform, channel, few);
        for (const task of few) {
          const changes = reported.get(task.upstreamId);
          if (changes !== undefined) await alone(task, () => apply(task, changes));
        }
      }
    }
  };

  const poll = async (tasks: readonly Task[]): Promise<void> => {
    const nowMs = steadyMs();
    const kept: KeptTask[] = [];
    for (const task of tasks) {
      if (isFinished(task.status)) continue;
      const ageMs = nowMs - task.createdAtMs;
      const channel = keptAt(deps.routing().channels, task);
      if (task.upstreamId === '') {
        if (ageMs > SUBMIT_LIFE_MS && unsubmitted.isWaitedFor(task.id))
          await fail(task, 'the task was not submitted');
      } else if (channel === undefined) await fail(task, 'the channel of the task is gone');
      else kept.push({ channel, task });
    }
    for (const [channel, own] of byChannel(kept)) {
      await pollChannel(channel, own).catch((error: unknown) =>
        deps.log.warn('the tasks of a channel could not be polled', { channel: channel.id, error }),
      );
    }
  };

  return {
    poll,
    async run() {
      const open = await allUnfinished(deps);
      unsubmitted.look(open, deps.clock.monotonic());
      await poll(open);
      // A task that is still open after the poll and too old will not finish any more.
      const nowMs = steadyMs();
      for (const task of await allUnfinished(deps)) {
        const isTooOld = nowMs - task.createdAtMs > LIFE_MS[task.platform];
        if (isTooOld && task.upstreamId !== '') await fail(task, 'upstream timeout');
      }
    },
  };
};

/** Not only the oldest: those of a dead channel would keep all others from being polled for a day. */
const allUnfinished = async ({ tasks }: Pick<TaskDeps, 'tasks'>): Promise<readonly Task[]> => {
  const open: Task[] = [];
  for (;;) {
    const few = await tasks.unfinished(BATCH_SIZE, open.at(-1)?.id ?? 0);
    open.push(...few);
    if (few.length < BATCH_SIZE) return open;
  }
};

/** A task, and the channel that makes it. */
interface KeptTask {
  readonly channel: Channel;
  readonly task: Task;
}

const byChannel = (kept: readonly KeptTask[]): ReadonlyMap<Channel, readonly Task[]> => {
  const groups = new Map<Channel, Task[]>();
  for (const { channel, task } of kept) {
    const own = groups.get(channel);
    if (own === undefined) groups.set(channel, [task]);
    else own.push(task);
  }
  return groups;
};

/** As many as an upstream is asked about at once. */
const batchesOf = (tasks: readonly Task[]): readonly (readonly Task[])[] =>
  Array.from({ length: Math.ceil(tasks.length / BATCH_SIZE) }, (_, at) =>
    tasks.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );

/** How long tasks have been seen without an upstream id, in milliseconds of the monotonic clock. */
class Unsubmitted {
  #sinceMs = new Map<number, number>();
  #lookedAtMs = -Infinity;

  look(tasks: readonly Task[], nowMs: number): void {
    const before = nowMs - this.#lookedAtMs > LOOK_GAP_MS ? undefined : this.#sinceMs;
    const now = tasks.filter(({ upstreamId }) => upstreamId === '');
    this.#sinceMs = new Map(now.map(({ id }) => [id, before?.get(id) ?? nowMs]));
    this.#lookedAtMs = nowMs;
  }

  isWaitedFor(id: number): boolean {
    return this.#lookedAtMs - (this.#sinceMs.get(id) ?? this.#lookedAtMs) >= LOOKED_AT_MS;
  }
}

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
  const { status, body } = await askUpstream(deps, channel, request, POLL_TIMEOUT_MS);
  if (status >= 400) throw new Error(`status ${String(status)}`);
  const reported = platform === 'mj' ? readMidjourneyTasks(body) : readSunoTasks(body);
  return new Map(reported.map(({ upstreamId, changes }) => [upstreamId, changes]));
};

/** Calls the caller's webhook with the changed task. A failure is only logged. */
const notifyHook = (deps: TaskDeps, publicId: string): void => {
  const notify = async (): Promise<void> => {
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
  notify().catch((error: unknown) => deps.log.warn('a task hook was not reached', { task: publicId, error }));
};
