import type { ChatEvent } from '#core/chat/event.ts';
import { JoinedStatements } from '#core/chat/joined-statements.ts';
import type { ChatRequest } from '#core/chat/request.ts';
import type { StreamWriter } from '../dialect.ts';
import type { Fields } from '../openai/fields.ts';
import { FreeTextCall } from '../openai/free-text-call.ts';
import { writeError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import { asOldFinish, askedForm, type AskedForm } from './asked-form.ts';
import { writeAudio } from './speech.ts';
import {
  filterWords,
  noStart,
  writeBeside,
  writeCallStart,
  writeCitation,
  writeFinish,
  writeHead,
  writeImage,
  writeUsageEvent,
} from './write-reply.ts';
import { SealedThoughts } from './write-thoughts.ts';

/** Events as the chunks of a stream, one each, ended by its mark. */
export const openWriter = (asked?: ChatRequest): StreamWriter => {
  const writer = new ChunkWriter(askedForm(asked));
  const statements = new JoinedStatements();
  return {
    write: (told) => {
      const event = statements.take(told);
      const chunk =
        event.type === 'error' ? writeError(event.error, event.requestId ?? '').body : writer.write(event);
      return chunk === undefined ? [] : [writeFrame(JSON.stringify(chunk))];
    },
    end: () => [writeFrame('[DONE]')],
    noteText: (characters) => {
      statements.addText(characters);
      writer.noteText(characters);
    },
  };
};

type Of<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

class ChunkWriter {
  #head: Fields = writeHead(noStart, 'chat.completion.chunk');
  /** Choices that have said their role. */
  readonly #begun = new Set<number>();
  /** Choices that have said a refusal. */
  readonly #refused = new Set<number>();
  /** Per choice: its thoughts. */
  readonly #thoughts = new Map<number, SealedThoughts>();
  /** Per choice: the positions of our blocks that are calls, in the order in which this format numbers them. */
  readonly #calls = new Map<number, number[]>();
  readonly #form: AskedForm;
  /** Calls of tools that take text, by choice and block. */
  readonly #freeTexts = new Map<string, FreeTextCall>();

  constructor(form: AskedForm) {
    this.#form = form;
  }

  /** The chunk of an event; undefined for what this format does not say. */
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
        this.#thoughtsOf(event.choice).afterText(event.text.length);
        return this.#chunk(
          event.choice,
          { content: event.text },
          { ...writeBeside(event), finish_reason: null },
        );
      case 'reasoning-end': {
        const details = this.#thoughtsOf(event.choice).write(event);
        return details.length === 0 ? undefined : this.#chunk(event.choice, { reasoning_details: details });
      }
      case 'reasoning-delta':
        this.#thoughtsOf(event.choice).write(event);
        return this.#chunk(event.choice, { reasoning_content: event.text });
      case 'refusal-delta':
        this.#refused.add(event.choice);
        return this.#chunk(event.choice, { refusal: event.text });
      case 'audio-delta':
        return this.#chunk(event.choice, { audio: writeAudio(event, String(this.#head['id'])) });
      case 'opaque':
        return undefined;
      case 'image':
        return this.#chunk(event.choice, { images: [writeImage(event)] });
      case 'citation': {
        const citation = writeCitation(event);
        return citation === undefined ? undefined : this.#chunk(event.choice, { annotations: [citation] });
      }
      case 'tool-call-start':
        return this.#startCall(event);
      case 'tool-call-delta':
        return this.#addToCall(event);
    }
  }

  noteText(characters: number): void {
    this.#thoughtsOf(0).afterText(characters);
  }

  #startCall(event: Of<'tool-call-start'>): Fields | undefined {
    const { choice } = event;
    const index = this.#callIndex(choice, event.index);
    this.#thoughtsOf(choice).afterCall();
    if (this.#form.isOld) {
      if (index > 0) return undefined;
      return this.#chunk(choice, { function_call: { name: event.name, arguments: '' } });
    }
    const isFreeText = this.#form.isFreeText(event);
    if (isFreeText) this.#freeTexts.set(`${choice} ${event.index}`, new FreeTextCall());
    return this.#chunk(choice, { tool_calls: [{ index, ...writeCallStart(event, '', isFreeText) }] });
  }

  #addToCall({ choice, index: block, argumentsText }: Of<'tool-call-delta'>): Fields | undefined {
    const index = this.#callIndex(choice, block);
    if (this.#form.isOld)
      return index > 0 ? undefined : this.#chunk(choice, { function_call: { arguments: argumentsText } });
    const freeText = this.#freeTexts.size === 0 ? undefined : this.#freeTexts.get(`${choice} ${block}`);
    if (freeText === undefined)
      return this.#chunk(choice, { tool_calls: [{ index, function: { arguments: argumentsText } }] });
    const input = freeText.add(argumentsText);
    return input === '' ? undefined : this.#chunk(choice, { tool_calls: [{ index, custom: { input } }] });
  }

  /** The end of an answer, with what is left of its free texts. */
  #finish(event: Of<'finish'>): Fields {
    const { choice } = event;
    const beside = writeFinish(event, this.#refused.has(choice));
    if (this.#form.isOld) return this.#chunk(choice, {}, asOldFinish(beside, event.reason));
    const rests = [...this.#freeTexts].flatMap(([place, call]) => {
      const [of, block] = place.split(' ').map(Number);
      const input = of === choice ? call.rest() : '';
      return input === '' ? [] : [{ index: this.#callIndex(choice, block ?? 0), custom: { input } }];
    });
    const refusal = filterWords(event, this.#refused.has(choice));
    const last = {
      ...(refusal !== undefined && { refusal }),
      ...(rests.length > 0 && { tool_calls: rests }),
    };
    return this.#chunk(choice, last, beside);
  }

  #chunk(choice: number, delta: Fields, beside: Fields = { finish_reason: null }): Fields {
    const isFirst = !this.#begun.has(choice);
    if (isFirst) this.#begun.add(choice);
    const said = isFirst ? { role: 'assistant', ...delta } : delta;
    return { ...this.#head, choices: [{ index: choice, delta: said, ...beside }] };
  }

  #thoughtsOf(choice: number): SealedThoughts {
    let thoughts = this.#thoughts.get(choice);
    if (thoughts === undefined) this.#thoughts.set(choice, (thoughts = new SealedThoughts()));
    return thoughts;
  }

  #callIndex(choice: number, block: number): number {
    let blocks = this.#calls.get(choice);
    if (blocks === undefined) this.#calls.set(choice, (blocks = []));
    const known = blocks.indexOf(block);
    return known === -1 ? blocks.push(block) - 1 : known;
  }
}
