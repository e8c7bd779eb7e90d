import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';

type Place = Pick<Extract<ChatEvent, { type: 'citation' }>, 'startIndex' | 'endIndex'>;

/** The text range of a citation, as in both OpenAI formats. */
export const readPlace = ({ start_index: startIndex, end_index: endIndex }: Fields): Place => ({
  ...(typeof startIndex === 'number' && { startIndex }),
  ...(typeof endIndex === 'number' && { endIndex }),
});

/** The inverse of `readPlace`. */
export const writePlace = ({ startIndex, endIndex }: Place): Fields => ({
  ...(startIndex !== undefined && { start_index: startIndex }),
  ...(endIndex !== undefined && { end_index: endIndex }),
});

export const PLACE_FIELDS = ['start_index', 'end_index'] as const;
