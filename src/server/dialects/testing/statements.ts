import type { ChatEvent } from '#core/chat/event.ts';

/** The same events, with texts marked as the beginning of a statement after events of these types. */
export const withStatements = (
  events: readonly ChatEvent[],
  parting: readonly ChatEvent['type'][],
): ChatEvent[] => {
  let hasSpoken = false;
  let isParted = false;
  return events.map((event) => {
    if (parting.includes(event.type)) isParted = hasSpoken;
    if (event.type !== 'text-delta') return event;
    const begins = isParted;
    [hasSpoken, isParted] = [true, false];
    return begins ? { ...event, begins } : event;
  });
};
