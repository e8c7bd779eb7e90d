import { AppError, asAppError } from '#core/error.ts';
import { fieldsOf, parsedFields } from '#core/json/fields.ts';
import { askedTerms, isSpecial } from '#core/quota/service-terms.ts';
import { asksForAnswer, isAppend } from '../../dialects/openai-realtime/caller-input.ts';
import { assertReadable } from '../../dialects/openai-realtime/bounds.ts';
import { type TappedMessage, tapMessage } from '../../dialects/openai-realtime/openai-realtime.ts';
import type { Context } from './context.ts';
import { hideCosts } from '../../dialects/hide-costs.ts';
import { type Masking, maskMessage } from '../answer/mask.ts';

/** Receiving or sending a longer message takes several milliseconds, so other work gets a turn first. */
const LONG_BYTES = 1024 * 1024;

/** Whether to let other work run before this message is handled. */
export const isLong = (data: Buffer): boolean => data.length > LONG_BYTES;

/** What a caller's message asks for, or why it is not forwarded. */
export type CallerMessage =
  | { readonly asks: boolean; readonly sent: Buffer }
  | {
      readonly refused: AppError;
      /** The message the error may name; undefined if it is too large to parse. */
      readonly message: Buffer | undefined;
    };

/** Parts of the names of fields that ask for a tier or a place; an escape (`\u`) may stand for any letter. */
const TERMS = ['tier', 'Tier', 'TIER', 'geo', 'Geo', 'GEO', 'peed', '\\u'].map((name) => Buffer.from(name));

/**
 * Refuses a request for a service tier, speed or place: conversations have no price for them, so the upstream would
 * serve them at the standard price. A voice's speed is a number and is not meant here.
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
  context: Pick<Context, 'add' | 'namedModel'>,
  check: (data: Buffer, namedModel: string | undefined) => Buffer,
): CallerMessage => {
  let message: Buffer | undefined;
  try {
    assertReadable(data);
    message = data;
    refuseTerms(data);
    const sent = check(data, context.namedModel);
    context.add(data);
    return { asks: asksForAnswer(data), sent };
  } catch (thrown) {
    return { refused: asAppError(thrown), message };
  }
};

/**
 * Masks and reads an upstream's message, and hides what it tells of costs; a long one is masked already. Returns what it
 * says, or why it cannot be read.
 */
export const readUpstreamMessage = (
  data: Buffer,
  masking: Masking,
): { readonly shown: Buffer; readonly tapped: TappedMessage | undefined } | AppError => {
  const shown = isLong(data) ? data : maskMessage(data, masking);
  hideCosts(shown);
  try {
    return { shown, tapped: tapMessage(shown) };
  } catch (thrown) {
    return asAppError(thrown);
  }
};
