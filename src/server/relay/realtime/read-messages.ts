import { type AppError, asAppError } from '#core/error.ts';
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

export const isLong = (data: Buffer): boolean => data.length > LONG_BYTES;

export const afterOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What a caller's message asks for, or why it is not forwarded. */
export type CallerMessage =
  | { readonly asks: boolean }
  | {
      readonly refused: AppError;
      /** The message the error may name; undefined if it is too large to be looked into. */
      readonly message: Buffer | undefined;
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
