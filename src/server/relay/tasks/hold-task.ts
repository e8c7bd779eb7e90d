import { type Task, taskHoldId } from '#core/task/task.ts';
import { giveBackUnsure } from '../give-back-unsure.ts';
import { holdRefusal } from '../hold-refusal.ts';
import type { TaskDeps } from './task-ports.ts';

/** Longer than any task may run: what is held then is given back by the sweeper. */
const HOLD_LIFE_MS = 7 * 24 * 3_600_000;

/** Takes the price of a task aside; forgets the task and throws where that is refused. */
export const holdTask = async (
  deps: Pick<TaskDeps, 'ledger' | 'tasks' | 'clock'>,
  task: Task,
  tokenId: number | null,
): Promise<void> => {
  const outcome = await deps.ledger
    .hold({
      id: taskHoldId(task.publicId),
      userId: task.userId,
      tokenId,
      quotaUnits: task.quotaUnits,
      nowMs: task.createdAtMs,
      expiresAtMs: task.createdAtMs + HOLD_LIFE_MS,
    })
    .catch(async (thrown: unknown) => {
      void giveBackUnsure(deps, taskHoldId(task.publicId));
      await deps.tasks.forget(task.id);
      throw thrown;
    });
  if (outcome === 'held') return;
  await deps.tasks.forget(task.id);
  throw holdRefusal(outcome);
};
