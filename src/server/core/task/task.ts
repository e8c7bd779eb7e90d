import type { Page, PageRequest } from '../paging.ts';

/** The kind of tasks: drawings (Midjourney) or music (Suno). */
export type TaskPlatform = 'mj' | 'suno';

/** A task's status, in the words of the wire; empty until the upstream has accepted it. */
export type TaskStatus =
  | ''
  | 'NOT_START'
  | 'SUBMITTED'
  | 'QUEUED'
  | 'IN_PROGRESS'
  | 'MODAL'
  | 'SUCCESS'
  | 'FAILURE'
  | 'UNKNOWN';

const statuses = new Set<string>([
  'NOT_START',
  'SUBMITTED',
  'QUEUED',
  'IN_PROGRESS',
  'MODAL',
  'SUCCESS',
  'FAILURE',
]);

/** Reads an upstream's status; `UNKNOWN` if it is not in our list. */
export const taskStatusOf = (word: string): TaskStatus =>
  word === '' ? '' : statuses.has(word) ? (word as TaskStatus) : 'UNKNOWN';

/** Whether the status is final; `UNKNOWN` and `MODAL` are not. */
export const isFinished = (status: TaskStatus): boolean => status === 'SUCCESS' || status === 'FAILURE';

/** The prefix of a task's hold id. Such a hold outlives the process that made it: the poller closes it. */
export const TASK_HOLD_PREFIX = 'task-';

/** The id of a task's hold; one id means that the poller charges the task once, on any node. */
export const taskHoldId = (publicId: string): string => TASK_HOLD_PREFIX + publicId;

/** A drawing or music task at an upstream. Times are milliseconds, 0 for not yet. */
export interface Task {
  readonly id: number;
  readonly platform: TaskPlatform;
  /** The id callers see: unlike the upstream's own, it cannot be guessed. */
  readonly publicId: string;
  /** Empty until the upstream has accepted it. */
  readonly upstreamId: string;
  readonly userId: number;
  readonly username: string;
  /** 0 if no token paid. */
  readonly tokenId: number;
  readonly tokenName: string;
  readonly channelId: number;
  /** Which of the channel's keys made it; 0 for its only one. */
  readonly keyId: number;
  readonly group: string;
  /** The name that decides its price: `mj_imagine`. */
  readonly model: string;
  /** `IMAGINE`, `MUSIC` */
  readonly action: string;
  /** The upstream's result code: 1 submitted, 21 waiting for more input, 22 queued; 0 not submitted (yet). */
  readonly code: number;
  readonly status: TaskStatus;
  /** `0%` to `100%` */
  readonly progress: string;
  readonly prompt: string;
  readonly promptEn: string;
  readonly description: string;
  /** The caller's own value, returned with the task. */
  readonly state: string;
  readonly createdAtMs: number;
  readonly submittedAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly imageUrl: string;
  readonly failReason: string;
  /** The held or charged price; 0 once the task failed. */
  readonly quotaUnits: number;
  /** The caller's webhook for changes; empty for none. */
  readonly notifyHook: string;
  /** This site's address as the caller used it, for the webhook. Empty without a webhook. */
  readonly reachedAt: string;
  /** JSON as the upstream gave it: buttons, properties, clips. */
  readonly buttons: string;
  readonly properties: string;
  readonly data: string;
  /** Further details for its log row: how the price came about, and which channel it was submitted to. JSON. */
  readonly pricing: string;
}

/** A task to create. */
export type NewTask = Omit<Task, 'id'>;
/** Changes to a task; absent fields stay the same. */
export type TaskChanges = Partial<
  Pick<
    Task,
    | 'upstreamId'
    | 'channelId'
    | 'keyId'
    | 'code'
    | 'status'
    | 'progress'
    | 'promptEn'
    | 'description'
    | 'submittedAtMs'
    | 'startedAtMs'
    | 'finishedAtMs'
    | 'imageUrl'
    | 'failReason'
    | 'quotaUnits'
    | 'buttons'
    | 'properties'
    | 'data'
    | 'pricing'
  >
>;

/** The filters of a list of tasks; absent ones match all. */
export interface TaskFilter {
  readonly platform: 'mj' | 'other';
  readonly userId?: number;
  readonly channelId?: number;
  readonly publicId?: string;
  readonly status?: string;
  readonly action?: string;
  /** Filters by submission time, which lists show. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** Which unfinished tasks to read: those of a channel, those a platform's upstreams have accepted, or those none has. */
export type OpenTasks =
  | { readonly channelId: number }
  | { readonly platform: TaskPlatform }
  | { readonly unsubmitted: true };

/** Stores tasks. */
export interface TaskStore {
  create(task: NewTask): Promise<number>;
  /** Deletes a task that never began because its hold was refused. */
  forget(id: number): Promise<void>;
  byPublicId(publicId: string): Promise<Task | undefined>;
  /** Those of the ids that belong to the user. */
  ofUser(userId: number, publicIds: readonly string[]): Promise<readonly Task[]>;
  byUpstreamId(upstreamId: string): Promise<readonly Task[]>;
  /** Changes a task unless it is finished or deleted. @returns whether it changed */
  update(id: number, changes: TaskChanges): Promise<boolean>;
  /** Writes how a task ended, whatever its row says already. */
  finish(id: number, changes: TaskChanges): Promise<void>;
  /** The oldest unfinished tasks after that id. */
  unfinished(which: OpenTasks, limit: number, afterId: number): Promise<readonly Task[]>;
  /** The channels of unfinished tasks. */
  channelsAtWork(): Promise<readonly number[]>;
  /**
   * Lets this node alone ask a channel about its tasks until it gives the channel back or is dead. No clock decides that.
   * @returns false if another node is asking
   */
  takeChannel(channelId: number): Promise<boolean>;
  giveBackChannel(channelId: number): Promise<void>;
  page(filter: TaskFilter, page: PageRequest): Promise<Page<Task>>;
}
