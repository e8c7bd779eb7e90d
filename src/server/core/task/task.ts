import type { Page, PageRequest } from '../paging.ts';

export type TaskPlatform = 'mj' | 'suno';

/** Where a task is, in the words of the wire; empty while it is being handed over. */
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

/** An upstream's word for the status; `UNKNOWN` where it is none of ours. */
export const taskStatusOf = (word: string): TaskStatus =>
  word === '' ? '' : statuses.has(word) ? (word as TaskStatus) : 'UNKNOWN';

/** Whether nothing comes after this status; `UNKNOWN` and `MODAL` go on. */
export const isFinished = (status: TaskStatus): boolean => status === 'SUCCESS' || status === 'FAILURE';

/** How the id of a task's hold begins. Such a hold outlives the run that made it: the poller closes it. */
export const TASK_HOLD_PREFIX = 'task-';

/** The id of a task's hold: with it the poller charges the task once, whoever hears of its end. */
export const taskHoldId = (publicId: string): string => TASK_HOLD_PREFIX + publicId;

/** A drawing or a piece of music that an upstream works on. Times are milliseconds, 0 for not yet. */
export interface Task {
  readonly id: number;
  readonly platform: TaskPlatform;
  /** What callers know it by: not to be guessed, unlike the upstream's own. */
  readonly publicId: string;
  /** Empty until the upstream has taken it. */
  readonly upstreamId: string;
  readonly userId: number;
  readonly username: string;
  /** 0 where no token paid. */
  readonly tokenId: number;
  readonly tokenName: string;
  readonly channelId: number;
  readonly group: string;
  /** What it is priced by: `mj_imagine`. */
  readonly model: string;
  /** `IMAGINE`, `MUSIC` */
  readonly action: string;
  /** What the upstream answered: 1 submitted, 21 waiting for more, 22 queued; 0 not (yet) submitted. */
  readonly code: number;
  readonly status: TaskStatus;
  /** `0%` to `100%` */
  readonly progress: string;
  readonly prompt: string;
  readonly promptEn: string;
  readonly description: string;
  /** The caller's own word, given back with the task. */
  readonly state: string;
  readonly createdAtMs: number;
  readonly submittedAtMs: number;
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  readonly imageUrl: string;
  readonly failReason: string;
  /** What it costs, taken aside; 0 once it failed. */
  readonly quotaUnits: number;
  /** Where the caller wants to hear of changes; empty for nowhere. */
  readonly notifyHook: string;
  /** The address of this site as the caller wrote it: for the caller's hook alone. Empty without a hook. */
  readonly reachedAt: string;
  /** JSON as the upstream gave it: buttons, properties, clips. */
  readonly buttons: string;
  readonly properties: string;
  readonly data: string;
  /** How the price came about, for the log: JSON. */
  readonly pricing: string;
}

export type NewTask = Omit<Task, 'id'>;
export type TaskChanges = Partial<
  Pick<
    Task,
    | 'upstreamId'
    | 'channelId'
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
  >
>;

export interface TaskFilter {
  readonly platform: 'mj' | 'other';
  readonly userId?: number;
  readonly channelId?: number;
  readonly publicId?: string;
  readonly status?: string;
  readonly action?: string;
  /** By the time of submission, which lists show. */
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface TaskStore {
  create(task: NewTask): Promise<number>;
  /** Forgets one that never began: its hold was refused. */
  forget(id: number): Promise<void>;
  byPublicId(publicId: string): Promise<Task | undefined>;
  /** Those of the ids that belong to the user. */
  ofUser(userId: number, publicIds: readonly string[]): Promise<readonly Task[]>;
  byUpstreamId(upstreamId: string): Promise<readonly Task[]>;
  /** Changes one that is not finished; false when it is (or is gone): what is finished stays as it is. */
  update(id: number, changes: TaskChanges): Promise<boolean>;
  /** The oldest that are not finished. */
  unfinished(limit: number): Promise<readonly Task[]>;
  page(filter: TaskFilter, page: PageRequest): Promise<Page<Task>>;
}
