import { logType } from '#contract/codes.ts';
import { noUsage } from '#core/chat/usage.ts';
import type { CallLog } from '#core/log/log.ts';
import { type Task, type TaskChanges, taskHoldId } from '#core/task/task.ts';
import type { TaskDeps } from './task-ports.ts';

type CloseDeps = Pick<TaskDeps, 'ledger' | 'tasks' | 'routing' | 'clock'>;

/** What a task ended with. */
export interface TaskEnd {
  readonly status: 'SUCCESS' | 'FAILURE';
  readonly changes: TaskChanges;
}

const fieldsOf = (task: Task): Record<string, unknown> => ({
  ...(JSON.parse(task.pricing || '{}') as Record<string, unknown>),
  task_id: task.publicId,
  action: task.action,
  admin_info: { use_channel: [String(task.channelId)] },
});

const logOf = (task: Task, type: number, nowMs: number, content: string, quotaUnits: number): CallLog => ({
  requestId: taskHoldId(task.publicId),
  createdAtMs: nowMs,
  type,
  userId: task.userId,
  username: task.username,
  tokenId: task.tokenId,
  tokenName: task.tokenName,
  channelId: task.channelId,
  group: task.group,
  model: task.model,
  usage: noUsage,
  quotaUnits,
  useTimeMs: Math.max(0, nowMs - task.createdAtMs),
  isStream: false,
  ip: '',
  content,
  other: JSON.stringify(fieldsOf(task)),
});

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
    const log = logOf(task, logType.consume, nowMs, content, task.quotaUnits);
    const writeLog = deps.routing().options.LogConsumeEnabled;
    await deps.ledger.settle({ id, quotaUnits: task.quotaUnits, nowMs, log, writeLog });
  } else {
    const content = [task.action, failReason].filter(Boolean).join(': ');
    await deps.ledger.void(id, nowMs, logOf(task, logType.error, nowMs, content, 0));
  }
  await deps.tasks.update(task.id, {
    ...changes,
    status,
    progress: '100%',
    finishedAtMs: changes.finishedAtMs || nowMs,
    ...(status === 'FAILURE' && { quotaUnits: 0, failReason: failReason || 'failed' }),
  });
};
