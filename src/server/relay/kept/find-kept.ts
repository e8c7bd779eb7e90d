import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import { seatById } from '#core/channel/seats/seat.ts';
import type { TriedSeats } from '#core/channel/selection/open-channels.ts';
import type { Decision } from '#core/channel/selection/select.ts';
import { AppError } from '#core/error.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import type { RelayDeps } from '../ports.ts';
import { isRead, type Reference, referencesIn } from '../../dialects/openai-responses/references.ts';
import type { Continuation } from '../request/request.ts';
import { formatFor, type FormatDeps } from '../request/choose-format.ts';
import type { Admitted, Asked } from '../stages.ts';
import type { Keeper } from './ask-kept.ts';
import type { KeptResponses } from './kept-responses.ts';
import { mayRefer } from './response-fields.ts';

/** Fields that refer to something an upstream keeps, and what OpenAI calls it in a not-found error. */
const REFERENCES = {
  previous_response_id: { called: 'Previous response', reason: 'previous_response_not_found' },
  conversation: { called: 'Conversation', reason: 'conversation_not_found' },
  input: { called: 'Item', reason: 'item_not_found' },
  prompt_cache_options: { called: 'Response', reason: 'comparison_response_not_found' },
} as const satisfies Readonly<Record<Reference['field'], unknown>>;

/** What a chat continues from, and how long it is. */
interface Found {
  readonly continuation: Continuation | undefined;
  /**
   * The tokens of everything the chat refers to, which the model reads again; undefined if the length of any part is
   * unknown.
   */
  readonly contextTokens: number | undefined;
}

const NOTHING: Found = { continuation: undefined, contextTokens: 0 };

/**
 * Finds the channel that keeps the response, conversation or items that a chat continues from, or that are compacted.
 * Objects of other users count as not found, because upstreams tell accounts apart but not our users. Ids that were not
 * made through us are left to the upstream; it can have no such items, because callers learn their ids through us.
 * Throws `invalid_request` if something is not found, or if one channel does not keep all of it.
 */
export const findKept = (
  deps: Pick<RelayDeps, 'clock'> & { readonly kept: KeptResponses },
  asked: Asked,
): Promise<Found> | undefined => (mayRefer(asked.wire.name) ? findReferred(deps, asked) : undefined);

const findReferred = async (
  { kept, clock }: Pick<RelayDeps, 'clock'> & { readonly kept: KeptResponses },
  { call, request, live, caller }: Asked,
): Promise<Found> => {
  const { fields, far } = request;
  if (call.operation === 'chat' && fields['background'] === true) {
    if (call.playground) throw inPlayground();
    live.background = 'asked';
  }
  const references = far?.references ?? referencesIn(fields);
  if (references.length === 0) return NOTHING;
  for (const { field, id } of references) if (!PLAIN_ID.test(id)) throw notPlain(field);
  const holders = await kept.holders(
    references.map(({ id }) => id),
    clock.now(),
  );
  let continuation: Continuation | undefined;
  let contextTokens: number | undefined = 0;
  for (const reference of references) {
    const all = holders.filter(({ responseId }) => responseId === reference.id);
    const own = all.find(({ userId }) => userId === caller.user.id);
    if (own === undefined && all.length > 0) throw notFound(reference.field, reference.id);
    // The prompt is only compared with it, so any channel may answer.
    if (!isRead(reference)) continue;
    const before = continuation?.kept;
    if (own !== undefined && before !== undefined && own.channelId !== before.channelId)
      throw notFound(reference.field, reference.id, ' where the rest of the conversation is');
    if (own !== undefined || reference.field !== 'input')
      contextTokens = sumOfKnown(contextTokens, own?.contextTokens ?? 0);
    // An input item that was not made through us binds the chat to no channel.
    if (own !== undefined || reference.field !== 'input')
      continuation = { ...reference, kept: own ?? before };
  }
  return { continuation, contextTokens };
};

const sumOfKnown = (sum: number | undefined, tokens: number): number | undefined =>
  sum === undefined || tokens === 0 ? undefined : sum + tokens;

/**
 * The characters of upstreams' ids. Any other text, such as an id with spaces or invisible characters, belongs to
 * nobody here, but a lenient upstream might read it as the id of another user's object.
 */
const PLAIN_ID = /^[!-~]{1,1024}$/;

const notPlain = (field: Reference['field']): AppError =>
  new AppError('invalid_request', `'${field}' must be an id: a string without spaces`, {
    param: field,
    reason: 'invalid_value',
  });

const inPlayground = (): AppError =>
  new AppError(
    'invalid_request',
    "'background' is not offered for this model: the response could not be read later",
    {
      param: 'background',
      reason: 'unsupported_parameter',
    },
  );

const notFound = (field: Reference['field'], id: string, why = ''): AppError => {
  const { called, reason } = REFERENCES[field];
  return new AppError('invalid_request', `${called} with id '${id.slice(0, 200)}' not found${why}.`, {
    param: field,
    reason,
  });
};

interface KeptWhere {
  readonly continuation: Continuation;
  readonly kept: KeptResponse;
  readonly tried: TriedSeats;
}

/**
 * Chooses the channel that keeps what the chat continues from. Throws `invalid_request` if it no longer serves the
 * model.
 */
export const continuedDecision = (
  deps: Pick<RelayDeps, 'upstreamOf'> & FormatDeps,
  admitted: Admitted,
  { continuation: { field, id }, kept: { channelId, keyIndex }, tried }: KeptWhere,
): Decision => {
  const { routing, group, wire, request } = admitted;
  const { model } = request.facts;
  const keeper = enabledKeeper(deps, routing.channels.get(channelId));
  if (
    keeper === undefined ||
    !serves(admitted, keeper.channel) ||
    formatFor(deps, admitted, keeper.upstream, keeper.channel).name !== wire.name
  )
    throw notFound(field, id, `: the channel that keeps it does not serve ${model} to you any more`);
  const seat = seatById(keeper.channel, keyIndex);
  const channel = tried.keys.has(seat.keyId) ? undefined : seat;
  return { channel, group, coolingTaken: false, leftOut: [] };
};

/** Whether a channel serves the model to this caller: it is the pinned channel, or one of the group's. */
const serves = ({ routing, group, request, caller }: Admitted, channel: Channel): boolean => {
  if (caller.channelId !== undefined) return caller.channelId === channel.id;
  const tiers = routing.tiers.get(group)?.get(request.facts.model) ?? [];
  return tiers.some(({ channels }) => channels.includes(channel));
};

/**
 * A channel that is enabled and of a kind that keeps responses; undefined if it is not. With `keyId`, the channel with that
 * key; without, the channel with all its keys.
 */
export const enabledKeeper = (
  deps: Pick<RelayDeps, 'upstreamOf'>,
  channel: Channel | undefined,
  keyId?: number,
): Keeper | undefined =>
  channel?.status === channelStatus.enabled ? keeperOf(deps, channel, keyId) : undefined;

/** A channel of a kind that keeps responses, even if it is disabled. */
export const keeperOf = (
  { upstreamOf }: Pick<RelayDeps, 'upstreamOf'>,
  channel: Channel | undefined,
  keyId?: number,
): Keeper | undefined => {
  const upstream = channel && upstreamOf(channel.type);
  if (channel === undefined || upstream === undefined) return undefined;
  const { dialect, natives = [] } = upstream;
  const keeps = [dialect, ...natives].some(({ name }) => name === 'openai-responses');
  if (!keeps) return undefined;
  return { channel: keyId === undefined ? channel : seatById(channel, keyId), upstream };
};
