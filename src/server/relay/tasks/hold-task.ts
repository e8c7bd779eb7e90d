import { logType } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import { type Task, taskHoldId } from '#core/task/task.ts';
import { taskLog } from '#core/task/task-log.ts';
import { giveBackUnsure } from '../give-back-unsure.ts';
import { holdRefusal } from '../hold-refusal.ts';
import type { Caller } from '../running.ts';
import type { TaskDeps } from './task-ports.ts';

/** Longer than any task may run: what is held then is given back by the sweeper. */
const HOLD_LIFE_MS = 7 * 24 * 3_600_000;

/** Takes the price of a task aside; forgets the task and throws where that is refused. */
export const holdTask = async (
  deps: Pick<TaskDeps, 'ledger' | 'tasks' | 'clock' | 'refusals'>,
  task: Task,
  payer: Pick<Caller, 'user' | 'token'>,
  options: OptionValues,
): Promise<void> => {
  const outcome = await deps.ledger
    .hold({
      id: taskHoldId(task.publicId),
      userId: task.userId,
      tokenId: payer.token?.id ?? null,
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
  const error = holdRefusal(outcome, task.quotaUnits, options);
  if (typeof outcome === 'object') {
    const ending = { type: logType.error, nowMs: deps.clock.now(), content: error.message, quotaUnits: 0 };
    await deps.refusals.note(payer, () => taskLog(task, ending));
  }
  throw error;
};
