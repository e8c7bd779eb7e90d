import type { ChatEvent } from '#core/chat/event.ts';
import { isSealOfPart } from '#core/chat/signature.ts';
import type { Fields } from '../openai/fields.ts';
import { withPlace, writeDetailSeal, writeSealed } from './signature.ts';

type ThoughtEvent = Extract<ChatEvent, { type: 'reasoning-delta' | 'reasoning-end' }>;

/** More than any model thinks at once; a longer thought goes back without its signature. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/**
 * Gathers the thoughts of one answer for `reasoning_details`, the list OpenRouter made of them (openrouter.ai/docs,
 * reasoning tokens). `reasoning_content`, one text, could not tell where a thought ends that is signed. Clients put the
 * lists of a stream together in two ways, one behind the other or the last in place of all before it: every list has all
 * thoughts so far, whole and numbered, so that both come out right.
 */
export class SealedThoughts {
  readonly #sealed: Fields[] = [];
  #text = '';
  /** What the answer said aloud so far. */
  #characters = 0;
  #calls = 0;

  /** Takes note of text of the answer. */
  afterText(characters: number): void {
    this.#characters += characters;
  }

  /** Takes note of a call of the answer. */
  afterCall(): void {
    this.#calls += 1;
  }

  /** The list to tell now; empty where there is nothing new. */
  write(event: ThoughtEvent): readonly Fields[] {
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
    // The seal of a text or picture is none of the thought before it.
    const isOfPart = isSealOfPart(event.signature ?? '');
    if (isOfPart && text !== '')
      this.#sealed.push({ type: 'reasoning.text', text, index: this.#sealed.length });
    const said = text === '' || isOfPart ? {} : { text };
    if (signature !== undefined)
      this.#sealed.push({ ...said, ...writeDetailSeal({ signature }), index: this.#sealed.length });
    if (redacted !== undefined)
      this.#sealed.push({ ...writeDetailSeal({ redacted }), index: this.#sealed.length });
    return [...this.#sealed];
  }
}
