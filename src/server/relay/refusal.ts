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
 * told: each speaks another format than the caller, which has no word for one of its fields.
 */
export const refuseInexpressible = (deps: Pick<RelayDeps, 'upstreamOf'>, running: Running): void => {
  const { routing, group, call } = running;
  if (call.operation !== 'chat' || running.caller?.channelId !== undefined) return;
  let refusal: AppError | undefined;
  for (const { channels } of routing.tiers.get(group)?.get(known(running.asked, 'read').facts.model) ?? []) {
    for (const channel of channels) {
      const upstream = deps.upstreamOf(channel.type);
      if (upstream === undefined || !upstream.operations.includes('chat')) continue;
      const because = refusalOf(running, channel, upstream);
      if (because === undefined) return;
      refusal ??= because;
    }
  }
  if (refusal !== undefined) throw refusal;
};
