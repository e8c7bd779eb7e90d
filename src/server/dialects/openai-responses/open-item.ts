import type { Fields } from '../openai/fields.ts';
import { splitName } from './namespaces.ts';

/** An event of the stream, but for its number. */
export type Said = Fields & { readonly type: string };

/** An item of the answer while it is being said. */
export interface OpenItem {
  /** Its own fields as they stand now, finished or not. */
  read(status: 'in_progress' | 'completed' | 'incomplete'): Fields;
  /** What is said when it ends, before its own end. */
  close(): Said[];
}

/** Where in the response an event belongs. */
export interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

/** A call of one of the caller's functions. */
export class OpenCall implements OpenItem {
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
    return [{ type: 'response.function_call_arguments.delta', ...this.#place, delta }];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'function_call',
      status,
      arguments: this.#arguments,
      call_id: this.#callId,
      ...splitName(this.#name),
    };
  }

  close(): Said[] {
    return [
      {
        type: 'response.function_call_arguments.done',
        ...this.#place,
        name: splitName(this.#name).name,
        arguments: this.#arguments,
      },
    ];
  }
}

/** A thought: what may be shown of it as its summary, the rest sealed. */
export class OpenThought implements OpenItem {
  readonly #place: Place;
  #text = '';
  #seal: string | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  add(delta: string): Said[] {
    const isFirst = this.#text === '';
    this.#text += delta;
    const place = { ...this.#place, summary_index: 0 };
    const begin: Said = {
      type: 'response.reasoning_summary_part.added',
      ...place,
      part: { type: 'summary_text', text: '' },
    };
    const more: Said = { type: 'response.reasoning_summary_text.delta', ...place, delta };
    return isFirst ? [begin, more] : [more];
  }

  get isSealed(): boolean {
    return this.#seal !== undefined;
  }

  seal(encryptedContent: string): void {
    this.#seal = encryptedContent;
  }

  read(): Fields {
    return {
      id: this.#place.item_id,
      type: 'reasoning',
      summary: this.#text === '' ? [] : [{ type: 'summary_text', text: this.#text }],
      ...(this.#seal !== undefined && { encrypted_content: this.#seal }),
    };
  }

  close(): Said[] {
    if (this.#text === '') return [];
    const place = { ...this.#place, summary_index: 0 };
    const part = { type: 'summary_text', text: this.#text };
    return [
      { type: 'response.reasoning_summary_text.done', ...place, text: this.#text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ];
  }
}
