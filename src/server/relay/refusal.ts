import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { formatFor } from './format-for.ts';
import { isRepeated } from './format.ts';
import type { RelayDeps, Upstream } from './ports.ts';
import { known, type Running } from './running.ts';
import { writtenRequest } from './written-request.ts';

/** Why the caller's request cannot be said to this channel's upstream; undefined where it can. */
export const refusalOf = (running: Running, channel: Channel, upstream: Upstream): AppError | undefined => {
  if (running.call.operation !== 'chat') return undefined;
  const format = formatFor(running, upstream, channel);
  if (isRepeated(running, channel, format)) return undefined;
  const written = writtenRequest(running, channel, format);
  return written instanceof AppError ? written : undefined;
};

/**
 * Throws `invalid_request`, before anything is held, for a chat that none of the channels that serve its model could be
 * told: each speaks another format than the caller, which has no word for one of its fields. Where that is a tool an answer
 * can do without, it goes out without it, since it would never go out otherwise.
 */
export const refuseInexpressible = (deps: Pick<RelayDeps, 'upstreamOf'>, running: Running): void => {
  if (running.call.operation !== 'chat') return;
  const refusal = refusalOfAll(deps, running);
  if (refusal === undefined) return;
  if (refusal.reason === 'unsupported_tool' || refusal.param === 'tools') {
    running.sparesTools = true;
    if (refusalOfAll(deps, running) === undefined) return;
    running.sparesTools = false;
  }
  if (running.caller?.channelId === undefined) throw refusal;
};

/** Why no channel could be told; undefined where one can. */
const refusalOfAll = (deps: Pick<RelayDeps, 'upstreamOf'>, running: Running): AppError | undefined => {
  let refusal: AppError | undefined;
  for (const channel of channelsOf(running)) {
    const upstream = deps.upstreamOf(channel.type);
    if (upstream === undefined || !upstream.operations.includes('chat')) continue;
    const because = refusalOf(running, channel, upstream);
    if (because === undefined) return undefined;
    refusal ??= because;
  }
  return refusal;
};

const channelsOf = ({ routing, group, asked, caller }: Running): readonly Channel[] => {
  const pinned = caller?.channelId === undefined ? undefined : routing.channels.get(caller.channelId);
  if (caller?.channelId !== undefined) return pinned === undefined ? [] : [pinned];
  const tiers = routing.tiers.get(group)?.get(known(asked, 'read').facts.model) ?? [];
  return tiers.flatMap(({ channels }) => channels);
};
