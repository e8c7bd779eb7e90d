import { readFreeText } from './free-text.ts';
import { InputInPieces } from './input-in-pieces.ts';

/**
 * A call of a tool that takes free text. Its upstream writes the text into JSON, out of which it is taken as it comes;
 * from JSON of another form when that is whole.
 */
export class FreeTextCall {
  readonly #input = new InputInPieces();
  #arguments = '';

  /** What a piece of JSON adds to the text; empty for nothing. */
  add(piece: string): string {
    this.#arguments += piece;
    return this.#input.add(piece);
  }

  /** What of the text was not told piece by piece. */
  rest(): string {
    return this.#input.isKnown ? '' : this.text;
  }

  get text(): string {
    return this.#input.isKnown ? this.#input.text : readFreeText(this.#arguments);
  }
}
