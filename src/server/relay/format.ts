import type { Channel } from '#core/channel/channel.ts';
import type { Dialect, Egress, Wire } from '../dialects/dialect.ts';
import type { Upstream } from './ports.ts';
import { known, type Running } from './running.ts';
import { upstreamModel } from './upstream-model.ts';

/** A format as an upstream's reply is read by: whole for chats, taps alone for what is only repeated. */
export type UpstreamFormat = Wire | Egress | Dialect;

/** What the upstream of this call is spoken with: the caller's own format where it is spoken there, else its first. */
export const formatFor = (running: Running, upstream: Upstream, channel: Channel): UpstreamFormat => {
  const { call, wire } = running;
  if (call.operation !== 'chat') return wire;
  const model = upstreamModel(channel, known(running.asked, 'read').facts.model);
  const ofModel = upstream.dialectFor?.(model, channel);
  const spoken = ofModel ?? upstream.dialect;
  if (spoken.name === wire.name) return wire;
  const natives = ofModel === undefined ? (upstream.natives ?? []) : [];
  const isNative = natives.some(({ name }) => name === wire.name);
  return isNative && !running.gaps.has(channel.id, wire.name, running.startedMs, model) ? wire : spoken;
};

/** Whether the caller's own request goes out, as far as nothing in it changes; else it is read and written again. */
export const isRepeated = (running: Running, channel: Channel, format: UpstreamFormat): boolean => {
  const { call, wire } = running;
  if (format.name !== wire.name) return false;
  if (call.operation !== 'chat') return true;
  if (running.isUnsealed) return false;
  // In the other formats our own instruction has another place, which only their writer knows.
  if (channel.setting.systemPrompt !== undefined && wire.name !== 'openai-chat') return false;
  return !known(running.asked, 'read').hasForeignSignatures;
};

/** The caller's format, of a call whose reply is converted. */
export const callerDialect = ({ wire }: Running): Dialect => {
  if ('openWriter' in wire) return wire;
  throw new Error(`${wire.name} is never converted`);
};

/** The upstream's format, of a call whose request or reply is converted. */
export const asEgress = (format: UpstreamFormat): Egress => {
  if ('writeRequest' in format) return format;
  throw new Error(`${format.name} is never converted`);
};
