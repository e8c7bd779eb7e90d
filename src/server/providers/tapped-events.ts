import type { ChatEvent } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import type { Tapped } from '../dialects/dialect.ts';

const NOTHING = 'the upstream answered with nothing';

/** What a whole answer tells; one with no word, no end and no usage (`{}`) is none, and its call may go elsewhere. */
export const tappedWhole = (told: Tapped): Tapped => {
  const isAnswer = told.content === true || told.finish !== undefined || told.usage !== undefined;
  if (isAnswer || told.error !== undefined) return told;
  const upstream = { status: 0, message: NOTHING };
  return { ...told, error: new AppError('upstream_failed', NOTHING, { upstream }) };
};

/** What events tell about the call. */
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
