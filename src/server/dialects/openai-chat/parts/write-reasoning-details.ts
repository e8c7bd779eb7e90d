import type { ChatEvent } from '#core/chat/event.ts';
import { isSealOfPart } from '#core/chat/signature.ts';
import type { Fields } from '#core/json/fields.ts';
import { withPlace, writeDetailSeal, writeSealed } from './signature.ts';

type ReasoningEvent = Extract<ChatEvent, { type: 'reasoning-delta' | 'reasoning-end' }>;

/** More than any model thinks at once; longer reasoning goes back without its signature. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Collects the reasoning of one answer for OpenRouter's `reasoning_details` (openrouter.ai/docs, reasoning tokens). The
 * single text `reasoning_content` cannot show where a signed part ends. In a stream, some clients append the lists and
 * some keep only the last. Both work, because every list has all parts so far, whole and numbered.
 */
export class ReasoningDetails {
  readonly #sealed: Fields[] = [];
  #text = '';
  /** The length of the answer's text so far. */
  #characters = 0;
  #calls = 0;

  /** Counts text of the answer. */
  countText(characters: number): void {
    this.#characters += characters;
  }

  /** Counts a tool call of the answer. */
  countCall(): void {
    this.#calls += 1;
  }

  /** The list to send now; empty where nothing is new. */
  write(event: ReasoningEvent): readonly Fields[] {
    if (event.type === 'reasoning-delta') {
      if (this.#text.length <= MAX_CHARACTERS) this.#text += event.text;
      return [];
    }
    const text = this.#text;
    this.#text = '';
    const { signature, redacted } = writeSealed(
      withPlace(event, { characters: this.#characters, calls: this.#calls }),
    );
    if (text.length > MAX_CHARACTERS || (signature === undefined && redacted === undefined)) return [];
    // The signature of a text or image does not belong to the reasoning before it.
    const isOfPart = isSealOfPart(event.signature ?? '');
    if (isOfPart && text !== '')
      this.#sealed.push({ type: 'reasoning.text', text, index: this.#sealed.length });
    const readable = text === '' || isOfPart ? {} : { text };
    if (signature !== undefined)
      this.#sealed.push({ ...readable, ...writeDetailSeal({ signature }), index: this.#sealed.length });
    if (redacted !== undefined)
      this.#sealed.push({ ...writeDetailSeal({ redacted }), index: this.#sealed.length });
    return [...this.#sealed];
  }
}
