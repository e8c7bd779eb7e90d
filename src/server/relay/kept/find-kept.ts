import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Decision } from '#core/channel/select.ts';
import { AppError } from '#core/error.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import { formatFor } from '../format-for.ts';
import type { RelayDeps } from '../ports.ts';
import { known, type Running } from '../running.ts';
import type { Keeper } from './ask-kept.ts';
import type { KeptResponses } from './kept-responses.ts';
import { type Reference, referencesIn } from './references.ts';

/** Fields by which a chat goes on from what an upstream keeps, and what the upstream would say that has no such thing. */
const REFERENCES = {
  previous_response_id: { called: 'Previous response', reason: 'previous_response_not_found' },
  conversation: { called: 'Conversation', reason: 'conversation_not_found' },
  input: { called: 'Item', reason: 'item_not_found' },
} as const satisfies Readonly<Record<Reference['field'], unknown>>;

/** What a chat goes on from; where it is, if it was made here. */
export interface GoesOn {
  readonly field: Reference['field'];
  readonly id: string;
  readonly kept: KeptResponse | undefined;
}

/**
 * Finds where the response, conversation or items are that a chat goes on from. What another user made is not found:
 * upstreams know accounts, not people. What was not made here is the upstream's business. Throws `invalid_request` for
 * what is not found, or is not all at one channel.
 */
export const findKept = async (
  { kept, clock }: Pick<RelayDeps, 'clock'> & { readonly kept: KeptResponses },
  running: Running,
): Promise<void> => {
  const { call, wire } = running;
  if (call.operation !== 'chat' || wire.name !== 'openai-responses') return;
  const { told, far } = known(running.asked, 'read');
  if (told['background'] === true) {
    if (call.playground) throw inPlayground();
    running.background = 'asked';
  }
  const references = far?.references ?? referencesIn(told);
  if (references.length === 0) return;
  const { user } = known(running.caller, 'authenticate');
  const holders = await kept.holders(
    references.map(({ id }) => id),
    clock.now(),
  );
  for (const reference of references) {
    const all = holders.filter(({ responseId }) => responseId === reference.id);
    const own = all.find(({ userId }) => userId === user.id);
    if (own === undefined && all.length > 0) throw notFound(reference.field, reference.id);
    const before = running.goesOn?.kept;
    if (own !== undefined && before !== undefined && own.channelId !== before.channelId)
      throw notFound(reference.field, reference.id, ' where the rest of the conversation is');
    // What is looked up by the way decides nothing while nobody here has made it.
    if (own !== undefined || reference.field !== 'input')
      running.goesOn = { ...reference, kept: own ?? before };
  }
};

const inPlayground = (): AppError =>
  new AppError('invalid_request', "'background' is not offered here: nobody could ask for the response", {
    param: 'background',
    reason: 'unsupported_parameter',
  });

const notFound = (field: Reference['field'], id: string, why = ''): AppError => {
  const { called, reason } = REFERENCES[field];
  return new AppError('invalid_request', `${called} with id '${id.slice(0, 200)}' not found${why}.`, {
    param: field,
    reason,
  });
};

/** The one channel that keeps what the chat goes on from. Throws `invalid_request` where it no longer serves it. */
export const keptDecision = (
  deps: Pick<RelayDeps, 'upstreamOf'>,
  running: Running,
  { field, id, kept }: GoesOn,
): Decision => {
  const { routing, group, wire } = running;
  const { channelId } = known(kept, 'find');
  const { model } = known(running.asked, 'read').facts;
  const channel = keptChannel(deps, running.routing.channels.get(channelId));
  const pinned = running.caller?.channelId;
  const serves =
    channel !== undefined &&
    (pinned === undefined
      ? routing.tiers
          .get(group)
          ?.get(model)
          ?.some((tier) => tier.channels.includes(channel.channel)) === true
      : pinned === channelId);
  if (!serves || formatFor(running, channel.upstream, channel.channel).name !== wire.name)
    throw notFound(field, id, `: the channel that keeps it does not serve ${model} to you any more`);
  return { channel: channel.channel, group, coolingTaken: false, leftOut: [] };
};

/** A channel that is there, switched on, and of a kind that keeps responses. */
export const keptChannel = (
  deps: Pick<RelayDeps, 'upstreamOf'>,
  channel: Channel | undefined,
): Keeper | undefined => (channel?.status === channelStatus.enabled ? keeperOf(deps, channel) : undefined);

/** A channel of a kind that keeps responses, also one that is switched off. */
export const keeperOf = (
  { upstreamOf }: Pick<RelayDeps, 'upstreamOf'>,
  channel: Channel | undefined,
): Keeper | undefined => {
  const upstream = channel && upstreamOf(channel.type);
  if (channel === undefined || upstream === undefined) return undefined;
  const { dialect, natives = [] } = upstream;
  const keeps = [dialect, ...natives].some(({ name }) => name === 'openai-responses');
  return keeps ? { channel, upstream } : undefined;
};
