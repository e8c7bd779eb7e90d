import { z } from 'zod';
import { isFinished, type Task, type TaskChanges, taskStatusOf } from '#core/task/task.ts';
import { wordOf } from '#core/json/fields.ts';
import { reportedTime, reportedWords } from '../reported.ts';

const replySchema = z.looseObject({
  code: z.union([z.string(), z.number()]),
  message: reportedWords,
  data: z.unknown().optional(),
});

/**
 * The task's id if the upstream accepted a submission, else why it refused. Undefined if the answer is of neither kind,
 * such as a success without an id.
 */
export const readSubmission = (
  body: unknown,
): { readonly upstreamId: string } | { readonly problem: string } | undefined => {
  const read = replySchema.safeParse(body);
  if (!read.success) return undefined;
  const { code, data, message } = read.data;
  if (code !== 'success') return { problem: message || `code ${wordOf(code)}` };
  return typeof data === 'string' && data !== '' ? { upstreamId: data } : undefined;
};

const text = z.string().catch('');
const timeMs = reportedTime(1000);

const taskSchema = z.looseObject({
  task_id: text,
  status: text,
  fail_reason: reportedWords,
  submit_time: timeMs,
  start_time: timeMs,
  finish_time: timeMs,
  progress: text,
  data: z.unknown().optional(),
});

/** A task's progress by its status, because the upstream does not report a number. */
const progressOf = (status: string, reported: string): string => {
  if (reported !== '') return reported;
  switch (status) {
    case 'SUBMITTED':
      return '10%';
    case 'QUEUED':
      return '20%';
    case 'IN_PROGRESS':
      return '30%';
    default:
      return '0%';
  }
};

/** Reads each task of a list; invalid ones are left out. */
export const readTasks = (
  body: unknown,
): { readonly upstreamId: string; readonly changes: TaskChanges }[] => {
  const reply = replySchema.safeParse(body);
  const list = reply.success && Array.isArray(reply.data.data) ? reply.data.data : [];
  return list.flatMap((item: unknown) => {
    const read = taskSchema.safeParse(item);
    if (!read.success || read.data.task_id === '') return [];
    const { data } = read;
    const status = taskStatusOf(data.status);
    const known = status !== 'UNKNOWN' && status !== '';
    const changes: TaskChanges = {
      ...(known && { status }),
      progress: isFinished(status) ? '100%' : progressOf(status, data.progress),
      failReason: data.fail_reason,
      ...(data.submit_time ? { submittedAtMs: data.submit_time } : {}),
      ...(data.start_time ? { startedAtMs: data.start_time } : {}),
      ...(data.finish_time ? { finishedAtMs: data.finish_time } : {}),
      ...(data.data !== undefined && data.data !== null ? { data: JSON.stringify(data.data) } : {}),
    };
    return [{ upstreamId: data.task_id, changes }];
  });
};

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

/** A task in the words of the Suno API. */
export const writeTask = (task: Task): Record<string, unknown> => ({
  task_id: task.publicId,
  action: task.action,
  status: task.status,
  fail_reason: task.failReason,
  submit_time: toSeconds(task.submittedAtMs),
  start_time: toSeconds(task.startedAtMs),
  finish_time: toSeconds(task.finishedAtMs),
  progress: task.progress,
  data: task.data === '' ? null : (JSON.parse(task.data) as unknown),
});
