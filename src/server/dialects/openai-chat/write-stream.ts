import type { ChatEvent } from '#core/chat/event.ts';
import type { StreamWriter } from '../dialect.ts';
import type { Fields } from '../openai/fields.ts';
import { writeError } from '../openai/write-error.ts';
import { writeFrame } from '../sse.ts';
import {
  noStart,
  writeAudio,
  writeCallStart,
  writeCitation,
  writeFinish,
  writeHead,
  writeImage,
  writeUsageEvent,
} from './write-reply.ts';
import { SealedThoughts } from './write-thoughts.ts';

/** Events as the chunks of a stream, one each, ended by its mark. */
export const openWriter = (): StreamWriter => {
  const writer = new ChunkWriter();
  return {
    write: (event) => {
      const chunk = event.type === 'error' ? writeError(event.error, '').body : writer.write(event);
      return chunk === undefined ? [] : [writeFrame(JSON.stringify(chunk))];
    },
    end: () => [writeFrame('[DONE]')],
  };
};

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

  /** The chunk of an event; undefined for what this format does not say. */
  write(event: Exclude<ChatEvent, { type: 'error' }>): Fields | undefined {
    switch (event.type) {
      case 'start':
        this.#head = writeHead(event, 'chat.completion.chunk');
        return this.#chunk(0, {}, { finish_reason: null });
      case 'usage':
        return { ...this.#head, choices: [], usage: writeUsageEvent(event) };
      case 'finish':
        return this.#chunk(event.choice, {}, writeFinish(event, this.#refused.has(event.choice)));
      case 'text-delta':
        return this.#chunk(
          event.choice,
          { content: event.text },
          { ...event.extras?.['openai-chat'], finish_reason: null },
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
        return this.#chunk(event.choice, { audio: writeAudio(event) });
      case 'opaque':
        return undefined;
      case 'image':
        return this.#chunk(event.choice, { images: [writeImage(event)] });
      case 'citation': {
        const citation = writeCitation(event);
        return citation === undefined ? undefined : this.#chunk(event.choice, { annotations: [citation] });
      }
      case 'tool-call-start': {
        const call = { index: this.#callIndex(event.choice, event.index), ...writeCallStart(event, '') };
        return this.#chunk(event.choice, { tool_calls: [call] });
      }
      case 'tool-call-delta': {
        const call = {
          index: this.#callIndex(event.choice, event.index),
          function: { arguments: event.argumentsText },
        };
        return this.#chunk(event.choice, { tool_calls: [call] });
      }
    }
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
