import type { ChatEvent } from '#core/chat/event.ts';
import type { StreamReader } from '../../dialect.ts';
import { createdAt } from '../../openai/created-at.ts';
import { holdsError, readErrorInside } from '../../openai/error.ts';
import {
  type Fields,
  fieldsOf,
  isFields,
  listOf,
  otherFields,
  parsedFields,
  textOf,
} from '#core/json/fields.ts';
import { isPlainDone } from '../../openai/plain-done.ts';
import { findUsage } from '../../openai/usage/usage.ts';
import { ChoiceReader } from './read-choice.ts';
import { Pages } from './read-pages.ts';
import { KNOWN_IN_USAGE } from './write-reply.ts';

const KNOWN_AT_TOP = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'x_groq', 'error']);

/** Reads a whole reply as events. */
export const readWhole = (body: unknown): ChatEvent[] => {
  const reader = new ReplyReader('whole');
  return isFields(body) ? reader.read(body) : [];
};

/** Reads a stream as events, up to its end mark. */
export const openReader = (): StreamReader => {
  const reader = new ReplyReader('stream');
  let isOver = false;
  return {
    read: ({ data, event }) => {
      isOver ||= isPlainDone(data);
      if (isOver || data.length === 0) return [];
      const text = data.toString();
      const body = parsedFields(text);
      if (body !== undefined) return reader.read(body, event === 'error');
      return event === 'error' ? [{ type: 'error', error: readErrorInside(text) }] : [];
    },
    end: () => [],
    hasUniformDeltas: true,
  };
};

/** Reads the bodies of one response in order: a single one, or every chunk of a stream. */
class ReplyReader {
  readonly #kind: 'whole' | 'stream';
  #started = false;
  /** Results on the prompt that Azure sends before the answer's id. */
  #before: Fields = {};
  #name = '';
  readonly #choices = new Map<number, ChoiceReader>();
  readonly #pages = new Pages();

  constructor(kind: 'whole' | 'stream') {
    this.#kind = kind;
  }

  /**
   * The new piece of a choice: `message` in a whole response, `delta` in a stream. If both are there, the other is
   * empty or repeats everything so far, possibly with text that no delta had. A whole response in place of a stream has
   * all of it at once.
   */
  #pieceOf(choice: Fields, reader: ChoiceReader): Fields {
    const [delta, message] = [fieldsOf(choice['delta']), fieldsOf(choice['message'])];
    if (this.#kind === 'whole') return { ...delta, ...withoutNothing(message) };
    if (!isFields(choice['delta'])) return message;
    if (!isFields(choice['message'])) return delta;
    const isEnd = textOf(choice['finish_reason']) !== undefined;
    if (isEnd && !reader.hasContent) return { ...message, ...withoutNothing(delta) };
    return { ...delta, ...reader.restOf(delta, message, isEnd) };
  }

  read(body: Fields, isError = false): ChatEvent[] {
    if (!this.#started && !isError && isNameless(body)) {
      this.#before = { ...this.#before, ...otherFields(body, KNOWN_AT_TOP) };
      return [];
    }
    const events: ChatEvent[] = this.#started ? [] : [readStart({ ...this.#before, ...body })];
    this.#started = true;
    this.#name ||= (textOf(body['id']) ?? JSON.stringify(body['created'] ?? ''))
      .replaceAll(/[^\w-]/g, '')
      .slice(-24);
    for (const [position, choice] of listOf(body['choices']).entries()) {
      if (!isFields(choice)) continue;
      const index = typeof choice['index'] === 'number' ? choice['index'] : position;
      let reader = this.#choices.get(index);
      if (reader === undefined) this.#choices.set(index, (reader = new ChoiceReader(index, this.#nameCall)));
      events.push(...reader.read(choice, this.#pieceOf(choice, reader)));
    }
    this.#pages.note(body);
    const all = this.#pages.beside(events);
    const usage = findUsage(body);
    if (usage !== undefined) {
      const others = otherFields(fieldsOf(body['usage']), KNOWN_IN_USAGE);
      all.push({
        type: 'usage',
        usage,
        ...(others !== undefined && { extras: { 'openai-chat': others } }),
      });
    }
    // An error may come with the last text and its usage. It says more than the finish reason beside it.
    if (!isError && !holdsError(body)) return all;
    return [...all.filter(({ type }) => type !== 'error'), { type: 'error', error: readErrorInside(body) }];
  }

  readonly #nameCall = (choice: number, index: number): string =>
    `call_${this.#name}_${choice === 0 ? '' : `${choice}_`}${index}`;
}

const withoutNothing = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isNothing(value)));

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A chunk without an id and without any part of the answer. */
const isNameless = (body: Fields): boolean =>
  textOf(body['id']) === undefined &&
  textOf(body['model']) === undefined &&
  listOf(body['choices']).length === 0 &&
  findUsage(body) === undefined &&
  !holdsError(body);

const readStart = (body: Fields): ChatEvent => {
  const others = otherFields(body, KNOWN_AT_TOP);
  return {
    type: 'start',
    id: textOf(body['id']) ?? '',
    model: textOf(body['model']) ?? '',
    ...createdAt(body['created']),
    ...(others !== undefined && { extras: { 'openai-chat': others } }),
  };
};
