import type { ChatEvent } from '#core/chat/event.ts';
import { JoinedStatements } from '#core/chat/joined-statements.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { StreamWriter } from '../../dialect.ts';
import type { Fields } from '#core/json/fields.ts';
import { FreeTextCall } from '../../openai/tools/free-text-call.ts';
import { streamError } from '../../openai/write-error.ts';
import { writeFrame } from '../../sse.ts';
import { asLegacyFinish, callFormOf, type CallForm } from './call-form.ts';
import { writeAudio } from '../speech.ts';
import {
  filterExplanation,
  noStart,
  writeBeside,
  writeCallStart,
  writeCitation,
  writeFinish,
  writeHead,
  writeImage,
  writeUsageEvent,
} from './write-reply.ts';
import { ReasoningDetails } from '../parts/write-reasoning-details.ts';

/** Writes events as the chunks of a stream and its end mark. */
export const openWriter = (asked?: ChatRequest): StreamWriter => {
  const writer = new ChunkWriter(callFormOf(asked));
  const statements = new JoinedStatements();
  return {
    write: (next) => {
      const event = statements.take(next);
      const chunk =
        event.type === 'error' ? streamError(event.error, event.requestId ?? '') : writer.write(event);
      return chunk === undefined ? [] : [writeFrame(JSON.stringify(chunk))];
    },
    end: () => [writeFrame('[DONE]')],
    noteText: (characters) => {
      statements.addText(characters);
      writer.noteText(characters);
    },
  };
};

/** The most citations that are kept back: more than any answer has. */
const MOST_CITATIONS = 1000;

type Of<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

class ChunkWriter {
  #head: Fields = writeHead(noStart, 'chat.completion.chunk');
  /** Choices whose role was written. */
  readonly #begun = new Set<number>();
  /** Choices with a refusal. */
  readonly #refused = new Set<number>();
  /** The reasoning of each choice. */
  readonly #reasoning = new Map<number, ReasoningDetails>();
  /** Per choice: the event index of each tool call; its position here is its index in this format. */
  readonly #calls = new Map<number, number[]>();
  /** The citations of each choice that were not written yet. */
  readonly #citations = new Map<number, Fields[]>();
  readonly #finished = new Set<number>();
  /** Pictures are too large to be kept back; OpenRouter numbers them. */
  #images = 0;
  readonly #form: CallForm;
  /** Calls of free-text tools, by choice and event index. */
  readonly #freeTexts = new Map<string, FreeTextCall>();

  constructor(form: CallForm) {
    this.#form = form;
  }

  /** The chunk of an event; undefined for what this format cannot express. */
  write(event: Exclude<ChatEvent, { type: 'error' }>): Fields | undefined {
    switch (event.type) {
      case 'start':
        this.#head = writeHead(event, 'chat.completion.chunk');
        return this.#chunk(0, {}, { finish_reason: null });
      case 'usage':
        return { ...this.#head, choices: [], usage: writeUsageEvent(event) };
      case 'finish':
        return this.#finish(event);
      case 'text-delta':
        this.#reasoningOf(event.choice).countText(event.text.length);
        return this.#chunk(
          event.choice,
          { content: event.text },
          { ...writeBeside(event), finish_reason: null },
        );
      case 'reasoning-end': {
        const details = this.#reasoningOf(event.choice).write(event);
        return details.length === 0 ? undefined : this.#chunk(event.choice, { reasoning_details: details });
      }
      case 'reasoning-delta':
        this.#reasoningOf(event.choice).write(event);
        return this.#chunk(event.choice, { reasoning_content: event.text });
      case 'refusal-delta':
        this.#refused.add(event.choice);
        return this.#chunk(event.choice, { refusal: event.text });
      case 'audio-delta':
        return this.#chunk(event.choice, { audio: writeAudio(event, String(this.#head['id'])) });
      case 'opaque':
        return undefined;
      case 'image':
        return this.#chunk(event.choice, { images: [{ ...writeImage(event), index: this.#images++ }] });
      case 'citation':
        return this.#cite(event.choice, writeCitation(event));
      case 'tool-call-start':
        return this.#startCall(event);
      case 'tool-call-delta':
        return this.#addToCall(event);
    }
  }

  noteText(characters: number): void {
    this.#reasoningOf(0).countText(characters);
  }

  /**
   * All citations of an answer come in its last chunk, as from OpenAI: of several lists its client for Node keeps only the
   * last, and that for Python breaks off.
   */
  #cite(choice: number, citation: Fields | undefined): Fields | undefined {
    if (citation === undefined) return undefined;
    const cited = this.#citations.get(choice);
    if (cited === undefined) this.#citations.set(choice, [citation]);
    else cited.push(citation);
    return this.#finished.has(choice) || (cited?.length ?? 0) >= MOST_CITATIONS
      ? this.#chunk(choice, this.#takeCitations(choice))
      : undefined;
  }

  #takeCitations(choice: number): { readonly annotations?: readonly Fields[] } {
    const annotations = this.#citations.get(choice);
    this.#citations.delete(choice);
    return annotations === undefined ? {} : { annotations };
  }

  #startCall(event: Of<'tool-call-start'>): Fields | undefined {
    const { choice } = event;
    const index = this.#callIndex(choice, event.index);
    this.#reasoningOf(choice).countCall();
    if (this.#form.isLegacy) {
      if (index > 0) return undefined;
      return this.#chunk(choice, { function_call: { name: event.name, arguments: '' } });
    }
    const isFreeText = this.#form.isFreeText(event);
    if (isFreeText) this.#freeTexts.set(`${choice} ${event.index}`, new FreeTextCall());
    return this.#chunk(choice, { tool_calls: [{ index, ...writeCallStart(event, '', isFreeText) }] });
  }

  #addToCall({ choice, index: block, argumentsText }: Of<'tool-call-delta'>): Fields | undefined {
    const index = this.#callIndex(choice, block);
    if (this.#form.isLegacy)
      return index > 0 ? undefined : this.#chunk(choice, { function_call: { arguments: argumentsText } });
    const freeText = this.#freeTexts.size === 0 ? undefined : this.#freeTexts.get(`${choice} ${block}`);
    if (freeText === undefined)
      return this.#chunk(choice, { tool_calls: [{ index, function: { arguments: argumentsText } }] });
    const input = freeText.add(argumentsText);
    return input === '' ? undefined : this.#chunk(choice, { tool_calls: [{ index, custom: { input } }] });
  }

  /** The end of an answer, with the rest of its free-text calls. */
  #finish(event: Of<'finish'>): Fields {
    const { choice } = event;
    const hasRefused = this.#refused.has(choice);
    const beside = writeFinish(event, hasRefused);
    this.#finished.add(choice);
    const cited = this.#takeCitations(choice);
    if (this.#form.isLegacy) return this.#chunk(choice, cited, asLegacyFinish(beside, event.reason));
    const rests = [...this.#freeTexts].flatMap(([place, call]) => {
      const [of, block] = place.split(' ').map(Number);
      const input = of === choice ? call.rest() : '';
      return input === '' ? [] : [{ index: this.#callIndex(choice, block ?? 0), custom: { input } }];
    });
    const refusal = hasRefused ? undefined : filterExplanation(event);
    const last = {
      ...cited,
      ...(refusal !== undefined && { refusal }),
      ...(rests.length > 0 && { tool_calls: rests }),
    };
    return this.#chunk(choice, last, beside);
  }

  #chunk(choice: number, delta: Fields, beside: Fields = { finish_reason: null }): Fields {
    const isFirst = !this.#begun.has(choice);
    if (isFirst) this.#begun.add(choice);
    const fields = isFirst ? { role: 'assistant', ...delta } : delta;
    return { ...this.#head, choices: [{ index: choice, delta: fields, ...beside }] };
  }

  #reasoningOf(choice: number): ReasoningDetails {
    let reasoning = this.#reasoning.get(choice);
    if (reasoning === undefined) this.#reasoning.set(choice, (reasoning = new ReasoningDetails()));
    return reasoning;
  }

  #callIndex(choice: number, block: number): number {
    let blocks = this.#calls.get(choice);
    if (blocks === undefined) this.#calls.set(choice, (blocks = []));
    const known = blocks.indexOf(block);
    return known === -1 ? blocks.push(block) - 1 : known;
  }
}
