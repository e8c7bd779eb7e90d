import type { Fields } from '../openai/fields.ts';
import { readFreeText } from './free-text.ts';
import type { OpenItem, Place, Said } from './open-item.ts';

/**
 * A call of one of the caller's tools that take free text. Its upstream wrote the text into JSON, so it is said when
 * that is whole.
 */
export class OpenCustomCall implements OpenItem {
  readonly #place: Place;
  readonly #callId: string;
  readonly #name: string;
  #arguments = '';

  constructor(place: Place, callId: string, name: string) {
    this.#place = place;
    this.#callId = callId;
    this.#name = name;
  }

  add(delta: string): Said[] {
    this.#arguments += delta;
    return [];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'custom_tool_call',
      status,
      call_id: this.#callId,
      name: this.#name,
      input: readFreeText(this.#arguments),
    };
  }

  close(): Said[] {
    const input = readFreeText(this.#arguments);
    const name = 'response.custom_tool_call_input';
    return [
      { type: `${name}.delta`, ...this.#place, delta: input },
      { type: `${name}.done`, ...this.#place, input },
    ];
  }
}
