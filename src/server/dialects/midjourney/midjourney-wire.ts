import { parsed } from '#contract/json-text.ts';
import { z } from 'zod';
import type { Task } from '#core/task/task.ts';
import { isFinished, taskStatusOf, type TaskChanges } from '#core/task/task.ts';
import { reportedTime, reportedWords } from '../reported.ts';

/** Midjourney Proxy's response to a submission. Source: its public API description. */
const replySchema = z.looseObject({
  code: z.number(),
  description: reportedWords,
  result: z.unknown().optional(),
  properties: z.unknown().optional(),
});

export type MidjourneyReply = z.infer<typeof replySchema>;

/** Accepted, exists already or needs more input, queued. */
export const codes = {
  submitted: 1,
  exists: 21,
  queued: 22,
  queueFull: 23,
  noAccount: 3,
  banned: 24,
} as const;

const TAKEN = new Set<number>([codes.submitted, codes.exists, codes.queued]);

/** Whether the upstream has taken the task. */
export const isTaken = (reply: MidjourneyReply): boolean => TAKEN.has(reply.code);

/** Undefined if the body is not such a response. */
export const readReply = (body: unknown): MidjourneyReply | undefined => replySchema.safeParse(body).data;

const text = z.union([z.string(), z.number().transform(String)]).catch('');
const time = reportedTime(1);

const taskSchema = z.looseObject({
  id: text,
  status: text,
  progress: text,
  promptEn: text,
  description: reportedWords,
  submitTime: time,
  startTime: time,
  finishTime: time,
  imageUrl: text,
  failReason: reportedWords,
  buttons: z.unknown().optional(),
  properties: z.unknown().optional(),
});

/** One task as the upstream reports it. */
export interface UpstreamTask {
  readonly upstreamId: string;
  readonly changes: TaskChanges;
}

const json = (value: unknown): string => (value === undefined || value === null ? '' : JSON.stringify(value));

/** Reads a list of tasks; leaves out invalid ones. */
export const readTasks = (body: unknown): UpstreamTask[] => {
  if (!Array.isArray(body)) return [];
  return body.flatMap((item: unknown) => {
    const read = taskSchema.safeParse(item);
    if (!read.success || read.data.id === '') return [];
    const { data } = read;
    const status = taskStatusOf(data.status);
    const changes: TaskChanges = {
      status,
      progress: isFinished(status) ? '100%' : data.progress || '0%',
      promptEn: data.promptEn,
      description: data.description,
      submittedAtMs: data.submitTime,
      startedAtMs: data.startTime,
      finishedAtMs: data.finishTime,
      imageUrl: data.imageUrl,
      failReason: data.failReason,
      buttons: json(data.buttons),
      properties: json(data.properties),
    };
    return [{ upstreamId: data.id, changes: withoutUnknown(changes, status) }];
  });
};

/** An unknown status changes neither status nor times. */
const withoutUnknown = (changes: TaskChanges, status: string): TaskChanges => {
  const { submittedAtMs, startedAtMs, finishedAtMs, status: _, ...rest } = changes;
  return {
    ...rest,
    ...(status !== 'UNKNOWN' && status !== '' && { status: changes.status ?? '' }),
    ...(submittedAtMs ? { submittedAtMs } : {}),
    ...(startedAtMs ? { startedAtMs } : {}),
    ...(finishedAtMs ? { finishedAtMs } : {}),
  };
};

/** Writes a task as Midjourney Proxy does. `imageUrl` is a URL the caller may open. */
export const writeTask = (task: Task, imageUrl: string): Record<string, unknown> => ({
  id: task.publicId,
  action: task.action,
  customId: '',
  botType: '',
  prompt: task.prompt,
  promptEn: task.promptEn,
  description: task.description,
  state: task.state,
  submitTime: task.submittedAtMs,
  startTime: task.startedAtMs,
  finishTime: task.finishedAtMs,
  imageUrl,
  status: task.status,
  progress: task.progress,
  failReason: task.failReason,
  buttons: parsed(task.buttons) ?? [],
  maskBase64: '',
  properties: parsed(task.properties) ?? {},
});
