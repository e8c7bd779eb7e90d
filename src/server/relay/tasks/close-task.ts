import { logType } from '#contract/codes.ts';
import { type Task, type TaskChanges, taskHoldId } from '#core/task/task.ts';
import { taskLog } from '#core/task/task-log.ts';
import type { TaskDeps } from './task-ports.ts';

type CloseDeps = Pick<TaskDeps, 'ledger' | 'tasks' | 'routing' | 'clock'>;

/** What a task ended with. */
export interface TaskEnd {
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly changes: TaskChanges;
}

/**
 * Ends a task once: charged when it succeeded, given back whole when it failed, on user and token. The money moves first,
 * and only once by its id, so that a crash or a second answer in between changes nothing.
 */
export const closeTask = async (deps: CloseDeps, task: Task, { status, changes }: TaskEnd): Promise<void> => {
  const nowMs = deps.clock.now();
  const id = taskHoldId(task.publicId);
  const failReason = changes.failReason ?? '';
  if (status === 'SUCCESS') {
    const content = `${task.action}, ${task.model}`;
    const { quotaUnits } = task;
    const log = taskLog(task, { type: logType.consume, nowMs, content, quotaUnits });
    const writeLog = deps.routing().options.LogConsumeEnabled;
    await deps.ledger.settle({ id, quotaUnits, nowMs, log, writeLog });
  } else {
    const content = [task.action, failReason].filter(Boolean).join(': ');
    const log = taskLog(task, { type: logType.error, nowMs, content, quotaUnits: 0 });
    await deps.ledger.void(id, nowMs, log);
  }
  await deps.tasks.update(task.id, {
    ...changes,
    status,
    progress: '100%',
    finishedAtMs: changes.finishedAtMs || nowMs,
    ...(status === 'FAILURE' && { quotaUnits: 0, failReason: failReason || 'failed' }),
  });
};
