import type { OutboundBody, Sender } from '#core/outbound/outbound.ts';
import type { Task, TaskStore } from '#core/task/task.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { parsed } from '#contract/json-text.ts';
import { AppError } from '#core/error.ts';
import { spellingOf } from '#core/decisive-fields.ts';
import { assertReadAtOnce } from '#core/json/bounds.ts';
import { assertNames } from '#core/json/one-meaning.ts';
import { type Fields, isFields, wordOf } from '#core/json/fields.ts';
import type { Outlet } from '../answer/outlet.ts';
import type { Parts, SharedPart } from '../parts.ts';
import type { Caller } from '../request/request.ts';

/** What tasks are given: their stores, and the parts that they share with calls. */
export interface TaskDeps extends Pick<
  Parts,
  | SharedPart
  | 'channels'
  | 'checkWords'
  | 'clock'
  | 'houseCosts'
  | 'ledger'
  | 'log'
  | 'metrics'
  | 'modelRates'
  | 'pricesDue'
  | 'random'
  | 'refusals'
  | 'routing'
  | 'sender'
> {
  readonly tasks: TaskStore;
  /** Fetches pictures, through the operator's worker if there is one. */
  readonly pictures: Pick<Sender, 'send'>;
  /** Checks the address of a picture against the outbound guard. Throws the reason if it is refused. */
  readonly checkUrl: (url: string) => unknown;
  /** Calls the webhooks of callers, under a guard of its own, and through the operator's worker if there is one. */
  readonly hooks: { readonly sender: Pick<Sender, 'send'>; readonly checkUrl: (url: string) => unknown };
}

/** Polls upstreams for the state of their tasks. */
export interface TaskPoller {
  /** Polls all unfinished tasks. */
  run(): Promise<void>;
  /** Polls these tasks now. */
  poll(tasks: readonly Task[]): Promise<void>;
}

/** One request about tasks, from the front door. */
export interface TaskCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly requestId: string;
  /** Scheme and host as the caller's request named them, such as `https://gateway.example`. */
  readonly origin: string;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
  /** What the answer says about limits, whatever else it says. */
  readonly outlet: Pick<Outlet, 'rateHeaders'>;
  /** Reads the whole body, decoded and within its limit, and counts it for this user. */
  readBody(userId: number): Promise<Buffer>;
}

/** The answer to a caller of the task API. */
export type TaskAnswer =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: unknown;
      /** Whether and when to retry. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A picture, passed on as it arrives. */
  | { readonly kind: 'picture'; readonly contentType: string; readonly body: OutboundBody };

/** The most tasks that one request can ask for; further ids are ignored. */
const LISTED_MAX = 500;

/** The ids of tasks in a body. */
export const taskIds = (ids: unknown): string[] =>
  Array.isArray(ids) ? ids.map(wordOf).slice(0, LISTED_MAX) : [];

/** Makes a JSON answer. */
export const json = (body: unknown, status = 200): TaskAnswer => ({ kind: 'json', status, body });

/**
 * Fields that decide what is made, from what, and who is notified. Midjourney Proxies written in C# accept these names
 * in any case, so a second spelling could override the checked one.
 */
const spelling = spellingOf([
  'action',
  'accountFilter',
  'content',
  'customId',
  'index',
  'mv',
  'notifyHook',
  'prompt',
  'state',
  'taskId',
  'task_id',
]);

/** Reads a body that must be a JSON object, in which no field has another spelling. Throws `invalid_request`. */
export const readObject = async (call: TaskCall, { user }: Pick<Caller, 'user'>): Promise<Fields> => {
  const bytes = await call.readBody(user.id);
  assertReadAtOnce(bytes);
  const body = parsed(bytes.toString());
  if (!isFields(body)) throw new AppError('invalid_request', 'the body must be a JSON object');
  assertNames(body, spelling);
  return body;
};
