import type { ChatEvent } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import type { Tapped } from '../../../dialects/dialect.ts';

const NOTHING = 'the upstream answered with nothing';

/**
 * Marks an empty answer as an error. An answer without content, finish and usage (`{}`) is no answer, and its call may go to
 * another channel.
 */
export const tappedWhole = (tapped: Tapped): Tapped => {
  const isAnswer = tapped.content === true || tapped.finish !== undefined || tapped.usage !== undefined;
  if (isAnswer || tapped.error !== undefined) return tapped;
  const upstream = { status: 0, message: NOTHING };
  return { ...tapped, error: new AppError('upstream_failed', NOTHING, { upstream }) };
};

/** What the events report about the call: usage, finish, error, bytes of output. */
export const tappedEvents = (events: readonly ChatEvent[]): Tapped => {
  let total: Tapped = {};
  let bytes = 0;
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta')
      bytes += Buffer.byteLength(event.text);
    else if (event.type === 'tool-call-delta') bytes += Buffer.byteLength(event.argumentsText);
    else if (event.type === 'tool-call-start') bytes += Buffer.byteLength(event.name);
    else if (event.type === 'finish') total = { ...total, finish: event.reason };
    else if (event.type === 'usage') total = { ...total, usage: event.usage };
    else if (event.type === 'error') total = { ...total, error: event.error };
  }
  return bytes === 0 ? total : { ...total, content: true, outputBytes: bytes };
};
