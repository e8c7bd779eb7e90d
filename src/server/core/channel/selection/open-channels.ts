import type { Channel } from '../channel.ts';
import type { Choice } from './choice.ts';
import { drawOpen } from './draw.ts';
import type { PoolKey } from '../keys/pool.ts';
import { awakeOf, orderOf } from '../keys/pool-order.ts';
import type { Routing, Tier } from '../routing.ts';
import { seatOf } from '../seats/seat.ts';
import { type KeyChoice, selectKey } from './select-key.ts';
import type { WishedSeat } from './session-bindings.ts';

/** The seats the call was sent to before. */
export interface TriedSeats {
  /** Channels that must not be tried again with any key. */
  readonly channels: ReadonlySet<number>;
  /** Keys, of channels with several keys. */
  readonly keys: ReadonlySet<number>;
}

/** Everything that the choice of a channel depends on. */
export interface SelectInput {
  readonly model: string;
  /** In the order to try: one group, or the groups of `auto`. */
  readonly groups: readonly string[];
  readonly tried: TriedSeats;
  /** A key id of 0 means the channel as a whole. */
  readonly isCooling: (channelId: number, keyId: number) => boolean;
  /**
   * Whether it has failed lately without an answer since. Given for a call that has failed elsewhere: what is doubtful is
   * left for last, because such a call has few attempts left.
   */
  readonly isDoubtful?: ((channelId: number, keyId: number) => boolean) | undefined;
  /** Whether all of these keys are cooling, if that is known without checking each. */
  readonly areCooling?: ((channelId: number, keys: readonly PoolKey[]) => boolean) | undefined;
  /** Returns the channels that may not be cooling, if that is known without checking each. */
  readonly awakeAmong?: ((channels: readonly Channel[]) => readonly Channel[]) | undefined;
  readonly keys: KeyChoice;
  /** Whether the limits of the channel, or of it and one of its keys, leave room for the call. */
  readonly hasRoom?: ((channel: Channel, key: PoolKey | undefined) => boolean) | undefined;
  /** Whether the channel's provider offers the operation. */
  readonly isAble: (channel: Channel) => boolean;
  /** Whether to skip the channel because it costs more than the group pays. */
  readonly isLoss?: (channel: Channel, group: string) => boolean;
  /** Estimated length of the prompt. */
  readonly inputTokens: number;
  /** At least 0, below 1. */
  readonly dice: number;
  /** How to choose within a tier. If missing, by weight. */
  readonly choice?: Choice | undefined;
  /** The seat to use in whatever tier, if its channel is open; skipped without error if not. */
  readonly wish?: WishedSeat | undefined;
}

/** Everything that a selection depends on except the random number. */
export type Undiced = Omit<SelectInput, 'dice'>;

/** Whether a channel accepts a prompt of this length. */
export const takes = ({ maxInputTokens }: Channel, inputTokens: number): boolean =>
  maxInputTokens === 0 || inputTokens <= maxInputTokens;

/** Which seats a call may have: only those that have not failed recently, or those too. */
export type Among = 'not-cooling' | 'even-cooling';

/** What the choice of a channel's key depends on. */
export type SeatInput = Pick<SelectInput, 'tried' | 'isCooling' | 'areCooling' | 'keys' | 'hasRoom' | 'dice'>;

const opensKey = (
  channel: Channel,
  key: PoolKey,
  { tried, isCooling, keys, hasRoom }: Omit<SeatInput, 'dice'>,
  among: Among,
): boolean =>
  keys.isOpen(key) &&
  !tried.keys.has(key.id) &&
  (among === 'even-cooling' || !isCooling(channel.id, key.id)) &&
  hasRoom?.(channel, key) !== false;

/** Whether the call may use a key of a channel. */
export const isKeyOpen =
  (channel: Channel, input: Omit<SeatInput, 'dice'>, among: Among) =>
  (key: PoolKey): boolean =>
    opensKey(channel, key, input, among);

/** Derives another random number from the lower half, which is independent of what the upper half decided. */
const fresh = (dice: number): number => (dice * 2 ** 26) % 1;

/** The channel with the key to use; undefined if the channel was tried, or none of its keys is open. */
export const selectSeat = (channel: Channel, input: SeatInput, among: Among): Channel | undefined => {
  if (input.tried.channels.has(channel.id)) return undefined;
  if (channel.pool.length === 0) return channel;
  const key = selectKey(channel, isKeyOpen(channel, input, among), input.keys, fresh(input.dice));
  return key && seatOf(channel, key);
};

/**
 * Whether any of its keys is open. Runs for hundreds of channels per call, so it starts at the key that was open last.
 */
export const hasKey = (channel: Channel, input: Omit<SeatInput, 'dice'>, among: Among): boolean => {
  const { pool } = channel;
  if (pool.length === 0) return true;
  for (const key of input.keys.backKeys(channel)) if (opensKey(channel, key, input, among)) return true;
  const order = orderOf(pool);
  const { enabled, hint } = order;
  const last = enabled[hint];
  if (last === undefined) return false;
  if (opensKey(channel, last, input, among)) return true;
  if (among === 'not-cooling' && input.areCooling?.(channel.id, enabled) === true) return false;
  for (let step = 1; step < enabled.length; step += 1) {
    const place = (hint + step) % enabled.length;
    const key = enabled[place];
    if (key === undefined || !opensKey(channel, key, input, among)) continue;
    order.hint = place;
    return true;
  }
  return false;
};

/** Whether the channel is full, or every key of it that would otherwise be open is. */
export const isFull = (channel: Channel, input: Undiced): boolean => {
  if (input.hasRoom === undefined) return false;
  if (channel.pool.length === 0) return !input.hasRoom(channel, undefined);
  return (
    !hasKey(channel, input, 'even-cooling') &&
    hasKey(channel, { ...input, hasRoom: undefined }, 'even-cooling')
  );
};

/** Whether a call of this group may use a channel. */
export const openTo =
  (group: string, input: Undiced, among: Among) =>
  (channel: Channel): boolean =>
    !input.tried.channels.has(channel.id) &&
    takes(channel, input.inputTokens) &&
    input.isAble(channel) &&
    (among === 'even-cooling' || !input.isCooling(channel.id, 0)) &&
    (channel.pool.length > 0 || input.hasRoom?.(channel, undefined) !== false) &&
    hasKey(channel, input, among) &&
    input.isLoss?.(channel, group) !== true;

/** Tiers with more channels are not examined completely if one is drawn by weight. */
const MANY = 16;

/**
 * The channels of the first tier with an open one; the draw decides among them. Of many, only the one that `dice`
 * draws.
 */
const openIn = (
  tiers: readonly Tier[],
  { keys, awakeAmong }: Pick<SelectInput, 'keys' | 'awakeAmong'>,
  isOpen: (channel: Channel) => boolean,
  dice: number | undefined,
): readonly Channel[] | undefined => {
  for (const { channels: all } of tiers) {
    const awake = awakeOf(all);
    const channels = keys.areAsleep(awake.wakeMs) ? awake.channels : all;
    const only = channels.length === 1 ? channels[0] : undefined;
    if (only !== undefined) {
      if (isOpen(only)) return channels;
      continue;
    }
    if (dice !== undefined && channels.length > MANY) {
      const drawn = drawOpen(channels, isOpen, dice, awakeAmong);
      if (drawn !== undefined) return [drawn];
      continue;
    }
    const open = (channels.length > MANY ? (awakeAmong?.(channels) ?? channels) : channels).filter(isOpen);
    if (open.length > 0) return open;
  }
  return undefined;
};

/** What is open to a call before a channel is drawn. */
export interface OpenChannels {
  readonly channels: readonly Channel[];
  readonly group: string;
  readonly among: Among;
  /** Whether none of them, nor a key that the call may use there, is doubtful. */
  readonly areSure: boolean;
}

/** The input with which everything doubtful is closed; undefined for a first attempt, which doubts nothing. */
export const inputOfSure = <Input extends Pick<SelectInput, 'isCooling' | 'isDoubtful'>>(
  input: Input,
): Input | undefined =>
  input.isDoubtful === undefined ? undefined : { ...input, isCooling: input.isDoubtful };

const openAmong = (
  routing: Routing,
  input: Undiced,
  among: Among,
  dice: number | undefined,
): Pick<OpenChannels, 'channels' | 'group'> | undefined => {
  const known = among === 'even-cooling' ? { keys: input.keys } : input;
  for (const group of input.groups) {
    const tiers = routing.tiers.get(group)?.get(input.model);
    const channels = tiers && openIn(tiers, known, openTo(group, input, among), dice);
    if (channels !== undefined) return { channels, group };
  }
  return undefined;
};

/**
 * The channels among which to draw for a call without a wish, or whose wish is not open; undefined if there are none.
 * Channels that are sure to have no recent failure come first where doubt counts, cooling ones last.
 * @param dice draws by weight: of many channels only the drawn one is returned
 */
export const openChannels = (routing: Routing, input: Undiced, dice?: number): OpenChannels | undefined => {
  const sureInput = inputOfSure(input);
  const sure = sureInput && openAmong(routing, sureInput, 'not-cooling', dice);
  if (sure !== undefined) return { ...sure, among: 'not-cooling', areSure: true };
  for (const among of ['not-cooling', 'even-cooling'] as const) {
    const open = openAmong(routing, input, among, dice);
    if (open !== undefined) return { ...open, among, areSure: false };
  }
  return undefined;
};
