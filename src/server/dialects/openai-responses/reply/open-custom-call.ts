import type { Fields } from '#core/json/fields.ts';
import { FreeTextCall } from '../../openai/tools/free-text-call.ts';
import { splitName } from '../parts/namespaces.ts';
import type { OpenItem, Place, StreamEvent } from './open-item.ts';

const NAME = 'response.custom_tool_call_input';

/** A call of a custom tool, whose input is free text. */
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

  add(piece: string): StreamEvent[] {
    const delta = this.#call.add(piece);
    return delta === '' ? [] : [{ type: `${NAME}.delta`, ...this.#place, delta }];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'custom_tool_call',
      status,
      call_id: this.#callId,
      ...splitName(this.#name),
      input: this.#call.text,
    };
  }

  close(): StreamEvent[] {
    const delta = this.#call.rest();
    const done = { type: `${NAME}.done`, ...this.#place, input: this.#call.text };
    return delta === '' ? [done] : [{ type: `${NAME}.delta`, ...this.#place, delta }, done];
  }
}
