import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { CONTENT_FILTER, disableReason } from '#core/channel/health/blame.ts';
import { limitsOfModel } from '#core/channel/health/patience.ts';
import { retryAfterOf } from '#core/channel/health/rate-headers.ts';
import { isWorthAnother, mayBeDone } from '#core/channel/health/retry.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { Fields } from '#core/json/fields.ts';
import type { OutboundRequest } from '#core/outbound/outbound.ts';
import { type Task, type TaskChanges, taskHoldId, type TaskPlatform } from '#core/task/task.ts';
import { isOfAccount } from '../../dialects/upstream-status.ts';
import { accountTrouble, couldNotServe, upstreamRefusal } from '../../dialects/upstream-words.ts';
import { writeUntilDone } from '../bill/hold/close-hold.ts';
import { queuedFields, triedFields } from '../bill/admin-fields.ts';
import { newTryBook, type TryBook } from '../route/attempt-notes.ts';
import type { Queued } from '../route/seat-rooms.ts';
import type { Tries } from '../route/tries.ts';
import { retryBudget } from '../route/retry-budget.ts';
import { tryChannels } from '../route/try-channels.ts';
import type { Chosen } from '../destination.ts';
import { closeTask } from './task-hold.ts';
import { taskRequest } from './task-overrides.ts';
import type { TaskCall, TaskDeps } from './task-ports.ts';
import { askUpstream } from './task-upstream.ts';

/** The upstream has accepted the task. */
interface Accepted {
  readonly kind: 'accepted';
  readonly upstreamId: string;
  readonly code: number;
  /** The task is finished already, so it is not polled. */
  readonly isDone?: boolean;
  readonly answer: (publicId: string) => unknown;
}

/** The upstream has refused the task. */
interface Refused {
  readonly kind: 'refused';
  readonly status: number;
  readonly code: number;
  readonly message: string;
  /** What the caller gets; undefined for an error of ours. */
  readonly answer: unknown;
  /** Whether another channel may accept it. Default: decided by the status. */
  readonly isWorthAnother?: boolean;
  /** The channel has no account left that could do it. */
  readonly isExhausted: boolean;
  /** Its words or pictures are not allowed. */
  readonly isOfContent?: boolean;
}

/** An upstream's reply to a submitted task. */
export type SubmitReply = Accepted | Refused;

/** A task for an upstream. */
export interface Submission {
  readonly platform: TaskPlatform;
  /** The channel types that support it. */
  readonly types: ReadonlySet<number>;
  readonly model: string;
  /** The model name the caller used, if it is an alias. */
  readonly askedModel?: string;
  readonly action: string;
  readonly prompt: string;
  readonly state: string;
  readonly notifyHook: string;
  /** The address of this site that the caller used. */
  readonly reachedAt: string;
  /** The task it continues, which binds it to that task's channel. */
  readonly origin: Task | undefined;
  /** Headers that overrides may depend on, the caller's abort signal, and what the answer tells of limits. */
  readonly call: Pick<TaskCall, 'headers' | 'signal' | 'outlet'>;
  /** What is sent to an upstream, before the channel's overrides. */
  readonly body: Fields;
  /** The caller's body: its texts are checked for sensitive words. */
  readonly given: Readonly<Record<string, unknown>>;
  request(channel: Channel, body: Fields): OutboundRequest;
  /** Throws `upstream_failed` if the reply does not say whether the task was accepted. */
  read(status: number, body: unknown): SubmitReply;
}

/** The error if the upstream has received the task but its answer does not say whether it was accepted. */
export const unreadable = (): AppError => new AppError('upstream_failed', 'the answer cannot be read');

const SUBMIT_TIMEOUT_MS = 60_000;
/** Midjourney Proxy's code for a failure without a code of its own. */
const FAILED = 5;

/** Which channels may get the task. */
interface Where extends Pick<Tries<Accepted, Chosen>, 'isFree' | 'choose' | 'nobody'> {
  /** How the task waited for its first channel; undefined if it did not. */
  readonly queued: Queued | undefined;
  /** When the task began; monotonic. */
  readonly startedMs: number;
  /** How long it took until its hold was made. */
  readonly heldMs: number;
}

/** Tries channels until one accepts the task. If none does, gives the hold back and answers with the last refusal. */
export const dispatchTask = async (
  deps: TaskDeps,
  begun: Task,
  submission: Submission,
  { queued, startedMs, heldMs, ...where }: Where,
): Promise<{ readonly isAccepted: boolean; readonly answer: unknown }> => {
  const routing = deps.routing();
  const { options } = routing;
  const book = newTryBook<Chosen>();
  let refused: Refused | undefined;
  const outcome = await tryChannels<Accepted, Chosen>(deps, {
    ...where,
    book,
    options,
    model: submission.model,
    userId: begun.userId,
    requestId: taskHoldId(begun.publicId),
    userAgent: submission.call.headers['user-agent'],
    canRepeat: false,
    budget: retryBudget(deps, routing, begun.group, submission.model),
    begin: (chosen) => chosen,
    ask: async ({ destination: { channel } }) => {
      refused = undefined;
      const { reply, retryAfterSeconds } = await submitTo(deps, submission, { channel, group: begun.group });
      refused = reply.kind === 'refused' ? reply : undefined;
      if (reply.kind === 'refused') throw errorOf(reply, retryAfterSeconds);
      return reply;
    },
    status: 200,
    judge: (error) => judge(error, refused, { options, channel: book.attempt?.destination.channel }),
  }).catch((thrown: unknown) => ({ kind: 'failed', error: asAppError(thrown) }) as const);
  // Gives the channel's place back: nothing more is asked of it for this task.
  book.attempt?.close();
  const { id: channelId, keyId } = book.attempt?.destination.channel ?? {
    id: begun.channelId,
    keyId: begun.keyId,
  };
  const task = {
    ...begun,
    channelId,
    keyId,
    pricing: pricingWithTries(begun, book, { queued, startedMs, heldMs }),
  };
  return outcome.kind === 'accepted'
    ? { isAccepted: true, answer: await recordAccepted(deps, task, outcome) }
    : { isAccepted: false, answer: await giveBack(deps, task, outcome.error, refused) };
};

const submitTo = async (
  deps: TaskDeps,
  submission: Submission,
  { channel, group }: { readonly channel: Channel; readonly group: string },
): Promise<{ readonly reply: SubmitReply; readonly retryAfterSeconds: number | undefined }> => {
  const { wholeMs, headMs } = timeoutsOf(deps.routing().options, channel, submission.model);
  const request = { ...taskRequest(submission, group, channel), headMs };
  const { status, body, headers } = await askUpstream(deps, channel, request, wholeMs);
  const seconds = Number(retryAfterOf(headers, deps.clock.now()));
  return {
    reply: submission.read(status, body),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined,
  };
};

/** How long an upstream may take to accept a task: as long as the channel or the model says, else a minute. */
const timeoutsOf = (options: OptionValues, { setting }: Channel, model: string) => {
  const ofModel = limitsOfModel(options['upstream_setting.model_timeouts'], model);
  const limits = { ...ofModel, ...setting.limits };
  const wholeMs =
    limits.whole_reply_timeout_ms ?? Math.max(SUBMIT_TIMEOUT_MS, limits.first_byte_timeout_ms ?? 0);
  return { wholeMs, headMs: limits.first_byte_timeout_ms ?? wholeMs };
};

/** The task's pricing, with the attempted channels and its stages added for its log row. */
const pricingWithTries = (
  { pricing }: Task,
  book: TryBook<Chosen>,
  { queued, startedMs, heldMs }: Pick<Where, 'queued' | 'startedMs' | 'heldMs'>,
): string => {
  const admin_info = {
    ...triedFields(book, startedMs),
    ...(queued && { queued: queuedFields(queued) }),
    stages: { read: 0, hold: Math.round(heldMs) },
  };
  return JSON.stringify({ ...(JSON.parse(pricing) as object), admin_info });
};

/**
 * A refusal under status 200 may repeat the caller's own words, so it disables no channel. If it is the caller's
 * mistake, it says nothing about the channel either.
 */
const errorOf = (
  { status, message, isWorthAnother: isChannels = false, isOfContent = false }: Refused,
  retryAfterSeconds: number | undefined,
): AppError => {
  if (status < 400) return new AppError(isChannels ? 'upstream_failed' : 'invalid_request', message);
  const upstream = { status, message, ...(isOfContent && { code: CONTENT_FILTER }) };
  return isOfAccount(status)
    ? accountTrouble(upstream, couldNotServe(status))
    : upstreamRefusal(upstream, { body: {}, retryAfterSeconds, param: undefined });
};

interface Asked {
  readonly options: OptionValues;
  readonly channel: Channel | undefined;
}

/**
 * Whether to ask another channel, and why to disable this one. If the upstream refused with words of its own, they
 * decide. Otherwise the rule for calls that must not run twice applies: if the task may have begun, no other channel is
 * asked.
 */
const judge = (error: AppError, refused: Refused | undefined, { options, channel }: Asked) => {
  const { statusCodeMapping } = channel ?? {};
  const terms = { canRepeat: false, ...(statusCodeMapping !== undefined && { statusCodeMapping }) };
  const another = refused?.isWorthAnother ?? isWorthAnother(error, terms);
  const exhausted = refused?.isExhausted === true && options.AutomaticDisableChannelEnabled;
  return { another, disable: exhausted ? refused.message : disableReason(error, options) };
};

const recordAccepted = async (deps: TaskDeps, task: Task, accepted: Accepted): Promise<unknown> => {
  const changes: TaskChanges = {
    upstreamId: accepted.upstreamId,
    channelId: task.channelId,
    keyId: task.keyId,
    pricing: task.pricing,
    code: accepted.code,
    submittedAtMs: deps.clock.now(),
  };
  // Retried until it is written: without its upstream id the task would count as never submitted, and its hold would be
  // given back although the upstream makes it.
  await writeUntilDone(deps, taskHoldId(task.publicId), 'an accepted task could not be recorded yet', () =>
    accepted.isDone === true
      ? closeTask(deps, task, { status: 'SUCCESS', changes })
      : deps.tasks.update(task.id, { ...changes, status: 'SUBMITTED' }),
  );
  return accepted.answer(task.publicId);
};

/** Gives the hold back. Returns the upstream's refusal if the caller gets that; throws the error otherwise. */
const giveBack = async (
  deps: TaskDeps,
  task: Task,
  failure: AppError,
  refused: Refused | undefined,
): Promise<unknown> => {
  const { message } = failure;
  const { channelId, keyId, pricing } = task;
  const changes = { channelId, keyId, pricing, code: refused?.code ?? FAILED, failReason: message };
  await closeTask(deps, task, { status: 'FAILURE', changes, failure, isUnsure: mayBeDone(failure) });
  if (refused?.answer !== undefined) return refused.answer;
  throw failure;
};
