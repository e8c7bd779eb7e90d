import { channelStatus } from '#contract/codes.ts';
import type { Routing } from '#core/channel/routing.ts';
import { selectChannel } from '#core/channel/select.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import { type Price, quotaOf } from '#core/quota/price.ts';
import { priceSteps } from '#core/quota/price-steps.ts';
import type { NewTask, Task } from '#core/task/task.ts';
import { taskPriceOf } from '#core/task/task-price.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { countCall, giveBackPlace } from '../model-rate.ts';
import type { Caller } from '../running.ts';
import { unservedModel } from '../usable-models.ts';
import { handOver } from './hand-over.ts';
import { holdTask } from './hold-task.ts';
import type { Chosen, Submission } from './submission.ts';
import type { TaskDeps } from './task-ports.ts';

const PUBLIC_ID_LENGTH = 24;

/** Admits, prices, holds and hands over a task. @returns what the caller is answered; throws where nothing was taken */
export const submitTask = async (
  deps: TaskDeps,
  { user, token }: Caller,
  submission: Submission,
): Promise<unknown> => {
  const routing = deps.routing();
  const { options } = routing;
  if (token !== undefined) admitModel(token, submission.model);
  const groups = groupsOf(options, user.group, token?.group ?? '');
  const choosing: Choosing = { deps, routing, payer: { user, token }, tried: new Set() };
  const first = choose(choosing, submission, groups);
  deps.checkWords(options, submission.given, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, user: user.id }),
  );
  const place = (await countCall(deps, options, { user, token }))?.place;
  let isTaken = false;
  try {
    const outcome = await holdAndHandOver(choosing, submission, first);
    ({ isTaken } = outcome);
    return outcome.answer;
  } finally {
    if (!isTaken) giveBackPlace(deps, place);
  }
};

const holdAndHandOver = async (
  choosing: Choosing,
  submission: Submission,
  first: Chosen,
): ReturnType<typeof handOver> => {
  const { deps, routing, payer } = choosing;
  const price = taskPriceOf(routing, submission.model, payer.user.group, first.group);
  const quotaUnits = quotaOf(price, noUsage);
  if (quotaUnits === undefined)
    throw new AppError('insufficient_quota', 'the task costs more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  const unpriced = newTask(deps, submission, first, payer);
  const task = { ...unpriced, quotaUnits, pricing: pricing(price, routing) };
  const begun = { ...task, id: await deps.tasks.create(task) };
  await holdTask(deps, begun, payer, routing.options);
  return handOver(deps, begun, submission, first, (group) => choose(choosing, submission, [group]));
};

interface Choosing {
  readonly payer: Pick<Caller, 'user' | 'token'>;
  readonly deps: TaskDeps;
  readonly routing: Routing;
  readonly tried: Set<number>;
}

const choose = (
  { deps, routing, payer, tried }: Choosing,
  { origin, model, types }: Submission,
  groups: readonly string[],
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
  if (channel === undefined) throw unservedModel(routing, groups, payer, model);
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
    price_steps: priceSteps(price, noUsage),
  });
};

const newTask = (
  deps: TaskDeps,
  submission: Submission,
  { channel, group }: Chosen,
  { user, token }: Pick<Caller, 'user' | 'token'>,
): Omit<NewTask, 'quotaUnits' | 'pricing'> => ({
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
  notifyHook: submission.notifyHook,
  reachedAt: submission.notifyHook === '' ? '' : submission.reachedAt,
  buttons: '',
  properties: '',
  data: '',
});
