import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { PLACE_FIELDS, readPlace } from '../../openai/citation-place.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields, wordOf } from '#core/json/fields.ts';
import { readLogprobs } from '../../openai/logprobs.ts';
import { readFailure, readFinishReason } from '../../openai/finish-reason.ts';
import { readMedia } from '../../openai/read-media.ts';
import { readThinking } from '../parts/read-parts.ts';
import { readDetailSeal } from '../parts/signature.ts';
import { CallsReader } from './read-calls.ts';

const KNOWN_IN_CHOICE = new Set(['index', 'delta', 'message', 'finish_reason', 'stop_reason', 'usage']);
const KNOWN_REASONS = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

/** Reads the pieces of one answer: a `delta` of a stream or a whole `message`, which have the same fields. */
export class ChoiceReader {
  readonly #choice: number;
  readonly #calls: CallsReader;
  /** Reasoning came as plain text, which `reasoning_details` only repeats. */
  #hasPlainReasoning = false;
  /** Signatures already written, because some upstreams repeat the whole list. */
  readonly #seals = new Set<string>();
  #hasContent = false;
  #textSoFar = '';
  #hasTextDeltas = false;
  #hasText = false;
  #hasRefused = false;

  /** @param nameCall makes an id for a call without one, unique in the response */
  constructor(choice: number, nameCall: (choice: number, index: number) => string) {
    this.#choice = choice;
    this.#calls = new CallsReader(choice, nameCall);
  }

  /** Whether anything of the answer was read. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  /**
   * The part of a `message` that no delta contained. A message usually has the whole text so far; if no delta ever has
   * text, it may also be the next piece.
   */
  restOf(delta: Fields, message: Fields, isEnd: boolean): Fields {
    const calls = isEnd && this.#calls.count === 0 && listOf(delta['tool_calls']).length === 0;
    const called = calls ? listOf(message['tool_calls']) : [];
    const { content } = message;
    this.#hasTextDeltas ||= textOf(delta['content']) !== undefined;
    const isMore = typeof content === 'string' && content.startsWith(this.#textSoFar);
    const isRepeated = this.#hasTextDeltas || (typeof content !== 'string' && this.#hasContent);
    const rest = isMore ? content.slice(this.#textSoFar.length) : isRepeated ? '' : (content ?? '');
    return {
      ...(textOf(delta['content']) === undefined && rest !== '' && { content: rest }),
      ...(called.length > 0 && { tool_calls: called }),
    };
  }

  read(choiceFields: Fields, piece: Fields): ChatEvent[] {
    const text = piece['content'] ?? choiceFields['text'];
    // Fast path: most pieces are only text.
    const events = isOnlyText(piece)
      ? this.#readContent(text)
      : [
          ...this.#readReasoning(piece),
          ...this.#readContent(text),
          // Citations refer to the text before them.
          ...this.#readCitations(piece['annotations']),
          ...this.#readRefusal(piece['refusal']),
          ...this.#readAudio(piece['audio']),
          ...this.#readImages(piece['images']),
          ...this.#calls.read(piece),
        ];
    this.#hasContent ||= events.length > 0;
    const finish = this.#readFinish(choiceFields);
    if (finish !== undefined) events.push(...this.#calls.end(), finish);
    return this.#withExtras(events, otherFields(choiceFields, KNOWN_IN_CHOICE));
  }

  #readRefusal(value: unknown): ChatEvent[] {
    const text = textOf(value);
    if (text === undefined) return [];
    this.#hasRefused = true;
    return [{ type: 'refusal-delta', choice: this.#choice, text }];
  }

  #readReasoning(piece: Fields): ChatEvent[] {
    const choice = this.#choice;
    const events: ChatEvent[] = [];
    const details = listOf(piece['reasoning_details']).filter(isFields);
    const plain = textOf(piece['reasoning_content']) ?? textOf(piece['reasoning']);
    this.#hasPlainReasoning ||= plain !== undefined;
    const add = (text: string | undefined): void => {
      if (text !== undefined) events.push({ type: 'reasoning-delta', choice, text });
    };
    // The details hold the same text in parts, each with its own signature.
    const isDivided = plain === undefined ? !this.#hasPlainReasoning : plain === details.map(textIn).join('');
    if (!isDivided) add(plain);
    for (const detail of details) {
      if (isDivided) add(textIn(detail));
      const signature = textOf(detail['signature']);
      const redacted = textOf(detail['data']);
      const seal = `${wordOf(detail['index'])} ${signature ?? redacted}`;
      if ((signature === undefined && redacted === undefined) || this.#seals.has(seal)) continue;
      if (detail['index'] !== undefined) this.#seals.add(seal);
      events.push({ type: 'reasoning-end', choice, ...readDetailSeal(detail) });
    }
    return events;
  }

  #readContent(content: unknown): ChatEvent[] {
    const choice = this.#choice;
    if (typeof content === 'string') {
      if (content === '') return [];
      this.#hasText = true;
      this.#textSoFar += content;
      return [{ type: 'text-delta', choice, text: content }];
    }
    // Cloudflare sends JSON answers as parsed JSON.
    if (isFields(content)) return [{ type: 'text-delta', choice, text: JSON.stringify(content) }];
    // Mistral's content is a list when it contains thinking or citations.
    return listOf(content)
      .filter(isFields)
      .flatMap((part): ChatEvent[] => {
        if (part['type'] === 'image_url') return this.#readImages([part]);
        if (part['type'] === 'refusal') return this.#readRefusal(part['refusal']);
        const text =
          part['type'] === 'thinking' ? readThinking(part['thinking']) : (textOf(part['text']) ?? '');
        if (text === '') return [];
        return [{ type: part['type'] === 'thinking' ? 'reasoning-delta' : 'text-delta', choice, text }];
      });
  }

  #readAudio(value: unknown): ChatEvent[] {
    if (!isFields(value)) return [];
    const { expires_at: expiresAt } = value;
    const [id, data, transcript] = [value['id'], value['data'], value['transcript']].map(textOf);
    // Some upstreams send every field, even without any audio.
    if (id === undefined && data === undefined && transcript === undefined) return [];
    return [
      {
        type: 'audio-delta',
        choice: this.#choice,
        ...(id !== undefined && { id }),
        ...(data !== undefined && { data }),
        ...(transcript !== undefined && { transcript }),
        ...(typeof expiresAt === 'number' && { expiresAt }),
      },
    ];
  }

  /** Images generated by the model, in OpenRouter's and similar fields. */
  #readImages(value: unknown): ChatEvent[] {
    return listOf(value).flatMap((item): ChatEvent[] => {
      const url = textOf(fieldsOf(fieldsOf(item)['image_url'])['url']);
      return url === undefined ? [] : [{ type: 'image', choice: this.#choice, media: readMedia(url) }];
    });
  }

  #readCitations(value: unknown): ChatEvent[] {
    return listOf(value)
      .filter(isFields)
      .map((annotation): ChatEvent => {
        const cited = fieldsOf(annotation['url_citation']);
        const url = textOf(cited['url']);
        const title = textOf(cited['title']);
        const others =
          annotation['type'] === 'url_citation'
            ? otherFields(cited, new Set(['url', 'title', ...PLACE_FIELDS]))
            : annotation;
        return {
          type: 'citation',
          choice: this.#choice,
          ...(url !== undefined && { url }),
          ...(title !== undefined && { title }),
          ...readPlace(cited),
          ...(others !== undefined && { extras: { 'openai-chat': others } }),
        };
      });
  }

  #readFinish(choiceFields: Fields): ChatEvent | undefined {
    const word = readFinishReason(choiceFields['finish_reason']);
    if (word === undefined) return undefined;
    const reason = word === 'stop' ? this.#kindOfStop() : word;
    const failure = word === 'other' ? readFailure(choiceFields) : undefined;
    if (failure !== undefined) return { type: 'error', error: failure };
    const wire = wordOf(choiceFields['finish_reason']);
    const stopSequence = textOf(choiceFields['stop_reason']);
    return {
      type: 'finish',
      choice: this.#choice,
      reason,
      ...(stopSequence !== undefined && { stopSequence }),
      ...(!KNOWN_REASONS.has(wire) && { extras: { 'openai-chat': { finish_reason: wire } } }),
    };
  }

  /** The finish reason behind `stop`, which also ends forced calls and refusals; other formats tell these apart. */
  #kindOfStop(): FinishReason {
    if (this.#calls.count > 0) return 'tool-calls';
    return this.#hasRefused && !this.#hasText ? 'refusal' : 'stop';
  }

  /** Attaches log probabilities and the like to the first text, or else to the end. */
  #withExtras(events: ChatEvent[], others: Fields | undefined): ChatEvent[] {
    if (others === undefined) return events;
    const at = events.findIndex((event) => event.type === 'text-delta' || event.type === 'finish');
    const event = events[at];
    if (event?.type !== 'text-delta' && event?.type !== 'finish') return events;
    const merged = { ...event, extras: { 'openai-chat': { ...event.extras?.['openai-chat'], ...others } } };
    const logprobs = readLogprobs(fieldsOf(others['logprobs'])['content']);
    const hasLogprobs = merged.type === 'text-delta' && logprobs.length > 0;
    return events.with(at, hasLogprobs ? { ...merged, logprobs } : merged);
  }
}

const textIn = (detail: Fields): string | undefined => textOf(detail['text'] ?? detail['summary']);

const isOnlyText = (piece: Fields): boolean => {
  for (const key in piece) if (key !== 'content' && key !== 'role' && piece[key] !== null) return false;
  return true;
};
