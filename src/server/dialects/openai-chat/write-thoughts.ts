import type { ChatEvent } from '#core/chat/event.ts';
import { textOf, type Fields } from '../openai/fields.ts';
import { writeSealed } from './signature.ts';

type ThoughtEvent = Extract<ChatEvent, { type: 'reasoning-delta' | 'reasoning-end' }>;

/**
 * Writes the thoughts of one answer as `reasoning_details`, OpenRouter's list of pieces (openrouter.ai/docs, reasoning
 * tokens): the pieces of one thought have its number, the last one its signature. A client that sends the list back
 * sends every thought as it was signed, which `reasoning_content`, one text, could not.
 */
export class ThoughtPieces {
  #index = 0;

  write(event: ThoughtEvent): Fields[] {
    if (event.type === 'reasoning-delta')
      return [{ type: 'reasoning.text', text: event.text, index: this.#index }];
    const { signature, redacted } = writeSealed(event);
    const pieces: Fields[] = [];
    if (signature !== undefined) pieces.push({ type: 'reasoning.text', signature, index: this.#index });
    if (redacted !== undefined)
      pieces.push({ type: 'reasoning.encrypted', data: redacted, index: this.#index });
    if (pieces.length > 0) this.#index += 1;
    return pieces;
  }
}

/** The pieces of a whole answer put together; none where nothing in them is sealed: then the text alone says all. */
export const joinThoughts = (pieces: readonly Fields[]): Fields[] => {
  const joined: Fields[] = [];
  for (const piece of pieces) {
    const before = joined.at(-1);
    const isMore =
      before?.['type'] === 'reasoning.text' &&
      piece['type'] === 'reasoning.text' &&
      before['index'] === piece['index'];
    if (!isMore) joined.push(piece);
    else {
      const text = (textOf(before['text']) ?? '') + (textOf(piece['text']) ?? '');
      joined[joined.length - 1] = { ...before, ...piece, text };
    }
  }
  return joined.some(({ signature, data }) => signature !== undefined || data !== undefined) ? joined : [];
};
