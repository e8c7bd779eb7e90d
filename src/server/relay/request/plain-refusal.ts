import type { Channel } from '#core/channel/channel.ts';
import { AppError } from '#core/error.ts';
import { type Fields, fieldsOf, listOf } from '#core/json/fields.ts';
import { type Upstream, type UpstreamCall, writtenFor } from '../../dialects/upstream.ts';
import type { CallerRequest } from './request.ts';

const NOTHING = Buffer.alloc(0);

/** By kind of upstream and its name of the model: what else decides is in the body. */
const known = new WeakMap<Fields, Map<string, AppError | undefined>>();

/**
 * Why a kind of upstream that writes bodies anew cannot take a call other than a chat, as far as the body tells: it may
 * have no equivalent for a field. A body that is in another thread, or has not arrived, is looked at when it is sent.
 */
export const plainRefusal = (
  { fields, far }: Pick<CallerRequest, 'fields' | 'far'>,
  upstream: Upstream,
  channel: Channel,
  call: UpstreamCall,
): AppError | undefined => {
  if (far !== undefined) return undefined;
  let ofBody = known.get(fields);
  if (ofBody === undefined) known.set(fields, (ofBody = new Map()));
  const name = `${String(channel.type)} ${call.model}`;
  if (!ofBody.has(name)) ofBody.set(name, whyNot(upstream, withoutBytes(fields), call, channel));
  return ofBody.get(name);
};

const whyNot = (
  upstream: Upstream,
  body: Fields,
  call: UpstreamCall,
  channel: Channel,
): AppError | undefined => {
  try {
    writtenFor(upstream, { ...body, model: call.model }, call, channel);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
    throw thrown;
  }
};

/** Files are loaded only for the channel that gets them. */
const withoutBytes = (fields: Fields): Fields =>
  fields['$files'] === undefined
    ? fields
    : { ...fields, $files: listOf(fields['$files']).map((file) => ({ ...fieldsOf(file), bytes: NOTHING })) };
