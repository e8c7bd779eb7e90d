import type { Channel } from '#core/channel/channel.ts';
import type { Operation } from '#core/operation.ts';
import type { Fields } from '#core/json/fields.ts';
import { type UpstreamCall, writtenFor } from '../../dialects/upstream.ts';
import { providerOf } from '../registry.ts';

/** The calls a channel type takes, in the order its provider names them; none where there is no provider. */
export const operationsOf = (type: number): readonly Operation[] =>
  Object.keys(providerOf(type)?.offers ?? {}) as Operation[];

/** A body as the provider of a channel wants it. */
export const writtenAt = (channel: Channel, body: Fields, call: UpstreamCall): Fields => {
  const provider = providerOf(channel.type);
  if (provider === undefined) throw new Error(`no provider for ${String(channel.type)}`);
  return writtenFor(provider, body, call, channel);
};
