import { channelStatus } from '#contract/codes.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { Routing } from '#core/channel/routing.ts';
import { keptAt } from '#core/channel/seats/seat.ts';
import { type Decision, selectChannel } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import type { Task } from '#core/task/task.ts';
import { presentGroup } from '#core/token/present-group.ts';
import { taskPriceOf } from '#core/task/task-price.ts';
import { isPassedOver, warnOfLoss } from '../bill/cost/sold-below-cost.ts';
import { unservedModel } from '../caller/usable-models.ts';
import type { Caller } from '../request/request.ts';
import { channelsFull, hasTried } from '../route/choose.ts';
import { doubtOf } from '../route/health/doubt.ts';
import type { HasRoom, IfFull, Seating } from '../route/seat-rooms.ts';
import type { Submission } from './dispatch-task.ts';
import type { TaskDeps } from './task-ports.ts';

/** Before the first attempt. */
export const NOTHING_TRIED: TriedSeats = { channels: new Set(), keys: new Set() };

/** A task that is looking for a channel. */
export interface Choosing {
  readonly payer: Pick<Caller, 'user' | 'token'>;
  readonly deps: TaskDeps;
  readonly routing: Routing;
  /** When it was handed over: it costs the prices of that moment, however long it waits for a channel. */
  readonly beganMs: number;
  readonly submission: Submission;
  /** The groups whose channels it may use. */
  readonly groups: readonly string[];
  /** Keeps its place in a queue until its caller leaves. */
  readonly live: Seating['live'];
}

/** The mutable state of a task that waits for a channel. */
export const liveOf = ({ call: { signal } }: Pick<Submission, 'call'>): Seating['live'] => ({
  get stopped() {
    return signal.aborted ? new AppError('client_closed', 'the caller went away') : undefined;
  },
  queued: undefined,
});

/** Whether any channel could take the task, full or not. */
export const isServed = (choosing: Choosing): boolean =>
  choose(choosing, NOTHING_TRIED).channel !== undefined;

/**
 * Chooses the next channel. Where its use is limited, takes a place there until the upstream has accepted or refused the
 * task, which counts as one call of no tokens.
 */
export const chooseForTask = (
  choosing: Choosing,
  tried: TriedSeats,
  ifFull: IfFull,
): Decision | Promise<Decision> =>
  choosing.deps.rooms.seat({
    routing: choosing.routing,
    live: choosing.live,
    tokens: 0,
    ifFull,
    choose: (hasRoom) => choose(choosing, tried, hasRoom),
  });

/** The error if no channel takes the task: the remaining ones are full, or there is none. */
export const nobodyTakes = ({ routing, payer, submission }: Choosing, decision: Decision): AppError => {
  const { model } = submission;
  return channelsFull(model, decision) ?? unservedModel(routing, [decision.group], payer, model);
};

const choose = (
  { deps, routing, beganMs, payer, submission, groups }: Choosing,
  tried: TriedSeats,
  hasRoom?: HasRoom,
): Decision => {
  const { origin, model, types } = submission;
  if (origin !== undefined) return originChannel(routing, { origin, groups, tried });
  const nowMs = deps.clock.monotonic();
  const { user } = payer;
  const price = (group: string) => taskPriceOf(routing, model, user.group, group);
  const sale = { routing, user, model, atMs: beganMs, price, asked: { body: submission.given } };
  const decision = selectChannel(routing, {
    model,
    groups,
    tried,
    isCooling: (channelId, keyId) => deps.health.isCooling(channelId, keyId, model, nowMs, user.id),
    isDoubtful: doubtOf(deps.health, {
      model,
      nowMs,
      userId: user.id,
      hasTried: hasTried(tried),
      canRepeat: false,
    }),
    areCooling: (channelId, keys) => deps.health.resting.areCooling({ channelId, keys, model, nowMs }),
    keys: deps.keyUses.of(tried),
    hasRoom,
    isAble: (candidate) => types.has(candidate.type),
    isLoss: (candidate, group) => isPassedOver(sale, candidate, group),
    inputTokens: 0,
    dice: deps.random.unit(),
  });
  warnOfLoss(deps, sale, decision.channel, decision.group);
  return decision;
};

/** The channel of the task that this task continues. */
const originChannel = (
  routing: Routing,
  { origin, groups, tried }: { origin: Task; groups: readonly string[]; tried: TriedSeats },
): Decision => {
  const channel = keptAt(routing.channels, origin);
  if (channel === undefined) throw new AppError('no_channel', 'the channel of the original task is gone');
  if (channel.status !== channelStatus.enabled)
    throw new AppError('no_channel', 'the channel of the original task is disabled');
  const ownGroup = presentGroup(routing.options, origin.group);
  const group = groups.includes(ownGroup) ? ownGroup : (groups[0] ?? ownGroup);
  const isTried = tried.channels.has(channel.id) || tried.keys.has(channel.keyId);
  return { channel: isTried ? undefined : channel, group, coolingTaken: false, leftOut: [] };
};
