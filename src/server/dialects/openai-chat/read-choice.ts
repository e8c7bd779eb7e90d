import type { ChatEvent, FinishReason } from '#core/chat/event.ts';
import { PLACE_FIELDS, readPlace } from '../openai/citation-place.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '../openai/fields.ts';
import { FREE_TEXT_BEGINS, FREE_TEXT_ENDS, writeFreeText } from '../openai/free-text.ts';
import { readLogprobs } from '../openai/logprobs.ts';
import { readFailure, readFinishReason } from '../openai/finish-reason.ts';
import { readMedia } from './read-media.ts';
import { isCustom, readArguments, readCallSignature, readThinking } from './read-parts.ts';
import { readDetailSeal, readSealed } from './signature.ts';

const KNOWN_IN_CHOICE = new Set(['index', 'delta', 'message', 'finish_reason', 'stop_reason', 'usage']);
const KNOWN_REASONS = new Set(['stop', 'length', 'tool_calls', 'content_filter']);

/** The calls of one answer so far, by the position the upstream gave them. */
interface Call {
  readonly wireIndex: number;
  readonly id: string;
}

/**
 * Reads the pieces of one answer, whether a `delta` of a stream or a whole `message`: both have the same fields. Keeps
 * only what tells a new tool call from the rest of the last one.
 */
export class ChoiceReader {
  readonly #choice: number;
  /** Names a call whose upstream gives no id: another for each call of a reply. */
  readonly #nameCall: (choice: number, index: number) => string;
  readonly #calls: Call[] = [];
  /** Calls of tools that take free text, which are told as JSON with one text in it, and are not over yet. */
  readonly #freeTexts = new Set<number>();
  /** Thoughts come as plain text: what `reasoning_details` say of them is the same again. */
  #thinksAloud = false;
  /** Seals told already: some upstreams repeat the whole list. */
  readonly #seals = new Set<string>();
  #hasSpoken = false;
  /** Its text so far, and whether a delta said any of it. */
  #said = '';
  #isSaidByDeltas = false;
  #hasText = false;
  #hasRefused = false;

  constructor(choice: number, nameCall: (choice: number, index: number) => string) {
    this.#choice = choice;
    this.#nameCall = nameCall;
  }

  /** Something was said before. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  /**
   * What a message beside a delta says that no delta did. It holds all that was said so far, as a rule; where no delta
   * ever says anything, it may also be the next piece.
   */
  unsaid(delta: Fields, message: Fields, isEnd: boolean): Fields {
    const calls = isEnd && this.#calls.length === 0 && listOf(delta['tool_calls']).length === 0;
    const called = calls ? listOf(message['tool_calls']) : [];
    const { content } = message;
    this.#isSaidByDeltas ||= textOf(delta['content']) !== undefined;
    const isMore = typeof content === 'string' && content.startsWith(this.#said);
    const isTold = this.#isSaidByDeltas || (typeof content !== 'string' && this.#hasSpoken);
    const rest = isMore ? content.slice(this.#said.length) : isTold ? '' : (content ?? '');
    return {
      ...(textOf(delta['content']) === undefined && rest !== '' && { content: rest }),
      ...(called.length > 0 && { tool_calls: called }),
    };
  }

  read(choiceFields: Fields, piece: Fields): ChatEvent[] {
    const text = piece['content'] ?? choiceFields['text'];
    // Most pieces are a little text and nothing else.
    const events = isTextAlone(piece)
      ? this.#readContent(text)
      : [
          ...this.#readReasoning(piece),
          ...this.#readContent(text),
          // They are of the text before them.
          ...this.#readCitations(piece['annotations']),
          ...this.#readRefusal(piece['refusal']),
          ...this.#readAudio(piece['audio']),
          ...this.#readImages(piece['images']),
          ...this.#readCalls(piece),
        ];
    this.#hasSpoken ||= events.length > 0;
    const finish = this.#readFinish(choiceFields);
    if (finish !== undefined) events.push(...this.#endFreeTexts(), finish);
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
    this.#thinksAloud ||= plain !== undefined;
    const text = plain ?? (this.#thinksAloud ? undefined : textOf(textIn(details)));
    if (text !== undefined) events.push({ type: 'reasoning-delta', choice, text });
    for (const detail of details) {
      const signature = textOf(detail['signature']);
      const redacted = textOf(detail['data']);
      const seal = `${String(detail['index'])} ${signature ?? redacted}`;
      if ((signature === undefined && redacted === undefined) || this.#seals.has(seal)) continue;
      if (detail['index'] !== undefined) this.#seals.add(seal);
      events.push({
        type: 'reasoning-end',
        choice,
        ...readDetailSeal(detail),
      });
    }
    return events;
  }

  #readContent(content: unknown): ChatEvent[] {
    const choice = this.#choice;
    if (typeof content === 'string') {
      if (content === '') return [];
      this.#hasText = true;
      this.#said += content;
      return [{ type: 'text-delta', choice, text: content }];
    }
    // Cloudflare gives JSON it was asked for as what the JSON says.
    if (isFields(content)) return [{ type: 'text-delta', choice, text: JSON.stringify(content) }];
    // Mistral's content is a list when it thinks or quotes.
    return listOf(content)
      .filter(isFields)
      .flatMap((part): ChatEvent[] => {
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
    // Some fill in every field there is, also of a sound that nobody made.
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

  /** Pictures a model drew, where OpenRouter and its like put them. */
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

  #readCalls(piece: Fields): ChatEvent[] {
    const calls = listOf(piece['tool_calls']).filter(isFields);
    // The form before tools: one call, without an id.
    if (calls.length === 0 && isFields(piece['function_call']))
      return this.#readCall({ index: 0, function: piece['function_call'] }, 0);
    return calls.flatMap((call, position) => this.#readCall(call, position));
  }

  #readCall(call: Fields, position: number): ChatEvent[] {
    const choice = this.#choice;
    const isFreeText = isCustom(call);
    const called = fieldsOf(isFreeText ? call['custom'] : call['function']);
    const id = textOf(call['id']);
    const name = textOf(called['name']);
    const wireIndex =
      typeof call['index'] === 'number' ? call['index'] : this.#indexOf(id ?? name, id, position);
    const events: ChatEvent[] = [];
    const current = this.#calls.findLastIndex((known) => known.wireIndex === wireIndex);
    // Some fill in every field there is, also of a call that nobody made.
    const isNothing = id === undefined && name === undefined && !isFreeText;
    if (current === -1 && isNothing && readArguments(called['arguments']) === '') return [];
    // Some number every call 0: another id with a name is another call.
    const isNew =
      current === -1 || (id !== undefined && name !== undefined && this.#calls[current]?.id !== id);
    const index = isNew ? this.#calls.push({ wireIndex, id: id ?? '' }) - 1 : current;
    if (isNew) {
      events.push({
        type: 'tool-call-start',
        choice,
        index,
        id: id ?? this.#nameCall(choice, index),
        name: name ?? '',
        ...readSealed(readCallSignature(call)),
        ...(isFreeText && { isFreeText }),
      });
    }
    const argumentsText = isFreeText
      ? this.#readFreeText(index, called['input'])
      : readArguments(called['arguments']);
    if (argumentsText !== '') events.push({ type: 'tool-call-delta', choice, index, argumentsText });
    return events;
  }

  /** A piece of the text such a call is made with, as a piece of `{"input":"…"}`. */
  #readFreeText(index: number, value: unknown): string {
    const begins = this.#freeTexts.has(index) ? '' : FREE_TEXT_BEGINS;
    this.#freeTexts.add(index);
    return begins + (typeof value === 'string' ? writeFreeText(value) : '');
  }

  #endFreeTexts(): ChatEvent[] {
    const events = [...this.#freeTexts].map((index): ChatEvent => ({
      type: 'tool-call-delta',
      choice: this.#choice,
      index,
      argumentsText: FREE_TEXT_ENDS,
    }));
    this.#freeTexts.clear();
    return events;
  }

  /** The position of a call whose upstream gives none. A piece without a name belongs to the last one. */
  #indexOf(named: string | undefined, id: string | undefined, position: number): number {
    if (named === undefined) return this.#calls.at(-1)?.wireIndex ?? position;
    const known = id === undefined ? undefined : this.#calls.find((call) => call.id === id);
    return known?.wireIndex ?? this.#calls.length;
  }

  #readFinish(choiceFields: Fields): ChatEvent | undefined {
    const word = readFinishReason(choiceFields['finish_reason']);
    if (word === undefined) return undefined;
    const reason = word === 'stop' ? this.#kindOfStop() : word;
    const failure = word === 'other' ? readFailure(choiceFields) : undefined;
    if (failure !== undefined) return { type: 'error', error: failure };
    const wire = String(choiceFields['finish_reason']);
    const stopSequence = textOf(choiceFields['stop_reason']);
    return {
      type: 'finish',
      choice: this.#choice,
      reason,
      ...(stopSequence !== undefined && { stopSequence }),
      ...(!KNOWN_REASONS.has(wire) && { extras: { 'openai-chat': { finish_reason: wire } } }),
    };
  }

  /** `stop` is also said of a call that was asked for by name, and of a refusal in words: other formats tell those apart. */
  #kindOfStop(): FinishReason {
    if (this.#calls.length > 0) return 'tool-calls';
    return this.#hasRefused && !this.#hasText ? 'refusal' : 'stop';
  }

  /** Log probabilities and the like go with the first text, or with the end where there is none. */
  #withExtras(events: ChatEvent[], others: Fields | undefined): ChatEvent[] {
    if (others === undefined) return events;
    const at = events.findIndex((event) => event.type === 'text-delta' || event.type === 'finish');
    const event = events[at];
    if (event?.type !== 'text-delta' && event?.type !== 'finish') return events;
    const merged = { ...event, extras: { 'openai-chat': { ...event.extras?.['openai-chat'], ...others } } };
    const logprobs = readLogprobs(fieldsOf(others['logprobs'])['content']);
    const isTold = merged.type === 'text-delta' && logprobs.length > 0;
    return events.with(at, isTold ? { ...merged, logprobs } : merged);
  }
}

const textIn = (details: readonly Fields[]): string =>
  details.map((detail) => textOf(detail['text'] ?? detail['summary']) ?? '').join('');

const isTextAlone = (piece: Fields): boolean => {
  for (const key in piece) if (key !== 'content' && key !== 'role' && piece[key] !== null) return false;
  return true;
};
