import { channelStatus } from '#contract/codes.ts';
import type { OptionValues } from '#contract/options.ts';
import type { Channel } from '#core/channel/channel.ts';
import { disableReason } from '#core/channel/health.ts';
import type { Routing } from '#core/channel/routing.ts';
import { selectChannel } from '#core/channel/select.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError, asAppError } from '#core/error.ts';
import type { OutboundRequest } from '#core/outbound.ts';
import { type Price, quotaOf } from '#core/quota/price.ts';
import { type NewTask, type Task, type TaskChanges, type TaskPlatform } from '#core/task/task.ts';
import { taskPriceOf } from '#core/task/task-price.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import type { Caller } from '../running.ts';
import { countCall, countSuccess } from '../model-rate.ts';
import { closeTask } from './close-task.ts';
import { holdTask } from './hold-task.ts';
import { readUpstream } from './read-upstream.ts';
import type { TaskDeps } from './task-ports.ts';

const SUBMIT_TIMEOUT_MS = 60_000;
const PUBLIC_ID_LENGTH = 24;

/** What an upstream said to a submission. */
export type Submitted =
  | {
      readonly kind: 'taken';
      readonly upstreamId: string;
      readonly code: number;
      /** It is done already: nothing to wait for. */
      readonly isDone?: boolean;
      readonly answer: (publicId: string) => unknown;
    }
  | {
      readonly kind: 'refused';
      /** Of the answer; 0 where none came. */
      readonly status: number;
      readonly code: number;
      readonly message: string;
      readonly answer: unknown;
      /** Another channel may take it. */
      readonly isWorthAnother: boolean;
      /** The channel has nobody left to draw. */
      readonly isExhausted: boolean;
    };

/** A task to be handed to an upstream. */
export interface Submission {
  readonly platform: TaskPlatform;
  readonly types: ReadonlySet<number>;
  readonly model: string;
  readonly action: string;
  readonly prompt: string;
  readonly state: string;
  readonly notifyHook: string;
  /** Where the caller reached this site. */
  readonly reachedAt: string;
  /** It goes on from this task, at the channel that made it. */
  readonly origin: Task | undefined;
  readonly userAgent: string | undefined;
  /** The caller's body: its texts are checked for sensitive words. */
  readonly given: Readonly<Record<string, unknown>>;
  request(channel: Channel): OutboundRequest;
  read(status: number, body: unknown): Submitted;
}

interface Chosen {
  readonly channel: Channel;
  readonly group: string;
}

/** Prices, holds and hands over a task. @returns what the caller is answered; throws where nothing was taken */
export const submitTask = async (
  deps: TaskDeps,
  { user, token }: Caller,
  submission: Submission,
): Promise<unknown> => {
  const routing = deps.routing();
  const { options } = routing;
  if (token !== undefined) admitModel(token, submission.model);
  const groups = groupsOf(options, user.group, token?.group ?? '');
  const tried = new Set<number>();
  const first = choose(deps, routing, submission, groups, tried);
  deps.checkWords(options, submission.given, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, user: user.id }),
  );
  await countCall(deps, options, { user, token });
  const price = taskPriceOf(routing, submission.model, user.group, first.group);
  const quotaUnits = quotaOf(price, noUsage);
  if (quotaUnits === undefined)
    throw new AppError('insufficient_quota', 'the task costs more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  const task = newTask(deps, submission, first, { user, token }, quotaUnits, pricing(price, routing));
  const begun = { ...task, id: await deps.tasks.create(task) };
  await holdTask(deps, begun, token?.id ?? null);
  const { isTaken, answer } = await handOver(deps, begun, submission, first, (group) =>
    choose(deps, routing, submission, [group], tried),
  );
  if (isTaken) countSuccess(deps, options, { user, token });
  return answer;
};

const choose = (
  deps: TaskDeps,
  routing: Routing,
  { origin, model, types }: Submission,
  groups: readonly string[],
  tried: Set<number>,
): Chosen => {
  if (origin !== undefined) return originChannel(routing, origin, groups, tried);
  const { channel, group } = selectChannel(routing, {
    model,
    groups,
    tried,
    isCooling: () => false,
    isAble: (candidate) => types.has(candidate.type),
    inputTokens: 0,
    dice: deps.random.unit(),
  });
  if (channel === undefined)
    throw new AppError(
      'no_channel',
      `no available channels for model ${model} in group ${groups.join(', ')}`,
      {
        reason: 'model_not_found',
      },
    );
  tried.add(channel.id);
  return { channel, group };
};

/** What goes on from a task goes to the channel that has it. */
const originChannel = (
  routing: Routing,
  origin: Task,
  groups: readonly string[],
  tried: Set<number>,
): Chosen => {
  const channel = routing.channels.get(origin.channelId);
  if (channel === undefined || tried.has(channel.id))
    throw new AppError('no_channel', 'the channel of the original task is gone');
  if (channel.status !== channelStatus.enabled)
    throw new AppError('no_channel', 'the channel of the original task is disabled');
  tried.add(channel.id);
  return { channel, group: groups.includes(origin.group) ? origin.group : (groups[0] ?? origin.group) };
};

const pricing = ({ factors }: Price, routing: Routing): string =>
  JSON.stringify({
    model_price: factors.modelPrice,
    model_ratio: factors.modelRatio,
    completion_ratio: factors.completionRatio,
    group_ratio: factors.groupRatio,
    user_group_ratio: factors.userGroupRatio,
    price_version: routing.priceVersion,
  });

const newTask = (
  deps: TaskDeps,
  submission: Submission,
  { channel, group }: Chosen,
  { user, token }: Pick<Caller, 'user' | 'token'>,
  quotaUnits: number,
  pricingText: string,
): NewTask => ({
  platform: submission.platform,
  publicId: deps.random.alphanumeric(PUBLIC_ID_LENGTH),
  upstreamId: '',
  userId: user.id,
  username: user.username,
  tokenId: token?.id ?? 0,
  tokenName: token?.name ?? '',
  channelId: channel.id,
  group,
  model: submission.model,
  action: submission.action,
  code: 0,
  status: '',
  progress: '0%',
  prompt: submission.prompt,
  promptEn: '',
  description: '',
  state: submission.state,
  createdAtMs: deps.clock.now(),
  submittedAtMs: deps.clock.now(),
  startedAtMs: 0,
  finishedAtMs: 0,
  imageUrl: '',
  failReason: '',
  quotaUnits,
  notifyHook: submission.notifyHook,
  reachedAt: submission.notifyHook === '' ? '' : submission.reachedAt,
  buttons: '',
  properties: '',
  data: '',
  pricing: pricingText,
});

/** Tries channels until one takes the task; what none takes is given back, and the last refusal is the answer. */
const handOver = async (
  deps: TaskDeps,
  begun: Task,
  submission: Submission,
  first: Chosen,
  next: (group: string) => Chosen,
): Promise<{ readonly isTaken: boolean; readonly answer: unknown }> => {
  let chosen = first;
  const { RetryTimes } = deps.routing().options;
  for (let attempt = 0; ; attempt += 1) {
    const { channel } = chosen;
    deps.channels.seen(channel.id, chosen.group, submission.userAgent);
    const task = { ...begun, channelId: channel.id };
    const outcome = await sent(deps, submission, channel);
    if (outcome.kind === 'taken') return { isTaken: true, answer: await taken(deps, task, outcome) };
    const reason = channel.autoDisable ? stopReason(outcome, deps.routing().options) : undefined;
    if (reason !== undefined) deps.channels.autoDisable(channel.id, reason);
    const another = outcome.isWorthAnother && attempt < RetryTimes ? tryNext(next, chosen.group) : undefined;
    if (another === undefined) return { isTaken: false, answer: await givenBack(deps, task, outcome) };
    chosen = another;
  }
};

/** Why the channel is switched off: nobody is left to draw there, or its error is one of those that do not pass. */
const stopReason = (
  { isExhausted, status, message }: Submitted & { readonly kind: 'refused' },
  options: OptionValues,
): string | undefined => {
  if (isExhausted) return options.AutomaticDisableChannelEnabled ? message : undefined;
  // An answer that is no error may repeat the caller's own words.
  if (status < 400) return undefined;
  return disableReason(new AppError('upstream_failed', message, { upstream: { status, message } }), options);
};

const tryNext = (next: (group: string) => Chosen, group: string): Chosen | undefined => {
  try {
    return next(group);
  } catch {
    return undefined;
  }
};

const sent = async (deps: TaskDeps, submission: Submission, channel: Channel): Promise<Submitted> => {
  try {
    const request = { ...submission.request(channel), firstByteTimeoutMs: SUBMIT_TIMEOUT_MS };
    const { status, body } = await readUpstream(deps, request, SUBMIT_TIMEOUT_MS);
    return submission.read(status, body);
  } catch (thrown) {
    const error = asAppError(thrown);
    // Whether a task that ran into a timeout was taken nobody knows: it is not sent twice.
    const isWorthAnother = error.code !== 'upstream_timeout';
    return {
      kind: 'refused',
      status: 0,
      code: 5,
      message: error.message,
      answer: undefined,
      isWorthAnother,
      isExhausted: false,
    };
  }
};

const taken = async (
  deps: TaskDeps,
  task: Task,
  outcome: Submitted & { readonly kind: 'taken' },
): Promise<unknown> => {
  const changes: TaskChanges = {
    upstreamId: outcome.upstreamId,
    channelId: task.channelId,
    code: outcome.code,
    submittedAtMs: deps.clock.now(),
  };
  if (outcome.isDone === true) await closeTask(deps, task, { status: 'SUCCESS', changes });
  else await deps.tasks.update(task.id, { ...changes, status: 'SUBMITTED' });
  return outcome.answer(task.publicId);
};

const givenBack = async (
  deps: TaskDeps,
  task: Task,
  outcome: Submitted & { readonly kind: 'refused' },
): Promise<unknown> => {
  const changes = { channelId: task.channelId, code: outcome.code, failReason: outcome.message };
  await closeTask(deps, task, { status: 'FAILURE', changes });
  if (outcome.answer !== undefined) return outcome.answer;
  throw new AppError('upstream_failed', `the upstream failed: ${outcome.message}`);
};
