import { aliasedModel } from '#core/channel/aliased-model.ts';
import type { Routing } from '#core/channel/routing.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import { noUsage } from '#core/chat/usage.ts';
import { AppError } from '#core/error.ts';
import { priceOfMedia } from '#core/quota/media-price.ts';
import { priceAt } from '#core/quota/price-variants.ts';
import { type Price, quotaOf } from '#core/quota/price.ts';
import { receiptOf } from '#core/quota/price-steps.ts';
import type { NewTask } from '#core/task/task.ts';
import { taskPriceOf } from '#core/task/task-price.ts';
import { admitModel } from '#core/token/admission.ts';
import { groupsOf } from '#core/token/groups.ts';
import { momentAfter, momentNow } from '../bill/price/prices-of-now.ts';
import { countCall, giveBackPlace } from '../caller/model-rate.ts';
import { rateHeaders } from '../caller/reply-headers.ts';
import type { Caller } from '../request/request.ts';
import { unservedModel } from '../caller/usable-models.ts';
import {
  type Choosing,
  chooseForTask,
  isServed,
  liveOf,
  nobodyTakes,
  NOTHING_TRIED,
} from './choose-for-task.ts';
import { dispatchTask, type Submission } from './dispatch-task.ts';
import { holdTask } from './task-hold.ts';
import type { TaskDeps } from './task-ports.ts';

const PUBLIC_ID_LENGTH = 24;

/** Admits, prices, holds and dispatches a task. Returns the caller's answer; throws if no channel accepted it. */
export const submitTask = async (
  deps: TaskDeps,
  { user, token }: Caller,
  asked: Submission,
): Promise<unknown> => {
  const { atMs, routing } = momentNow(deps) ?? (await momentAfter(deps));
  const { options } = routing;
  const submission = renamed(routing, asked);
  if (token !== undefined) admitModel(token, submission.model);
  const groups = groupsOf(options, user.group, token?.group ?? '');
  const payer = { user, token };
  const live = liveOf(submission);
  const choosing: Choosing = { deps, routing, beganMs: atMs, payer, submission, groups, live };
  if (!isServed(choosing))
    throw notedFailure(choosing, groups[0] ?? '', unservedModel(routing, groups, payer, submission.model));
  deps.checkWords(options, submission.given, (word) =>
    deps.log.warn('a prompt has a sensitive word', { word, user: user.id }),
  );
  const rate = await countCall(deps, options, payer);
  const counted = { ratePlace: rate?.place };
  if (rate !== undefined)
    submission.call.outlet.rateHeaders = rateHeaders(rate, 'openai-chat', deps.clock.now());
  let isAccepted = false;
  let first: Decision | undefined;
  try {
    first = await chooseForTask(choosing, NOTHING_TRIED, 'wait');
    if (first.channel === undefined) throw notedFailure(choosing, first.group, nobodyTakes(choosing, first));
    const outcome = await holdAndDispatch(choosing, first);
    ({ isAccepted } = outcome);
    return outcome.answer;
  } finally {
    first?.lease?.end();
    if (!isAccepted) giveBackPlace(deps, counted);
  }
};

/** Records that no channel takes the task, which counts against the availability of a model that the site offers. */
const notedFailure = (
  { deps, payer, submission: { model } }: Choosing,
  group: string,
  failure: AppError,
): AppError => {
  const atMs = deps.clock.now();
  deps.availability.note({ atMs, userId: payer.user.id, group, model, failure, firstTokenMs: undefined });
  return failure;
};

/** Resolves an alias to its model, which decides groups, key limits, price and channels. */
const renamed = (routing: Routing, asked: Submission): Submission => {
  const model = aliasedModel(routing, asked.model);
  return model === asked.model ? asked : { ...asked, model, askedModel: asked.model };
};

const holdAndDispatch = async (choosing: Choosing, first: Decision): ReturnType<typeof dispatchTask> => {
  const { deps, routing, beganMs, payer, submission } = choosing;
  const startedMs = deps.clock.monotonic();
  const usual = taskPriceOf(routing, submission.model, payer.user.group, first.group);
  const price = priceAt(priceOfMedia(usual, submission.given), beganMs);
  const quotaUnits = quotaOf(price, noUsage);
  if (quotaUnits === undefined)
    throw new AppError('insufficient_quota', 'the task costs more than any balance can hold', {
      reason: 'insufficient_user_quota',
    });
  const unpriced = newTask(choosing, first);
  const task = { ...unpriced, quotaUnits, pricing: pricing(price, routing, submission.askedModel) };
  const begun = { ...task, id: await deps.tasks.create(task) };
  await holdTask(deps, begun, payer, routing.options).catch((refused: unknown) => {
    first.lease?.end('nothing sent');
    throw refused;
  });
  const heldMs = deps.clock.monotonic() - startedMs;
  // Every retry stays in this group, so the price cannot change.
  const inGroup = { ...choosing, groups: [first.group] };
  return dispatchTask(deps, begun, submission, {
    isFree: submission.origin === undefined,
    choose: (tried, ifFull) =>
      tried.channels.size + tried.keys.size === 0 ? first : chooseForTask(inGroup, tried, ifFull),
    nobody: (decision) => nobodyTakes(inGroup, decision),
    queued: choosing.live.queued,
    startedMs,
    heldMs,
  });
};

const pricing = (price: Price, routing: Routing, askedModel: string | undefined): string => {
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
    ...(askedModel !== undefined && { asked_model: askedModel }),
  });
};

const newTask = (
  { deps, submission, payer: { user, token } }: Choosing,
  { channel, group }: Decision,
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
