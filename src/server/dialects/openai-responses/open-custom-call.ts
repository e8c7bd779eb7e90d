import type { Fields } from '../openai/fields.ts';
import { FreeTextCall } from '../openai/free-text-call.ts';
import type { OpenItem, Place, Said } from './open-item.ts';

const NAME = 'response.custom_tool_call_input';

/** A call of one of the caller's tools that take free text. */
export class OpenCustomCall implements OpenItem {
  readonly #place: Place;
  readonly #callId: string;
  readonly #name: string;
  readonly #call = new FreeTextCall();

  constructor(place: Place, callId: string, name: string) {
    this.#place = place;
    this.#callId = callId;
    this.#name = name;
  }

  add(piece: string): Said[] {
    const delta = this.#call.add(piece);
    return delta === '' ? [] : [{ type: `${NAME}.delta`, ...this.#place, delta }];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'custom_tool_call',
      status,
      call_id: this.#callId,
      name: this.#name,
      input: this.#call.text,
    };
  }

  close(): Said[] {
    const delta = this.#call.rest();
    const done = { type: `${NAME}.done`, ...this.#place, input: this.#call.text };
    return delta === '' ? [done] : [{ type: `${NAME}.delta`, ...this.#place, delta }, done];
  }
}
