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
  wordOf,
} from '#core/json/fields.ts';
import { FREE_TEXT_BEGINS, writeFreeText } from '../../openai/tools/free-text.ts';
import { isPlainDone } from '../../openai/plain-done.ts';
import { readUsage } from '../../openai/usage/usage.ts';
import {
  newProgress,
  readCitation,
  readItemEnd,
  readItemStart,
  readText,
  type ItemProgress,
} from './read-output.ts';
import { ownExtras } from '../parts/read-parts.ts';
import { keptDetails, outputOf, readReplyEnd } from './reply-end.ts';
import { isDefault } from './response-head.ts';
import { isFailed } from '../tap.ts';
import { KNOWN_IN_USAGE } from '../usage.ts';

const KNOWN_AT_TOP = new Set([
  'id',
  'object',
  'created_at',
  'completed_at',
  'model',
  'status',
  'output',
  'output_text',
  'usage',
  'error',
  'incomplete_details',
]);

type TextDelta = Extract<ChatEvent, { type: 'text-delta' }>;

/** The place of parts that come whole, after all places of parts that come as deltas. */
const WHOLE_PARTS = 2 ** 40;

/** Reads a whole reply as events. */
export const readWhole = (body: unknown): ChatEvent[] => {
  if (!isFields(body)) return [];
  const reader = new ReplyReader();
  return [...reader.readStart(body), ...reader.readEnd(body)];
};

/** Reads a stream as events, up to its last. */
export const openReader = (): StreamReader => {
  const reader = new ReplyReader();
  return {
    read: ({ data, event }) => {
      reader.ended ||= isPlainDone(data);
      if (reader.ended || data.length === 0) return [];
      const text = data.toString();
      const body = parsedFields(text);
      if (body !== undefined) return reader.read(body, event);
      return event === 'error' ? [{ type: 'error', error: readErrorInside(text) }] : [];
    },
    end: () => [],
  };
};

/** Reads the events of one response in order. */
class ReplyReader {
  ended = false;
  #started = false;
  readonly #progress = new Map<number, ItemProgress>();
  /** The place of the last text part; -1 before the first. */
  #lastPart = -1;
  #parts = 0;
  /** The last reasoning summary; the next one begins a paragraph. */
  #summary: string | undefined;

  read(body: Fields, event: string): ChatEvent[] {
    const index = typeof body['output_index'] === 'number' ? body['output_index'] : 0;
    switch (textOf(body['type']) ?? event) {
      case 'response.created':
      case 'response.queued':
      case 'response.in_progress':
        return this.readStart(fieldsOf(body['response']));
      case 'response.output_item.added':
        return readItemStart(fieldsOf(body['item']), index, this.#progressOf(index));
      case 'response.output_item.done':
        return this.#readDone(fieldsOf(body['item']), index);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
        return [...this.readStart(fieldsOf(body['response'])), ...this.readEnd(fieldsOf(body['response']))];
      case 'error':
        return this.#readError(body);
      default:
        return this.#readPiece(body, textOf(body['type']) ?? event, index);
    }
  }

  readStart(response: Fields): ChatEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const others = Object.entries(otherFields(response, KNOWN_AT_TOP) ?? {}).filter(
      ([key, value]) => !isDefault(key, value),
    );
    return [
      {
        type: 'start',
        id: textOf(response['id']) ?? '',
        model: textOf(response['model']) ?? '',
        ...createdAt(response['created_at']),
        ...ownExtras(others.length === 0 ? undefined : Object.fromEntries(others)),
      },
    ];
  }

  /** Reads the finished response: items not read before, finish reason, usage. */
  readEnd(response: Fields): ChatEvent[] {
    this.ended = true;
    const events: ChatEvent[] = [];
    const items = this.#progress.size === 0 ? outputOf(response) : listOf(response['output']);
    for (const [index, item] of items.entries()) {
      if (isFields(item) && !this.#progressOf(index).closed) events.push(...this.#readDone(item, index));
    }
    const failed = isFailed(response);
    const reason = failed ? undefined : readReplyEnd(response);
    if (reason !== undefined) {
      events.push({
        type: 'finish',
        choice: 0,
        reason,
        ...ownExtras(keptDetails(response)),
      });
    }
    const usage = readUsage(response['usage']);
    if (usage !== undefined) {
      const others = otherFields(fieldsOf(response['usage']), KNOWN_IN_USAGE);
      events.push({ type: 'usage', usage, ...ownExtras(others) });
    }
    if (failed) events.push({ type: 'error', error: readErrorInside(response) });
    return events;
  }

  #readDone(item: Fields, index: number): ChatEvent[] {
    const progress = this.#progressOf(index);
    progress.closed = true;
    this.#summary = undefined;
    // Text that did not come as deltas is a part of its own.
    return readItemEnd(item, index, progress).map((event) =>
      event.type === 'text-delta' ? this.#statement(event, WHOLE_PARTS + this.#parts++) : event,
    );
  }

  #readError(body: Fields): ChatEvent[] {
    this.ended = true;
    return [{ type: 'error', error: readErrorInside(body) }];
  }

  #readPiece(body: Fields, type: string, index: number): ChatEvent[] {
    const progress = this.#progressOf(index);
    const delta = textOf(body['delta']);
    switch (type) {
      case 'response.output_text.annotation.added':
        progress.citations = true;
        return [readCitation(fieldsOf(body['annotation']))];
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
      case 'response.audio.delta':
      case 'response.audio.transcript.delta':
        if (delta === undefined) return [];
        return this.#readDelta(body, type, delta, index, progress);
      default:
        return type.startsWith('response.') || !holdsError(body) ? [] : this.#readError(body);
    }
  }

  #readDelta(body: Fields, type: string, delta: string, index: number, progress: ItemProgress): ChatEvent[] {
    const choice = 0;
    const isFirst = !progress.deltas;
    progress.deltas = true;
    switch (type) {
      case 'response.output_text.delta':
        return [this.#statement(readText(delta, body['logprobs']), index * 1024 + contentIndex(body))];
      case 'response.refusal.delta':
        return [{ type: 'refusal-delta', choice, text: delta }];
      case 'response.reasoning_text.delta':
        return [{ type: 'reasoning-delta', choice, text: delta }];
      case 'response.reasoning_summary_text.delta': {
        const summary = `${index}.${wordOf(body['summary_index'])}`;
        const isNext = this.#summary !== undefined && this.#summary !== summary;
        this.#summary = summary;
        return [{ type: 'reasoning-delta', choice, text: isNext ? `\n\n${delta}` : delta }];
      }
      case 'response.custom_tool_call_input.delta': {
        const argumentsText = (isFirst ? FREE_TEXT_BEGINS : '') + writeFreeText(delta);
        return [{ type: 'tool-call-delta', choice, index, argumentsText }];
      }
      case 'response.audio.delta':
        return [{ type: 'audio-delta', choice, data: delta }];
      case 'response.audio.transcript.delta':
        return [{ type: 'audio-delta', choice, transcript: delta }];
      default:
        return [{ type: 'tool-call-delta', choice, index, argumentsText: delta }];
    }
  }

  /** Marks text in another message or part than before as the beginning of a statement. */
  #statement(event: TextDelta, place: number): ChatEvent {
    const begins = this.#lastPart !== -1 && this.#lastPart !== place;
    this.#lastPart = place;
    return begins ? { ...event, begins } : event;
  }

  #progressOf(index: number): ItemProgress {
    let progress = this.#progress.get(index);
    if (progress === undefined) this.#progress.set(index, (progress = newProgress()));
    return progress;
  }
}

const contentIndex = ({ content_index: index }: Fields): number => (typeof index === 'number' ? index : 0);
