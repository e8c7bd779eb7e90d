import type { ChatEvent } from '#core/chat/event.ts';
import { parseExactObject } from '#core/json/exact.ts';

const isCall = ({ type }: ChatEvent): boolean => type === 'tool-call-start' || type === 'tool-call-delta';

const isCitation = ({ type }: ChatEvent): boolean => type === 'citation';

/**
 * The events without calls that a length limit cut off: calls at the end of a choice whose arguments are not a JSON
 * object.
 */
export const withoutCutCalls = (events: readonly ChatEvent[]): readonly ChatEvent[] => {
  const gone = new Set<ChatEvent>();
  for (const [end, event] of events.entries()) {
    if (event.type !== 'finish' || event.reason !== 'length') continue;
    const before = events.slice(0, end).filter((one) => 'choice' in one && one.choice === event.choice);
    const calls = new Map<number, ChatEvent[]>();
    for (const one of before.slice(before.findLastIndex((each) => !isCall(each) && !isCitation(each)) + 1))
      if ('index' in one) calls.set(one.index, [...(calls.get(one.index) ?? []), one]);
    for (const parts of calls.values()) {
      const text = parts.map((one) => (one.type === 'tool-call-delta' ? one.argumentsText : '')).join('');
      if (text.trim() !== '' && parseExactObject(text) === undefined) for (const one of parts) gone.add(one);
    }
  }
  return events.filter((event) => !gone.has(event));
};
