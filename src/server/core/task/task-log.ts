import { noUsage } from '../chat/usage.ts';
import type { CallLog } from '../log/log.ts';
import { type NewTask, taskHoldId } from './task.ts';

/** How a task ended, for its log row. */
export interface TaskEnding {
  /** Consume, or error for a task that failed and cost nothing. */
  readonly type: number;
  readonly nowMs: number;
  readonly content: string;
  readonly quotaUnits: number;
}

/** The log row of a finished task: one call, from its submission to its end. */
export const taskLog = (task: NewTask, { type, nowMs, content, quotaUnits }: TaskEnding): CallLog => ({
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
  other: JSON.stringify({
    admin_info: { use_channel: [String(task.channelId)] },
    ...(JSON.parse(task.pricing || '{}') as Record<string, unknown>),
    group: task.group,
    task_id: task.publicId,
    action: task.action,
  }),
});
