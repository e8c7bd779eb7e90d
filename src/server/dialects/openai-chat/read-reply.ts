import type { ChatEvent } from '#core/chat/event.ts';
import type { StreamReader } from '../dialect.ts';
import { holdsError, readErrorInside } from '../openai/error.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '../openai/fields.ts';
import { isPlainDone } from '../openai/plain-done.ts';
import { findUsage } from '../openai/usage.ts';
import { ChoiceReader } from './read-choice.ts';
import { KNOWN_IN_USAGE } from './write-reply.ts';

const KNOWN_AT_TOP = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'x_groq', 'error']);

/** A whole reply as events. */
export const readWhole = (body: unknown): ChatEvent[] => {
  const reader = new ReplyReader();
  return isFields(body) ? reader.read(body) : [];
};

/** A stream as events, up to its end mark. */
export const openReader = (): StreamReader => {
  const reader = new ReplyReader();
  let isOver = false;
  return {
    read: ({ data, event }) => {
      isOver ||= isPlainDone(data);
      if (isOver || data.length === 0) return [];
      const text = data.toString();
      const body = parse(text);
      if (body !== undefined) return reader.read(body, event === 'error');
      return event === 'error' ? [{ type: 'error', error: readErrorInside(text) }] : [];
    },
    end: () => [],
  };
};

/** Reads the bodies of one reply in order: the only one of a whole reply, or every chunk of a stream. */
class ReplyReader {
  #started = false;
  readonly #choices = new Map<number, ChoiceReader>();

  read(body: Fields, isError = false): ChatEvent[] {
    const events: ChatEvent[] = this.#started ? [] : [readStart(body)];
    this.#started = true;
    for (const [position, choice] of listOf(body['choices']).entries()) {
      if (!isFields(choice)) continue;
      const index = typeof choice['index'] === 'number' ? choice['index'] : position;
      let reader = this.#choices.get(index);
      if (reader === undefined) this.#choices.set(index, (reader = new ChoiceReader(index)));
      events.push(...reader.read(choice, fieldsOf(choice['delta'] ?? choice['message'])));
    }
    const usage = findUsage(body);
    if (usage !== undefined) {
      const others = otherFields(fieldsOf(body['usage']), KNOWN_IN_USAGE);
      events.push({
        type: 'usage',
        usage,
        ...(others !== undefined && { extras: { 'openai-chat': others } }),
      });
    }
    // An error may come with the last words and what they cost.
    if (isError || holdsError(body)) events.push({ type: 'error', error: readErrorInside(body) });
    return events;
  }
}

const readStart = (body: Fields): ChatEvent => {
  const created = body['created'];
  const others = otherFields(body, KNOWN_AT_TOP);
  return {
    type: 'start',
    id: textOf(body['id']) ?? '',
    model: textOf(body['model']) ?? '',
    ...(typeof created === 'number' && created > 0 && { createdAtMs: Math.trunc(created * 1000) }),
    ...(others !== undefined && { extras: { 'openai-chat': others } }),
  };
};

const parse = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
