import { isPassedOver, warnOfLoss } from '../bill/sold-below-cost.ts';
import { channelStatus } from '#contract/codes.ts';
import { keptAt } from '#core/channel/seat.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { TriedSeats } from '#core/channel/open-channels.ts';
import { type Decision, selectChannel } from '#core/channel/select.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import { priceAt } from '#core/quota/price-variants.ts';
import { type Price, quotaOf } from '#core/quota/price.ts';
import { receiptOf } from '#core/quota/price-steps.ts';
import type { NewTask, Task } from '#core/task/task.ts';
import { taskPriceOf } from '#core/task/task-price.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { countCall, giveBackPlace } from '../caller/model-rate.ts';
import type { Caller } from '../request/request.ts';
import { unservedModel } from '../caller/usable-models.ts';
import { dispatchTask, type Submission } from './dispatch-task.ts';
import { holdTask } from './task-hold.ts';
import type { TaskDeps } from './task-ports.ts';

const PUBLIC_ID_LENGTH = 24;
const NOBODY: TriedSeats = { channels: new Set(), keys: new Set() };

/** Admits, prices, holds and dispatches a task. Returns the caller's answer; throws if no channel accepted it. */
export const submitTask = async (
  deps: TaskDeps,
  { user, token }: Caller,
  submission: Submission,
): Promise<unknown> => {
  const routing = deps.routing();
  const { options } = routing;
  if (token !== undefined) admitModel(token, submission.model);
  const groups = groupsOf(options, user.group, token?.group ?? '');
  const choosing: Choosing = { deps, routing, payer: { user, token } };
  const first = choose(choosing, submission, groups, NOBODY);
  if (first.channel === undefined) throw unservedModel(routing, groups, { user, token }, submission.model);
  deps.checkWords(options, submission.given, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, user: user.id }),
  );
  const counted = { ratePlace: (await countCall(deps, options, { user, token }))?.place };
  let isAccepted = false;
  try {
    const outcome = await holdAndDispatch(choosing, submission, first);
    ({ isAccepted } = outcome);
    return outcome.answer;
  } finally {
    if (!isAccepted) giveBackPlace(deps, counted);
  }
};

const holdAndDispatch = async (
  choosing: Choosing,
  submission: Submission,
  first: Decision,
): ReturnType<typeof dispatchTask> => {
  const { deps, routing, payer } = choosing;
  const price = priceAt(
    taskPriceOf(routing, submission.model, payer.user.group, first.group),
    deps.clock.now(),
  );
  const quotaUnits = quotaOf(price, noUsage);
  if (quotaUnits === undefined)
    throw new AppError('insufficient_quota', 'the task costs more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  const unpriced = newTask(deps, submission, first, payer);
  const task = { ...unpriced, quotaUnits, pricing: pricing(price, routing) };
  const begun = { ...task, id: await deps.tasks.create(task) };
  await holdTask(deps, begun, payer, routing.options);
  return dispatchTask(deps, begun, submission, {
    isFree: submission.origin === undefined,
    choose: (tried) =>
      tried.channels.size + tried.keys.size === 0
        ? first
        : choose(choosing, submission, [first.group], tried),
    nobody: () => unservedModel(routing, [first.group], payer, submission.model),
  });
};

interface Choosing {
  readonly payer: Pick<Caller, 'user' | 'token'>;
  readonly deps: TaskDeps;
  readonly routing: Routing;
}

const choose = (
  { deps, routing, payer }: Choosing,
  { origin, model, types }: Submission,
  groups: readonly string[],
  tried: TriedSeats,
): Decision => {
  if (origin !== undefined) return originChannel(routing, { origin, groups, tried });
  const nowMs = deps.clock.monotonic();
  const { user } = payer;
  const price = (group: string) => taskPriceOf(routing, model, user.group, group);
  const sale = { routing, user, model, atMs: deps.clock.now(), price };
  const decision = selectChannel(routing, {
    model,
    groups,
    tried,
    isCooling: (channelId, keyId) => deps.health.isCooling(channelId, keyId, model, nowMs),
    keys: deps.keyUses,
    isAble: (candidate) => types.has(candidate.type),
    isLoss: (candidate, group) => isPassedOver(sale, candidate, group),
    inputTokens: 0,
    dice: deps.random.unit(),
  });
  warnOfLoss(deps, sale, decision.channel, decision.group);
  return decision;
};

/** A task that continues another goes to the channel that made the other. */
const originChannel = (
  routing: Routing,
  { origin, groups, tried }: { origin: Task; groups: readonly string[]; tried: TriedSeats },
): Decision => {
  const channel = keptAt(routing.channels, origin);
  if (channel === undefined) throw new AppError('no_channel', 'the channel of the original task is gone');
  if (channel.status !== channelStatus.enabled)
    throw new AppError('no_channel', 'the channel of the original task is disabled');
  const group = groups.includes(origin.group) ? origin.group : (groups[0] ?? origin.group);
  const isTried = tried.channels.has(channel.id) || tried.keys.has(channel.keyId);
  return { channel: isTried ? undefined : channel, group, coolingTaken: false, leftOut: [] };
};

const pricing = (price: Price, routing: Routing): string => {
  const { factors } = price;
  return JSON.stringify({
    model_price: factors.modelPrice,
    model_ratio: factors.modelRatio,
    completion_ratio: factors.completionRatio,
    group_ratio: factors.groupRatio,
    user_group_ratio: factors.userGroupRatio,
    price_version: routing.priceVersion,
    price_source: factors.source,
    ...receiptOf(price, noUsage),
  });
};

const newTask = (
  deps: TaskDeps,
  submission: Submission,
  { channel, group }: Decision,
  { user, token }: Pick<Caller, 'user' | 'token'>,
): Omit<NewTask, 'quotaUnits' | 'pricing'> => ({
  platform: submission.platform,
  publicId: deps.random.alphanumeric(PUBLIC_ID_LENGTH),
  upstreamId: '',
  userId: user.id,
  username: user.username,
  tokenId: token?.id ?? 0,
  tokenName: token?.name ?? '',
  channelId: channel?.id ?? 0,
  keyId: channel?.keyId ?? 0,
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
  notifyHook: submission.notifyHook,
  reachedAt: submission.notifyHook === '' ? '' : submission.reachedAt,
  buttons: '',
  properties: '',
  data: '',
});
