import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { selectSeat, takes, type TriedSeats, type Undiced } from '#core/channel/selection/open-channels.ts';
import { type Decision, selectChannel } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import { priceEntries } from '#core/quota/tool-prices.ts';
import { type ChoiceDeps, choiceOf } from './choice-of-call.ts';
import type { ChannelHealth } from './health/channel-health.ts';
import { doubtOf } from './health/doubt.ts';
import { healthName } from './health/health-node.ts';
import type { KeyUses } from './key-uses.ts';
import { priceFor } from '../bill/price/price-of-call.ts';
import { termsByOverrides } from '../bill/hold/raised-by-overrides.ts';
import { isPassedOver, type Sale, warnOfLoss } from '../bill/cost/sold-below-cost.ts';
import { continuedDecision } from '../kept/find-kept.ts';
import type { RelayDeps } from '../ports.ts';
import type { HasRoom, IfFull, SeatRooms } from './seat-rooms.ts';
import type { SessionAffinity } from './session-affinity.ts';
import { decided } from '../far/far-request.ts';
import { refusalOf, type FormatDeps, type Source } from '../request/choose-format.ts';
import type { Admitted } from '../stages.ts';
import { noChannel } from '../caller/usable-models.ts';

export type ChooseDeps = Pick<RelayDeps, 'upstreamOf' | 'clock' | 'random' | 'channels'> &
  FormatDeps & {
    readonly health: ChannelHealth;
    readonly keyUses: KeyUses;
    readonly rooms: SeatRooms;
    readonly affinity: Pick<SessionAffinity, 'wish' | 'past'>;
  } & ChoiceDeps;

/** Chooses the next channel. If only one channel may serve the call, throws what is wrong with it. */
const choose = (deps: ChooseDeps, admitted: Admitted, tried: TriedSeats, hasRoom?: HasRoom): Decision => {
  const { caller, continuation, group, routing, request, session } = admitted;
  if (continuation?.kept !== undefined)
    return continuedDecision(deps, admitted, { continuation, kept: continuation.kept, tried });
  if (caller.channelId !== undefined) return pinnedDecision(deps, admitted, caller.channelId, tried);
  const nowMs = deps.clock.monotonic();
  const model = healthName(request.facts.model, admitted.call.operation);
  const selection = selectionOf(deps, admitted, tried);
  const { areAsleep } = selection.keys;
  const decision = selectChannel(routing, {
    ...selection,
    isCooling: (channelId, keyId) => deps.health.isCooling(channelId, keyId, model, nowMs, caller.user.id),
    isDoubtful: doubtOf(deps.health, {
      model,
      nowMs,
      userId: caller.user.id,
      hasTried: hasTried(tried),
      canRepeat: admitted.canRepeat,
    }),
    areCooling: (channelId, keys) => deps.health.resting.areCooling({ channelId, keys, model, nowMs }),
    awakeAmong: (channels) => deps.health.resting.awakeAmong({ channels, model, nowMs, areAsleep }),
    hasRoom,
    dice: deps.random.unit(),
    choice: choiceOf(deps, admitted, session && (() => deps.affinity.past(caller.user.id, session))),
    wish: session && deps.affinity.wish(caller.user.id, session),
  });
  warnOfLoss(deps, saleOf(admitted), decision.channel, group);
  if (decision.channel === undefined) admitted.live.undecided = decision;
  return decision;
};

/** Whether the call has been sent anywhere, so that it has fewer attempts left. */
export const hasTried = ({ channels, keys }: TriedSeats): boolean => channels.size > 0 || keys.size > 0;

/** The tokens assumed for an answer if the caller named no limit. */
const USUAL_ANSWER_TOKENS = 1000;
const MOST_ANSWER_TOKENS = 4096;

/** The tokens a running call counts for until its usage is known. */
export const expectedTokens = (inputTokens: number, maxOutputTokens = USUAL_ANSWER_TOKENS): number =>
  inputTokens + Math.min(maxOutputTokens, MOST_ANSWER_TOKENS);

/**
 * Chooses the next channel and takes a place there, where its use is limited.
 */
export const chooseSeat = (
  deps: ChooseDeps,
  admitted: Admitted,
  tried: TriedSeats,
  ifFull: IfFull,
): Decision | Promise<Decision> => {
  const { routing, live, request } = admitted;
  const { inputTokensEstimate, maxOutputTokens } = request.facts;
  return deps.rooms.seat({
    routing,
    live,
    tokens: expectedTokens(inputTokensEstimate, maxOutputTokens),
    ifFull,
    choose: (hasRoom) => decided(request, () => choose(deps, admitted, tried, hasRoom)),
  });
};

/** The parts of a call that its channel depends on. */
export interface Selectable
  extends Omit<Source, 'routing'>, Pick<Admitted, 'group' | 'startedMs' | 'createdAtMs' | 'routing'> {
  readonly caller: Pick<Admitted['caller'], 'user'>;
}

/** Collects what a call's channel depends on, except health, session and randomness. */
export const selectionOf = (
  deps: FormatDeps & Pick<ChooseDeps, 'upstreamOf' | 'keyUses'>,
  call: Selectable,
  tried: TriedSeats,
): Omit<Undiced, 'isCooling' | 'wish'> => {
  const sale = saleOf(call);
  const { model, inputTokensEstimate } = call.request.facts;
  return {
    model,
    groups: [call.group],
    tried,
    keys: deps.keyUses.of(tried),
    isAble: (channel) => isAble(deps, call, channel),
    isLoss: (channel, of) => isPassedOver(sale, channel, of),
    inputTokens: inputTokensEstimate,
  };
};

const saleOf = (selectable: Selectable): Sale => {
  const { routing, request, caller, createdAtMs: atMs, stripsTerms, group, call } = selectable;
  const { user } = caller;
  const { model, terms: own, inputTokensEstimate, toolCalls } = request.facts;
  const asked = own === undefined || stripsTerms ? [] : [own];
  return {
    routing,
    user,
    model,
    atMs,
    price: (of) => priceFor(routing, model, user, of),
    asked: {
      promptMost: inputTokensEstimate,
      body: request.fields,
      ...(toolCalls !== undefined && { tools: priceEntries(toolCalls).map(([tool]) => tool) }),
    },
    terms: (channel) => [...asked, ...termsByOverrides(channel, { model, group, headers: call.headers })],
  };
};

/** Whether the channel's type supports the operation and, for a chat, a format that can express it. */
const isAble = (
  deps: FormatDeps & Pick<ChooseDeps, 'upstreamOf'>,
  call: Source & Pick<Admitted, 'startedMs'>,
  channel: Channel,
): boolean => {
  const upstream = deps.upstreamOf(channel.type);
  if (upstream?.offers[call.call.operation] === undefined) return false;
  return refusalOf(deps, call, upstream, channel) === undefined;
};

const pinnedDecision = (
  deps: ChooseDeps,
  admitted: Admitted,
  channelId: number,
  tried: TriedSeats,
): Decision => {
  const channel = admitted.routing.channels.get(channelId);
  if (channel === undefined) throw new AppError('invalid_request', 'invalid channel id');
  if (channel.status !== channelStatus.enabled) throw new AppError('forbidden', 'channel disabled');
  if (!takes(channel, admitted.request.facts.inputTokensEstimate))
    throw new AppError('invalid_request', 'the prompt is longer than this channel takes', {
      reason: 'context_length_exceeded',
    });
  const upstream = deps.upstreamOf(channel.type);
  if (upstream?.offers[admitted.call.operation] === undefined)
    throw new AppError('invalid_request', 'this channel does not offer this call');
  const refusal = refusalOf(deps, admitted, upstream, channel);
  if (refusal !== undefined) throw refusal;
  const name = healthName(admitted.request.facts.model, admitted.call.operation);
  const { channel: seat, coolingTaken } = seatNow(deps, channel, name, tried, admitted.caller.user.id);
  return { channel: seat, group: admitted.group, coolingTaken, leftOut: [] };
};

/** The channel with a key that was not tried yet; one that is cooling down only if no other is left. */
export const seatNow = (
  { health, keyUses, clock, random }: Pick<ChooseDeps, 'health' | 'keyUses' | 'clock' | 'random'>,
  channel: Channel,
  /** The name under which its health is stored. */
  name: string,
  tried: TriedSeats,
  userId?: number,
): Pick<Decision, 'channel' | 'coolingTaken'> => {
  const nowMs = clock.monotonic();
  const input = {
    tried,
    isCooling: (channelId: number, keyId: number) => health.isCooling(channelId, keyId, name, nowMs, userId),
    keys: keyUses,
    dice: random.unit(),
  };
  const sure = hasTried(tried)
    ? selectSeat(
        channel,
        { ...input, isCooling: (id, keyId) => health.isDoubtful(id, keyId, name, nowMs) },
        'not-cooling',
      )
    : undefined;
  const warm = sure ?? selectSeat(channel, input, 'not-cooling');
  return warm === undefined
    ? { channel: selectSeat(channel, input, 'even-cooling'), coolingTaken: true }
    : { channel: warm, coolingTaken: false };
};

/** The longest retry-after given to clients, because another node may have room earlier. */
const MOST_WAIT_SECONDS = 60;

/** The 429 error if all remaining channels are at their limits; undefined if there is another reason. */
export const channelsFull = (model: string, { leftOut, roomInMs }: Decision): AppError | undefined => {
  if (!leftOut.some(({ reason }) => reason === 'no_room')) return undefined;
  return new AppError('rate_limited', `every channel of model ${model} that is left is at its limit`, {
    reason: 'channels_full',
    retryAfterSeconds: Math.min(MOST_WAIT_SECONDS, Math.max(1, Math.ceil((roomInMs ?? 0) / 1000))),
  });
};

/** Why no channel takes the call: there is none, none supports the operation, or all accept only shorter prompts. */
export const noChannelTakes = ({ request, call, group }: Admitted, decision: Decision): AppError => {
  const { leftOut } = decision;
  const { model, inputTokensEstimate } = request.facts;
  const { operation } = call;
  const isNowhere = leftOut.length > 0 && leftOut.every(({ reason }) => reason === 'unsupported_operation');
  // A retry would not help, so clients must not try again.
  if (operation !== 'chat' && isNowhere)
    return new AppError('not_implemented', `no channel of model ${model} offers such calls (${operation})`, {
      reason: 'api_not_implemented',
    });
  const full = channelsFull(model, decision);
  if (full !== undefined) return full;
  if (!leftOut.some(({ reason }) => reason === 'too_long')) return noChannel([group], model);
  const message = `the prompt is about ${String(inputTokensEstimate)} tokens, more than any available channel takes`;
  return new AppError('invalid_request', message, { reason: 'context_length_exceeded' });
};
