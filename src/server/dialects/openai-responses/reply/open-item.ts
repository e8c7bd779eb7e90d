import type { Fields } from '#core/json/fields.ts';
import { splitName } from '../parts/namespaces.ts';

/** A stream event without its sequence number. */
export type StreamEvent = Fields & { readonly type: string };

/** An output item that is not finished yet. */
export interface OpenItem {
  /** The item's fields so far. */
  read(status: 'in_progress' | 'completed' | 'incomplete'): Fields;
  /** The events that finish its content, before `response.output_item.done`. */
  close(status: 'completed' | 'incomplete'): StreamEvent[];
}

/** The item that an event belongs to. */
export interface Place {
  readonly item_id: string;
  readonly output_index: number;
}

/** A function call. */
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

  add(delta: string): StreamEvent[] {
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

  close(status: string): StreamEvent[] {
    // Some upstreams send nothing for a call without arguments; callers parse them as JSON, as OpenAI's are.
    const nothing = status === 'completed' && this.#arguments === '' ? this.add('{}') : [];
    return [
      ...nothing,
      {
        type: 'response.function_call_arguments.done',
        ...this.#place,
        name: splitName(this.#name).name,
        arguments: this.#arguments,
      },
    ];
  }
}

/** Reasoning: the readable part is its summary, the rest is encrypted. */
export class OpenReasoning implements OpenItem {
  readonly #place: Place;
  #text = '';
  #seal: string | undefined;

  constructor(place: Place) {
    this.#place = place;
  }

  add(delta: string): StreamEvent[] {
    const isFirst = this.#text === '';
    this.#text += delta;
    const place = { ...this.#place, summary_index: 0 };
    const begin: StreamEvent = {
      type: 'response.reasoning_summary_part.added',
      ...place,
      part: { type: 'summary_text', text: '' },
    };
    const more: StreamEvent = { type: 'response.reasoning_summary_text.delta', ...place, delta };
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

  close(): StreamEvent[] {
    if (this.#text === '') return [];
    const place = { ...this.#place, summary_index: 0 };
    const part = { type: 'summary_text', text: this.#text };
    return [
      { type: 'response.reasoning_summary_text.done', ...place, text: this.#text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ];
  }
}
