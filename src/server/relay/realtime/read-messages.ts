import { AppError, asAppError } from '#core/error.ts';
import { fieldsOf, parsedFields } from '#core/json/fields.ts';
import { askedTerms, isSpecial } from '#core/quota/service-terms.ts';
import { isAppend } from '../../dialects/openai-realtime/caller-input.ts';
import { assertReadable } from '../../dialects/openai-realtime/bounds.ts';
import {
  asksForAnswer,
  type TappedMessage,
  tapMessage,
} from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Context } from './context.ts';
import { type Masking, maskMessage } from '../answer/mask.ts';

/** Receiving a longer message, and sending it, each takes several milliseconds: others come in between. */
const LONG_BYTES = 1024 * 1024;

/** Whether others are let in before this message is handled. */
export const isLong = (data: Buffer): boolean => data.length > LONG_BYTES;

/** What a caller's message asks for, or why it is not forwarded. */
export type CallerMessage =
  | { readonly asks: boolean }
  | {
      readonly refused: AppError;
      /** The message the error may name; undefined if it is too large to be looked into. */
      readonly message: Buffer | undefined;
    };

/** Parts of the names of fields that ask for a tier or a place; an escaped letter may be any. */
const TERMS = ['tier', 'Tier', 'TIER', 'geo', 'Geo', 'GEO', 'peed', '\\u'].map((name) => Buffer.from(name));

/**
 * Nobody sells conversations at tiers, so they have no price here: what was asked for would be served at the standard's, in
 * any group. A voice's speed is a number, and none of these.
 */
const refuseTerms = (data: Buffer): void => {
  if (isAppend(data) || !TERMS.some((name) => data.includes(name))) return;
  const message = parsedFields(data) ?? {};
  for (const fields of [message, fieldsOf(message['session']), fieldsOf(message['response'])])
    if (isSpecial(askedTerms(fields)))
      throw new AppError('invalid_request', 'a conversation has no service tier, speed or place to choose', {
        reason: 'service_terms_refused',
      });
};

/** Reads a caller's message and adds what it says to the context. */
export const readCallerMessage = (
  data: Buffer,
  context: Pick<Context, 'add'>,
  check: (data: Buffer) => void,
): CallerMessage => {
  let message: Buffer | undefined;
  try {
    assertReadable(data);
    message = data;
    refuseTerms(data);
    check(data);
    context.add(data);
    return { asks: asksForAnswer(data) };
  } catch (thrown) {
    return { refused: asAppError(thrown), message };
  }
};

/** An upstream's message without secrets and what it tells, or why it cannot be read. */
export const readUpstreamMessage = (
  data: Buffer,
  masking: Masking,
): { readonly shown: Buffer; readonly tapped: TappedMessage | undefined } | AppError => {
  const shown = maskMessage(data, masking);
  try {
    return { shown, tapped: tapMessage(shown) };
  } catch (thrown) {
    return asAppError(thrown);
  }
};
