import type { ChatEvent } from '#core/chat/event.ts';

/** Text of this many characters is written in well under a millisecond. */
const MOST_CHARACTERS = 128 * 1024;

/**
 * Splits an event with a long text into several with the same meaning. An event with data about its text as a whole,
 * such as token probabilities, is not split.
 */
export const inShortPieces = (event: ChatEvent): readonly ChatEvent[] => {
  switch (event.type) {
    case 'text-delta': {
      const { begins: _, ...rest } = event;
      if (event.logprobs !== undefined || event.extras !== undefined) return [event];
      return pieces(event.text).map((text, at) => (at === 0 ? { ...event, text } : { ...rest, text }));
    }
    case 'reasoning-delta':
      return event.extras === undefined ? pieces(event.text).map((text) => ({ ...event, text })) : [event];
    case 'refusal-delta':
      return pieces(event.text).map((text) => ({ ...event, text }));
    case 'tool-call-delta':
      return pieces(event.argumentsText).map((argumentsText) => ({ ...event, argumentsText }));
    default:
      return [event];
  }
};

const pieces = (text: string): readonly string[] => textPieces(text, MOST_CHARACTERS);

/** Cuts a text into pieces of at most so many UTF-16 units, without splitting a surrogate pair. */
export const textPieces = (text: string, most: number): readonly string[] => {
  if (text.length <= most) return [text];
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    let end = Math.min(text.length, from + most);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last < 0xdc00) end -= 1;
    found.push(text.slice(from, end));
    from = end;
  }
  return found;
};
