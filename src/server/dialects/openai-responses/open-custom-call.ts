import type { Fields } from '../openai/fields.ts';
import { readFreeText } from './free-text.ts';
import { InputInPieces } from './input-in-pieces.ts';
import type { OpenItem, Place, Said } from './open-item.ts';

const NAME = 'response.custom_tool_call_input';

/**
 * A call of one of the caller's tools that take free text. Its upstream writes the text into JSON, out of which it is
 * taken as it comes; from JSON of another form when that is whole.
 */
export class OpenCustomCall implements OpenItem {
  readonly #place: Place;
  readonly #callId: string;
  readonly #name: string;
  readonly #input = new InputInPieces();
  #arguments = '';

  constructor(place: Place, callId: string, name: string) {
    this.#place = place;
    this.#callId = callId;
    this.#name = name;
  }

  add(piece: string): Said[] {
    this.#arguments += piece;
    const delta = this.#input.add(piece);
    return delta === '' ? [] : [{ type: `${NAME}.delta`, ...this.#place, delta }];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'custom_tool_call',
      status,
      call_id: this.#callId,
      name: this.#name,
      input: this.#text(),
    };
  }

  close(): Said[] {
    const input = this.#text();
    const done = { type: `${NAME}.done`, ...this.#place, input };
    return this.#input.isKnown ? [done] : [{ type: `${NAME}.delta`, ...this.#place, delta: input }, done];
  }

  #text(): string {
    return this.#input.isKnown ? this.#input.text : readFreeText(this.#arguments);
  }
}
