import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '../channel.ts';
import { drawByChoice, type Move, moveOf, othersWorthMoving } from './choice.ts';
import { draw } from './draw.ts';
import {
  hasKey,
  inputOfSure,
  isFull,
  isKeyOpen,
  type OpenChannels,
  openChannels,
  openTo,
  type SelectInput,
  selectSeat,
  takes,
  type Undiced,
} from './open-channels.ts';
import { keyById } from '../keys/pool.ts';
import type { Routing, Tier } from '../routing.ts';
import { seatOf } from '../seats/seat.ts';
import type { SeatLease } from '../seats/seat-room.ts';
import type { SeatName, WishedSeat } from './session-bindings.ts';

/** Why a channel that lists the model was not selected. */
export type LeftOutReason =
  | 'disabled'
  | 'other_group'
  | 'unsupported_operation'
  | 'too_long'
  | 'below_cost'
  | 'tried'
  | 'cooling'
  | 'doubtful'
  | 'no_key'
  | 'no_room'
  | 'lower_priority'
  | 'not_drawn'
  | 'bound_elsewhere';

/** A channel that was not chosen, and why. */
export interface LeftOut {
  readonly channelId: number;
  readonly reason: LeftOutReason;
}

/** The channel chosen for a call, and why the others were not. */
export interface Decision {
  /** A seat: the channel with the key to use. */
  readonly channel: Channel | undefined;
  /** The group whose price and channels are used; for `auto`, the group it resolved to. */
  readonly group: string;
  /** True if only cooling channels were left and one of them was selected. */
  readonly coolingTaken: boolean;
  readonly leftOut: readonly LeftOut[];
  /** The seat where the session's prompt is cached, if known. */
  readonly wish?: Wish;
  /** The call's lease there, if the seat is limited. */
  readonly lease?: SeatLease;
  /** Set if all channels were full: in how many milliseconds one may have room. */
  readonly roomInMs?: number;
}

/**
 * A wished seat, and why it was not used: its channel's reason, `gone` if the channel no longer lists the model, `key`
 * if another of its keys was used, `busy` if the session calls too often for one seat, `cheaper` if its remaining calls
 * are cheaper elsewhere.
 */
export interface Wish extends SeatName {
  readonly passedOver?: LeftOutReason | 'gone' | 'key' | 'busy' | 'cheaper';
  /** Set if the session moved to a cheaper seat. */
  readonly moved?: Move;
}

/** The number of reasons stored with a decision: enough to explain it, however many channels there are. */
const LEFT_OUT_MAX = 50;

/** What was chosen; the reasons of all other channels depend on it. */
interface Taken extends Pick<Decision, 'channel' | 'group'> {
  /** No channel of the group that could take the call was open, at most cooling. */
  readonly isClosed?: boolean;
}

/** Why a channel is not used when another one, or one of its tier, is taken. */
export const reasonOf = (
  channel: Channel,
  { channel: taken, group, isClosed = false }: Taken,
  input: Undiced,
): LeftOutReason => {
  if (channel.status !== channelStatus.enabled) return 'disabled';
  if (input.tried.channels.has(channel.id)) return 'tried';
  if (!channel.groups.includes(group)) return 'other_group';
  if (!takes(channel, input.inputTokens)) return 'too_long';
  if (!input.isAble(channel)) return 'unsupported_operation';
  if (input.isLoss?.(channel, group) === true) return 'below_cost';
  // Usually a key is open, so the others need not be checked.
  const isCooling = input.isCooling(channel.id, 0);
  const hasOpenKey =
    !isCooling && !isClosed && channel.pool.length > 0 && hasKey(channel, input, 'not-cooling');
  if (!hasOpenKey && isFull(channel, input)) return 'no_room';
  if (isCooling) return 'cooling';
  if (!hasOpenKey && !hasKey(channel, input, 'even-cooling')) return 'no_key';
  if (!hasOpenKey && channel.pool.length > 0) return 'cooling';
  if (isDoubted(channel, input)) return 'doubtful';
  if (input.wish?.isBusy === false && taken?.id === input.wish.channelId) return 'bound_elsewhere';
  return taken !== undefined && channel.priority < taken.priority ? 'lower_priority' : 'not_drawn';
};

/** Whether the call prefers others because the channel, or every key that it may use there, has failed lately. */
const isDoubted = (channel: Channel, input: Undiced): boolean => {
  const sure = inputOfSure(input);
  return sure !== undefined && (sure.isCooling(channel.id, 0) || !hasKey(channel, sure, 'not-cooling'));
};

const leftOut = (routing: Routing, taken: Taken, input: SelectInput): LeftOut[] => {
  const all = routing.byModel.get(input.model) ?? [];
  const takenId = taken.channel?.id;
  if (all.length === 1 && all[0] === takenId) return NOBODY;
  const reasons: LeftOut[] = [];
  for (const id of all) {
    if (id === takenId) continue;
    if (reasons.length === LEFT_OUT_MAX) break;
    const channel = routing.channels.get(id);
    if (channel !== undefined)
      reasons.push({ channelId: channel.id, reason: reasonOf(channel, taken, input) });
  }
  return reasons;
};

const NOBODY: LeftOut[] = [];

/** The wished channel if it serves the model in one of the groups, with the wished key if that is open. */
export const wished = (
  { channels, tiers }: Routing,
  input: SelectInput,
  wish: WishedSeat,
): { readonly channel: Channel; readonly group: string } | undefined => {
  const channel = channels.get(wish.channelId);
  if (channel === undefined || wish.isBusy) return undefined;
  for (const group of input.groups) {
    const tier: Tier | undefined = tiers
      .get(group)
      ?.get(input.model)
      ?.find(({ priority }) => priority === channel.priority);
    if (tier?.channels.includes(channel) !== true || !openTo(group, input, 'not-cooling')(channel)) continue;
    const key = keyById(channel.pool, wish.keyId);
    const isWarm = key !== undefined && isKeyOpen(channel, input, 'not-cooling')(key);
    const seat = isWarm ? seatOf(channel, key) : selectSeat(channel, input, 'not-cooling');
    if (seat !== undefined) return { channel: seat, group };
  }
  return undefined;
};

/** The reason why a wish was passed over. */
export const passedOver = (
  { channels }: Routing,
  { channel: taken, group }: Pick<Decision, 'channel' | 'group'>,
  input: Undiced,
  { isBusy, ...wish }: WishedSeat,
): Wish => {
  if (isBusy) return { ...wish, passedOver: 'busy' };
  if (taken?.id === wish.channelId) return taken.keyId === wish.keyId ? wish : { ...wish, passedOver: 'key' };
  const channel = channels.get(wish.channelId);
  const isGone = channel?.models.includes(input.model) !== true;
  return { ...wish, passedOver: isGone ? 'gone' : reasonOf(channel, { channel: taken, group }, input) };
};

/**
 * Selects a channel: the wished one if it is open; else, in the first group that has a channel for the model, the
 * highest priority with an untried channel, and in that tier by weight. Skips cooling channels in every tier while any
 * other is left, and, if the call has failed elsewhere, doubtful ones too.
 */
export const selectChannel = (routing: Routing, input: SelectInput): Decision => {
  const { wish } = input;
  if (wish === undefined) return drawn(routing, input);
  const stayed = wishedDecision(routing, input, wish);
  const moved = stayed && movedDecision(routing, input, wish, stayed);
  if (moved !== undefined) return moved;
  const decision = stayed ?? drawn(routing, input);
  return { ...decision, wish: passedOver(routing, decision, input, wish) };
};

const wishedDecision = (routing: Routing, input: SelectInput, wish: WishedSeat): Decision | undefined => {
  const found = wished(routing, input, wish);
  if (found === undefined) return undefined;
  return { ...found, coolingTaken: false, leftOut: leftOut(routing, found, input) };
};

/**
 * The channels among which a session is drawn if moving is better than staying where its prompt is cached; never of a
 * lower tier than the first open one. Undefined if it stays.
 */
export const worthMovingTo = (
  routing: Routing,
  input: Undiced,
  bound: Channel | undefined,
): OpenChannels | undefined => {
  const { choice } = input;
  if (choice?.stayScoreOf === undefined || bound === undefined) return undefined;
  const open = openChannels(routing, input);
  if (open === undefined || open.among === 'even-cooling') return undefined;
  const channels = othersWorthMoving(open.channels, bound, choice);
  return channels && { ...open, channels };
};

const movedDecision = (
  routing: Routing,
  input: SelectInput,
  { channelId, keyId }: WishedSeat,
  { channel: bound }: Decision,
): Decision | undefined => {
  const { choice } = input;
  const open = worthMovingTo(routing, input, bound);
  const decision = open && drawn(routing, input, open);
  if (choice === undefined || bound === undefined || decision?.channel === undefined) return undefined;
  return {
    ...decision,
    wish: { channelId, keyId, passedOver: 'cheaper', moved: moveOf(bound, decision.channel, choice) },
  };
};

const drawn = (
  routing: Routing,
  input: SelectInput,
  open = openChannels(routing, input, input.choice === undefined ? input.dice : undefined),
): Decision => {
  const { choice, dice } = input;
  const one =
    open && (choice === undefined ? draw(open.channels, dice) : drawByChoice(open.channels, choice, dice));
  const seatInput = open?.areSure === true ? inputOfSure(input) : input;
  const channel = one && selectSeat(one, seatInput ?? input, open.among);
  const group = open?.group ?? input.groups[0] ?? '';
  const coolingTaken = open?.among === 'even-cooling';
  const taken = { channel, group, isClosed: coolingTaken };
  return { channel, group, coolingTaken, leftOut: leftOut(routing, taken, input) };
};
