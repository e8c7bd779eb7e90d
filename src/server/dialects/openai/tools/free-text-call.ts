import { readFreeText } from './free-text.ts';
import { InputInPieces } from './input-in-pieces.ts';

/**
 * A call of a free-text tool, whose text the upstream writes as JSON. The text streams as it arrives; JSON of another
 * shape is read once complete.
 */
export class FreeTextCall {
  readonly #input = new InputInPieces();
  #arguments = '';

  /** The text that a chunk of JSON adds, possibly empty. */
  add(piece: string): string {
    this.#arguments += piece;
    return this.#input.add(piece);
  }

  /** The rest of the text, not yet streamed. */
  rest(): string {
    return this.#input.isKnown ? '' : this.text;
  }

  get text(): string {
    return this.#input.isKnown ? this.#input.text : readFreeText(this.#arguments);
  }
}
