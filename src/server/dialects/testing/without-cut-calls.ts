import type { ChatEvent } from '#core/chat/event.ts';
import { ArgumentsEnd } from '../ends/one-call-at-a-time.ts';
import { parseExactObject } from '#core/json/exact.ts';

const isCall = ({ type }: ChatEvent): boolean => type === 'tool-call-start' || type === 'tool-call-delta';

const isCitation = ({ type }: ChatEvent): boolean => type === 'citation';

const isOpen = (text: string): boolean => {
  const end = new ArgumentsEnd();
  end.feed(text);
  return !end.isComplete;
};

/**
 * The events without calls that a length limit cut off: calls whose arguments have no end, and those at the end of a choice
 * whose arguments are not a JSON object.
 */
export const withoutCutCalls = (events: readonly ChatEvent[]): readonly ChatEvent[] => {
  const gone = new Set<ChatEvent>();
  for (const [end, event] of events.entries()) {
    if (event.type !== 'finish' || event.reason !== 'length') continue;
    const before = events.slice(0, end).filter((one) => 'choice' in one && one.choice === event.choice);
    const calls = new Map<number, ChatEvent[]>();
    const lastWords = before.findLastIndex((each) => !isCall(each) && !isCitation(each));
    for (const one of before)
      if ('index' in one) calls.set(one.index, [...(calls.get(one.index) ?? []), one]);
    for (const parts of calls.values()) {
      const text = parts.map((one) => (one.type === 'tool-call-delta' ? one.argumentsText : '')).join('');
      const isLast = before.indexOf(parts[0] as ChatEvent) > lastWords;
      if (text.trim() === '' || parseExactObject(text) !== undefined) continue;
      if (isLast || isOpen(text)) for (const one of parts) gone.add(one);
    }
  }
  return events.filter((event) => !gone.has(event));
};
