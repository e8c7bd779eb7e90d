import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import type { UpstreamFormat } from './format.ts';
import type { Upstream } from './ports.ts';
import { known, type Running } from './running.ts';
import { upstreamModel } from './upstream-model.ts';
import { writtenRequest } from './written-request.ts';

/**
 * What the upstream of this call is spoken with: the caller's own format where it is spoken there, else the one in which
 * the model can do more, as far as that can say the request, else the first of its kind.
 */
export const formatFor = (running: Running, upstream: Upstream, channel: Channel): UpstreamFormat => {
  const { call, wire } = running;
  if (call.operation !== 'chat') return wire;
  const model = upstreamModel(channel, known(running.asked, 'read').facts.model);
  const ofModel = upstream.dialectFor?.(model, channel);
  if (ofModel !== undefined) return ofModel.name === wire.name ? wire : ofModel;
  const isSpoken = (name: string): boolean => !running.gaps.has(channel.id, name, running.startedMs, model);
  const better = upstream.betterFor?.(model, wire.name);
  if (better !== undefined && isSpoken(better.name) && isSayable(running, channel, better)) return better;
  const spoken = upstream.dialect;
  if (spoken.name === wire.name) return wire;
  const isNative = upstream.natives?.some(({ name }) => name === wire.name) === true;
  return isNative && isSpoken(wire.name) ? wire : spoken;
};

const isSayable = (running: Running, channel: Channel, format: UpstreamFormat): boolean =>
  !(writtenRequest(running, channel, format) instanceof AppError);
