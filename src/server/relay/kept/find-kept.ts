import { channelStatus } from '#contract/codes.ts';
import type { Channel } from '#core/channel/channel.ts';
import type { Decision } from '#core/channel/select.ts';
import { AppError } from '#core/error.ts';
import type { KeptResponse } from '#core/kept/kept-response.ts';
import { fieldsOf, textOf } from '../../dialects/openai/fields.ts';
import { formatFor } from '../format.ts';
import type { RelayDeps } from '../ports.ts';
import { known, type Running } from '../running.ts';
import type { Keeper } from './ask-kept.ts';
import type { KeptResponses } from './kept-responses.ts';

/** Fields by which a chat goes on from what an upstream keeps, and what the upstream would say that has no such thing. */
const REFERENCES = {
  previous_response_id: { called: 'Previous response', reason: 'previous_response_not_found' },
  conversation: { called: 'Conversation', reason: 'conversation_not_found' },
} as const;

type Reference = keyof typeof REFERENCES;

/** What a chat goes on from; where it is, if it was made here. */
export interface GoesOn {
  readonly field: Reference;
  readonly id: string;
  readonly kept: KeptResponse | undefined;
}

/**
 * Finds where the response is that a chat goes on from. What another user made is not found: upstreams know accounts, not
 * people. What was not made here is the upstream's business. Throws `invalid_request` for what is not found.
 */
export const findKept = async (
  { kept, clock }: Pick<RelayDeps, 'clock'> & { readonly kept: KeptResponses },
  running: Running,
): Promise<void> => {
  const { call, wire } = running;
  if (call.operation !== 'chat' || wire.name !== 'openai-responses') return;
  const { told } = known(running.asked, 'read');
  if (told['background'] === true) {
    if (call.playground) throw inPlayground();
    running.isBackground = true;
  }
  for (const field of Object.keys(REFERENCES) as Reference[]) {
    const value = told[field];
    if (value === undefined || value === null) continue;
    const id = textOf(value) ?? textOf(fieldsOf(value)['id']) ?? '';
    const { user } = known(running.caller, 'authenticate');
    const found = await kept.find(user.id, id, clock.now());
    if (found === undefined && (await kept.isKnown(id, clock.now()))) throw notFound(field, id);
    running.goesOn = { field, id, kept: found };
  }
};

const inPlayground = (): AppError =>
  new AppError('invalid_request', "'background' is not offered here: nobody could ask for the response", {
    param: 'background',
    reason: 'unsupported_parameter',
  });

const notFound = (field: Reference, id: string, why = ''): AppError => {
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
