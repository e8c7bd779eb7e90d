import type { Channel } from '#core/channel/channel.ts';
import type { Dialect, Egress, Wire } from '../dialects/dialect.ts';
import { type Asking, known } from './running.ts';

/** A format as an upstream's reply is read by: whole for chats, taps alone for what is only repeated. */
export type UpstreamFormat = Wire | Egress | Dialect;

/** Whether the caller's own request goes out, as far as nothing in it changes; else it is read and written again. */
export const isRepeated = (running: Asking, channel: Channel, format: UpstreamFormat): boolean => {
  const { call, wire } = running;
  if (format.name !== wire.name) return false;
  if (call.operation !== 'chat') return true;
  if (running.isUnsealed) return false;
  // In the other formats our own instruction has another place, which only their writer knows.
  if (channel.setting.systemPrompt !== undefined && wire.name !== 'openai-chat') return false;
  return !known(running.asked, 'read').hasForeignSignatures;
};

/**
 * Whether a chat's body goes out as it came, as the operator wants for this channel or for all: nothing is adjusted, set
 * or asked for, only the model has the name it has here. Where the upstream speaks another format it is converted as ever.
 */
export const isPassedThrough = (running: Asking, channel: Channel, format: UpstreamFormat): boolean => {
  const { call, wire, routing } = running;
  const isWanted =
    channel.setting.passesBody === true ||
    known(routing, 'begin').options['global.pass_through_request_enabled'];
  if (!isWanted || call.operation !== 'chat' || format.name !== wire.name) return false;
  // Signatures of ours, made for upstreams of other formats, are nothing that came from the caller.
  return !running.isUnsealed && !known(running.asked, 'read').hasForeignSignatures;
};

/** The caller's format, of a call whose reply is converted. */
export const callerDialect = ({ wire }: Pick<Asking, 'wire'>): Dialect => {
  if ('openWriter' in wire) return wire;
  throw new Error(`${wire.name} is never converted`);
};

/** The upstream's format, of a call whose request or reply is converted. */
export const asEgress = (format: UpstreamFormat): Egress => {
  if ('writeRequest' in format) return format;
  throw new Error(`${format.name} is never converted`);
};
