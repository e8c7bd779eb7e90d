import { channelStatus } from '#contract/codes.ts';
import type { Channel } from './channel.ts';
import { draw } from './draw.ts';
import { keyById, type PoolKey } from './pool.ts';
import type { Routing, Tier } from './routing.ts';
import { seatOf } from './seat.ts';
import type { SeatLease } from './seat-room.ts';
import { type KeyChoice, selectKey } from './select-key.ts';
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
  | 'no_key'
  | 'no_room'
  | 'lower_priority'
  | 'not_drawn'
  | 'bound_elsewhere';

export interface LeftOut {
  readonly channelId: number;
  readonly reason: LeftOutReason;
}

/** The channel of a call, and why the others were left out. */
export interface Decision {
  /** A seat: with the key it is to be used with. */
  readonly channel: Channel | undefined;
  /** The group that pays and whose channels are used; for `auto`, the group it resolved to. */
  readonly group: string;
  /** True if only cooling channels were left and one of them was selected. */
  readonly coolingTaken: boolean;
  readonly leftOut: readonly LeftOut[];
  /** Where the session's cache is warm, if that is known. */
  readonly wish?: Wish;
  /** The call's place there, where places are counted. */
  readonly lease?: SeatLease;
  /** Without a channel, as all were full: when one may have room. */
  readonly roomInMs?: number;
}

/**
 * A wished seat, and why it was not taken: its channel's reason, `gone` if that no longer lists the model, `key` if
 * another key of it was, `busy` if the session calls too often for one.
 */
export interface Wish extends SeatName {
  readonly passedOver?: LeftOutReason | 'gone' | 'key' | 'busy';
}

/** What the call was sent to before. */
export interface TriedSeats {
  /** Channels no key of which is tried again. */
  readonly channels: ReadonlySet<number>;
  /** Keys of channels that have several. */
  readonly keys: ReadonlySet<number>;
}

export interface SelectInput {
  readonly model: string;
  /** In the order they are tried: one group, or the user's groups of `auto`. */
  readonly groups: readonly string[];
  readonly tried: TriedSeats;
  /** A key of 0 asks for the channel as a whole. */
  readonly isCooling: (channelId: number, keyId: number) => boolean;
  readonly keys: KeyChoice;
  /** Whether the limits of the channel, or of it and one of its keys, leave room for the call. */
  readonly hasRoom?: (channel: Channel, key: PoolKey | undefined) => boolean;
  /** Whether the channel's kind of upstream offers the operation. */
  readonly isAble: (channel: Channel) => boolean;
  /** Whether the channel is passed over because it costs more than the group pays. */
  readonly isLoss?: (channel: Channel, group: string) => boolean;
  /** Estimated length of the prompt. */
  readonly inputTokens: number;
  /** At least 0, below 1. */
  readonly dice: number;
  /** Taken, in whatever tier, if its channel is open; passed over without error if not. */
  readonly wish?: WishedSeat | undefined;
}

/** All that a selection depends on but the dice. */
export type Undiced = Omit<SelectInput, 'dice'>;

/** How many reasons a decision keeps: enough to explain it, however many channels there are. */
const LEFT_OUT_MAX = 50;

/** Whether a channel accepts a prompt of this length. */
export const takes = ({ maxInputTokens }: Channel, inputTokens: number): boolean =>
  maxInputTokens === 0 || inputTokens <= maxInputTokens;

/** What choosing a channel's key depends on. */
export type SeatInput = Pick<SelectInput, 'tried' | 'isCooling' | 'keys' | 'hasRoom' | 'dice'>;

/** Whether a key of a channel is open to the call. */
export const isKeyOpen =
  (channel: Channel, { tried, isCooling, keys, hasRoom }: Omit<SeatInput, 'dice'>, evenCooling: boolean) =>
  (key: PoolKey): boolean =>
    keys.isOpen(key) &&
    !tried.keys.has(key.id) &&
    (evenCooling || !isCooling(channel.id, key.id)) &&
    hasRoom?.(channel, key) !== false;

/** Another dice of one: its lower half, which says nothing of what the upper half decided. */
const fresh = (dice: number): number => (dice * 2 ** 26) % 1;

/** The channel with the key it is to be used with; undefined if it was tried, or no key of it is open. */
export const selectSeat = (channel: Channel, input: SeatInput, evenCooling: boolean): Channel | undefined => {
  if (input.tried.channels.has(channel.id)) return undefined;
  if (channel.pool.length === 0) return channel;
  const key = selectKey(channel, isKeyOpen(channel, input, evenCooling), input.keys, fresh(input.dice));
  return key && seatOf(channel, key);
};

/** Whether any key of it is open. */
const hasKey = (channel: Channel, input: Omit<SeatInput, 'dice'>, evenCooling: boolean): boolean =>
  channel.pool.length === 0 || channel.pool.some(isKeyOpen(channel, input, evenCooling));

/** Whether it is full, or every key of it that would be open is. */
const isFull = (channel: Channel, input: Undiced): boolean => {
  const { hasRoom, ...rest } = input;
  if (hasRoom === undefined) return false;
  if (channel.pool.length === 0) return !hasRoom(channel, undefined);
  return !hasKey(channel, input, true) && hasKey(channel, rest, true);
};

const openTo =
  (group: string, input: Undiced, evenCooling: boolean) =>
  (channel: Channel): boolean =>
    !input.tried.channels.has(channel.id) &&
    takes(channel, input.inputTokens) &&
    input.isAble(channel) &&
    (evenCooling || !input.isCooling(channel.id, 0)) &&
    (channel.pool.length > 0 || input.hasRoom?.(channel, undefined) !== false) &&
    hasKey(channel, input, evenCooling) &&
    input.isLoss?.(channel, group) !== true;

/** The channels of the first tier with an open one: among these the dice decide. */
const openIn = (
  tiers: readonly Tier[],
  group: string,
  input: Undiced,
  evenCooling: boolean,
): readonly Channel[] | undefined => {
  const isOpen = openTo(group, input, evenCooling);
  for (const tier of tiers) {
    const only = tier.channels.length === 1 ? tier.channels[0] : undefined;
    if (only !== undefined) {
      if (isOpen(only)) return tier.channels;
      continue;
    }
    const open = tier.channels.filter(isOpen);
    if (open.length > 0) return open;
  }
  return undefined;
};

/** Why a channel is not taken where `taken` is, or another of its tier. */
export const reasonOf = (
  channel: Channel,
  taken: Channel | undefined,
  group: string,
  input: Undiced,
): LeftOutReason => {
  if (channel.status !== channelStatus.enabled) return 'disabled';
  if (input.tried.channels.has(channel.id)) return 'tried';
  if (!channel.groups.includes(group)) return 'other_group';
  if (!takes(channel, input.inputTokens)) return 'too_long';
  if (!input.isAble(channel)) return 'unsupported_operation';
  if (input.isLoss?.(channel, group) === true) return 'below_cost';
  if (isFull(channel, input)) return 'no_room';
  if (input.isCooling(channel.id, 0)) return 'cooling';
  if (!hasKey(channel, input, true)) return 'no_key';
  if (!hasKey(channel, input, false)) return 'cooling';
  if (input.wish?.isBusy === false && taken?.id === input.wish.channelId) return 'bound_elsewhere';
  return taken !== undefined && channel.priority < taken.priority ? 'lower_priority' : 'not_drawn';
};

const leftOut = (
  routing: Routing,
  taken: Channel | undefined,
  group: string,
  input: SelectInput,
): LeftOut[] => {
  const all = routing.byModel.get(input.model) ?? [];
  if (all.length === 1 && all[0]?.id === taken?.id) return NOBODY;
  const reasons: LeftOut[] = [];
  for (const channel of all) {
    if (channel.id === taken?.id) continue;
    if (reasons.length === LEFT_OUT_MAX) break;
    reasons.push({ channelId: channel.id, reason: reasonOf(channel, taken, group, input) });
  }
  return reasons;
};

const NOBODY: LeftOut[] = [];

/** The wished channel, with the wished key if that is open, where it serves the model in one of the groups. */
const wished = (
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
    if (tier?.channels.includes(channel) !== true || !openTo(group, input, false)(channel)) continue;
    const key = keyById(channel.pool, wish.keyId);
    const isWarm = key !== undefined && isKeyOpen(channel, input, false)(key);
    const seat = isWarm ? seatOf(channel, key) : selectSeat(channel, input, false);
    if (seat !== undefined) return { channel: seat, group };
  }
  return undefined;
};

const passedOver = (
  { byModel }: Routing,
  { channel: taken, group }: Decision,
  input: SelectInput,
  { isBusy, ...wish }: WishedSeat,
): Wish => {
  if (isBusy) return { ...wish, passedOver: 'busy' };
  if (taken?.id === wish.channelId) return taken.keyId === wish.keyId ? wish : { ...wish, passedOver: 'key' };
  const channel = byModel.get(input.model)?.find(({ id }) => id === wish.channelId);
  const reason = channel === undefined ? 'gone' : reasonOf(channel, taken, group, input);
  return { ...wish, passedOver: reason };
};

/**
 * Selects a channel: the wished one if it is open; else the first group that has one for the model; in it the highest
 * priority with an untried channel; in that tier by weight. Skips cooling channels in every tier while any other is left.
 */
export const selectChannel = (routing: Routing, input: SelectInput): Decision => {
  const { wish } = input;
  if (wish === undefined) return drawn(routing, input);
  const decision = wishedDecision(routing, input, wish) ?? drawn(routing, input);
  return { ...decision, wish: passedOver(routing, decision, input, wish) };
};

const wishedDecision = (routing: Routing, input: SelectInput, wish: WishedSeat): Decision | undefined => {
  const found = wished(routing, input, wish);
  if (found === undefined) return undefined;
  const { channel, group } = found;
  return { channel, group, coolingTaken: false, leftOut: leftOut(routing, channel, group, input) };
};

/** What is open to a call before the dice are thrown. */
export interface OpenChannels {
  readonly channels: readonly Channel[];
  readonly group: string;
  readonly evenCooling: boolean;
}

/** The channels among which a call without a wish, or whose wish is not open, is drawn; undefined if there is none. */
export const openChannels = (routing: Routing, input: Undiced): OpenChannels | undefined => {
  for (const evenCooling of [false, true]) {
    for (const group of input.groups) {
      const tiers = routing.tiers.get(group)?.get(input.model);
      const channels = tiers && openIn(tiers, group, input, evenCooling);
      if (channels !== undefined) return { channels, group, evenCooling };
    }
  }
  return undefined;
};

const drawn = (routing: Routing, input: SelectInput): Decision => {
  const open = openChannels(routing, input);
  const taken = open && draw(open.channels, input.dice);
  const channel = taken && selectSeat(taken, input, open.evenCooling);
  const group = open?.group ?? input.groups[0] ?? '';
  return {
    channel,
    group,
    coolingTaken: open?.evenCooling === true,
    leftOut: leftOut(routing, channel, group, input),
  };
};
