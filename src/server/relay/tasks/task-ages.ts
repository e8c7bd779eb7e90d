import type { Clock } from '#core/clock.ts';
import { steadyTime } from '#core/time/steady-time.ts';
import type { OpenTasks, Task, TaskPlatform, TaskStore } from '#core/task/task.ts';
import type { TaskPages } from './task-pages.ts';

const PAGE_SIZE = 500;
/** A task without an upstream id is closed after this long: the process that submitted it is gone. */
const SUBMIT_LIFE_MS = 5 * 60_000;
/**
 * It must also have been seen without an id for this long, without a gap. While the database is down, the process that
 * submitted the task cannot record its id, and retries every ten seconds.
 */
const LOOKED_AT_MS = 60_000;
const LOOK_GAP_MS = 45_000;
const LIFE_MS: Readonly<Record<TaskPlatform, number>> = { mj: 3_600_000, suno: 24 * 3_600_000 };

interface AgeDeps {
  readonly tasks: Pick<TaskStore, 'unfinished'>;
  readonly clock: Clock;
}

/** Closes tasks by their age. */
export const createTaskAges = (deps: AgeDeps, { fail }: Pick<TaskPages, 'fail'>) => {
  // A monotonic clock: setting the system clock forward must not expire tasks.
  const steadyMs = steadyTime(deps.clock);
  const unsubmitted = new Unsubmitted();
  return {
    /** Tasks that no upstream is known to have accepted. */
    async failUnsubmitted(): Promise<void> {
      const oldMs = steadyMs() - SUBMIT_LIFE_MS;
      unsubmitted.look(deps.clock.monotonic());
      for await (const task of openTasks(deps, { unsubmitted: true })) {
        if (task.createdAtMs - LOOKED_AT_MS >= oldMs) continue;
        if (unsubmitted.isWaitedFor(task.id) && task.createdAtMs < oldMs)
          await fail(task, 'the task was not submitted');
      }
    },
    /** Tasks that are still open and will not finish any more. */
    async failTooOld(platform: TaskPlatform): Promise<void> {
      const oldMs = steadyMs() - LIFE_MS[platform];
      let youngInTurn = 0;
      for await (const task of openTasks(deps, { platform })) {
        if (task.createdAtMs < oldMs) await fail(task, 'upstream timeout');
        youngInTurn = task.createdAtMs < oldMs ? 0 : youngInTurn + 1;
        // Tasks come in the order of their creation, by clocks of nodes that may differ a little.
        if (youngInTurn >= PAGE_SIZE) return;
      }
    },
  };
};

/** Unfinished tasks, the oldest first, of which one page is in memory. */
async function* openTasks({ tasks }: AgeDeps, which: OpenTasks): AsyncGenerator<Task> {
  let page: readonly Task[];
  let afterId = 0;
  do {
    page = await tasks.unfinished(which, PAGE_SIZE, afterId);
    yield* page;
    afterId = page.at(-1)?.id ?? 0;
  } while (page.length === PAGE_SIZE);
}

/** How long tasks have been seen without an upstream id, in milliseconds of the monotonic clock. */
class Unsubmitted {
  #before: ReadonlyMap<number, number> = new Map();
  #sinceMs = new Map<number, number>();
  #lookedAtMs = -Infinity;

  /** Begins to look at all of them. */
  look(nowMs: number): void {
    this.#before = nowMs - this.#lookedAtMs > LOOK_GAP_MS ? new Map() : this.#sinceMs;
    this.#sinceMs = new Map();
    this.#lookedAtMs = nowMs;
  }

  isWaitedFor(id: number): boolean {
    const sinceMs = this.#before.get(id) ?? this.#lookedAtMs;
    this.#sinceMs.set(id, sinceMs);
    return this.#lookedAtMs - sinceMs >= LOOKED_AT_MS;
  }
}
