import type { ChatEvent } from '#core/chat/event.ts';
import { OneCallAtATime } from '../../ends/one-call-at-a-time.ts';
import { asSealOfCall } from '#core/chat/signature.ts';
import { noUsage } from '#core/chat/usage.ts';
import { isFields, type Fields } from '#core/json/fields.ts';
import { drawnAsText } from '../parts/drawn-pictures.ts';
import { writeError } from '../error.ts';
import { BEGINS } from './reply-reader.ts';
import { writeFinish } from './stop-reason.ts';
import { writeUsage } from '../usage.ts';
import { writeSignature } from '../parts/write-parts.ts';

type Of<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;
/** One event of the stream, `type` first. */
export type Payload = Fields & { readonly type: string };

/** Stands for a missing signature, so that the thought is never sent to an upstream of this format. */
const UNSIGNED = writeSignature('', 'openai-chat');

const START: Of<'start'> = { type: 'start', id: '', model: '' };

/**
 * Writes our events in this format, in which an answer is a sequence of blocks: text, thoughts, calls. A whole response
 * is these events combined. The format has only one answer; others are left out.
 */
export class BlockWriter {
  #hasStarted = false;
  #hasFailed = false;
  /** The index of the last opened block. */
  #index = -1;
  #isBlockOpen = false;
  /** Whether the open thought has its signature. */
  #isSigned = false;
  #open: 'text' | 'thinking' | 'tool_use' | undefined;
  /** The open text has citations: further text needs a new block. */
  #isCited = false;
  #isRefusing = false;
  /** Our call index → its block. */
  readonly #calls = new Map<number, number>();
  readonly #inOrder = new OneCallAtATime();
  #finish: Of<'finish'> | undefined;
  #usage: Of<'usage'> | undefined;

  write(event: ChatEvent): Payload[] {
    if ('choice' in event && event.choice > 0) return [];
    return this.#inOrder.take(event).flatMap((next) => this.#write(next));
  }

  #write(event: ChatEvent): Payload[] {
    if (this.#hasFailed) return [];
    if (event.type === 'start') return this.#start(event);
    if (event.type === 'error') {
      this.#hasFailed = true;
      return [{ type: 'error', ...(writeError(event.error, event.requestId ?? '').body as Fields) }];
    }
    return this.#hasStarted ? this.#say(event) : [...this.#start(START), ...this.#say(event)];
  }

  /** The events that end the stream: reason and usage. None after an error. */
  end(): Payload[] {
    if (this.#hasFailed) return [];
    return [
      ...this.#start(START),
      ...this.#inOrder.rest().flatMap((event) => this.#write(event)),
      ...this.#close(),
      {
        type: 'message_delta',
        delta: writeFinish(this.#finish, this.#calls.size > 0),
        usage: writeUsage(this.#usage?.usage ?? noUsage, this.#usage?.extras?.['anthropic-messages']),
      },
      { type: 'message_stop' },
    ];
  }

  #start({ id, model, extras }: Of<'start'>): Payload[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const message = {
      ...extras?.['anthropic-messages'],
      id,
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // Official clients never replace this one with what the end reports: left open, it does not contradict the sum.
      usage: { ...writeUsage(noUsage), cache_creation: null },
    };
    return [{ type: 'message_start', message }];
  }

  #say(event: Exclude<ChatEvent, { type: 'start' | 'error' }>): Payload[] {
    switch (event.type) {
      case 'text-delta':
        this.#isRefusing = false;
        return this.#text(event.text, begins(event));
      case 'refusal-delta': {
        // A refusal is a block of its own.
        const isFirst = !this.#isRefusing;
        this.#isRefusing = true;
        return this.#text(event.text, isFirst);
      }
      case 'audio-delta':
        // Sound without a transcript must not become an empty text block: upstreams refuse those.
        return event.transcript === undefined || event.transcript === '' ? [] : this.#text(event.transcript);
      case 'image':
        return this.#text(drawnAsText(event.media));
      case 'reasoning-delta':
        return [...this.#thinking(), this.#delta({ type: 'thinking_delta', thinking: event.text })];
      case 'reasoning-end':
        return this.#endThought(event);
      case 'citation':
        return this.#cite(event);
      case 'tool-call-start':
        return this.#call(event);
      case 'tool-call-delta': {
        const index = this.#calls.get(event.index) ?? this.#index;
        const delta = { type: 'input_json_delta', partial_json: event.argumentsText };
        return [{ type: 'content_block_delta', index, delta }];
      }
      case 'opaque':
        return this.#opaque(event.extras['anthropic-messages']);
      case 'finish':
        this.#finish = event;
        return [];
      case 'usage':
        this.#usage = event;
        return [];
    }
  }

  #text(text: string, begins = false): Payload[] {
    const isNew = begins || this.#open !== 'text' || this.#isCited;
    this.#isCited = false;
    const opened = isNew ? this.#begin('text', { type: 'text', text: '' }) : [];
    return [...opened, this.#delta({ type: 'text_delta', text })];
  }

  #cite(event: Of<'citation'>): Payload[] {
    const { [BEGINS]: _, ...extras } = event.extras?.['anthropic-messages'] ?? {};
    // A citation of another format without a URL cannot be expressed here.
    if (extras['type'] === undefined && event.url === undefined) return [];
    const citation =
      extras['type'] === undefined
        ? {
            type: 'web_search_result_location',
            cited_text: '',
            encrypted_index: UNSIGNED,
            url: event.url ?? '',
            title: event.title ?? null,
            ...extras,
          }
        : extras;
    const isOpen = this.#open === 'text' && !begins(event);
    const opened = isOpen ? [] : this.#begin('text', { type: 'text', text: '' });
    this.#isCited = isOpen;
    return [...opened, this.#delta({ type: 'citations_delta', citation })];
  }

  #thinking(): Payload[] {
    if (this.#open === 'thinking') return [];
    return this.#begin('thinking', { type: 'thinking', thinking: '', signature: '' });
  }

  #endThought({ signature, signatureFrom, redacted }: Of<'reasoning-end'>): Payload[] {
    const payloads: Payload[] = [];
    if (signature !== undefined) {
      const sealed = writeSignature(signature, signatureFrom);
      payloads.push(...this.#thinking(), this.#delta({ type: 'signature_delta', signature: sealed }));
      this.#isSigned = true;
    }
    if (redacted !== undefined) {
      const data = writeSignature(redacted, signatureFrom);
      payloads.push(...this.#begin(undefined, { type: 'redacted_thinking', data }));
    }
    return [...payloads, ...this.#close()];
  }

  #call(event: Of<'tool-call-start'>): Payload[] {
    const { id, name, signature, signatureFrom } = event;
    // A call has no signature here: an empty thought before it carries the signature to the caller and back.
    const carrier =
      signature === undefined
        ? []
        : [
            ...this.#close(),
            ...this.#endThought({
              type: 'reasoning-end',
              choice: 0,
              signature: asSealOfCall(signature),
              signatureFrom: signatureFrom ?? 'openai-chat',
            }),
          ];
    const others = event.extras?.['anthropic-messages'];
    const opened = this.#begin('tool_use', { type: 'tool_use', id, name, input: {}, ...others });
    this.#calls.set(event.index, this.#index);
    return [...carrier, ...opened];
  }

  #opaque(block: Fields | undefined): Payload[] {
    if (block === undefined) return [];
    const { input } = block;
    if (!isFields(input) || Object.keys(input).length === 0)
      return [...this.#begin(undefined, block), ...this.#close()];
    return [
      ...this.#begin(undefined, { ...block, input: {} }),
      this.#delta({ type: 'input_json_delta', partial_json: JSON.stringify(input) }),
      ...this.#close(),
    ];
  }

  #begin(kind: 'text' | 'thinking' | 'tool_use' | undefined, block: Fields): Payload[] {
    const closed = this.#close();
    this.#index += 1;
    this.#open = kind;
    this.#isBlockOpen = true;
    return [...closed, { type: 'content_block_start', index: this.#index, content_block: block }];
  }

  #close(): Payload[] {
    if (!this.#isBlockOpen) return [];
    const seal =
      this.#open === 'thinking' && !this.#isSigned
        ? [this.#delta({ type: 'signature_delta', signature: UNSIGNED })]
        : [];
    this.#isBlockOpen = false;
    this.#isSigned = false;
    this.#open = undefined;
    this.#isCited = false;
    return [...seal, { type: 'content_block_stop', index: this.#index }];
  }

  #delta(delta: Fields): Payload {
    return { type: 'content_block_delta', index: this.#index, delta };
  }
}

const begins = (event: Of<'text-delta'> | Of<'citation'>): boolean =>
  ('begins' in event && event.begins === true) || event.extras?.['anthropic-messages']?.[BEGINS] === true;
