import type { ChatEvent } from '#core/chat/event.ts';
import type { Fields } from '#core/json/fields.ts';
import { writePlace } from '../../openai/citation-place.ts';
import { joinBase64 } from '../../openai/join-base64.ts';
import { writeLogprobs } from '../../openai/logprobs.ts';
import type { OpenItem, Place, StreamEvent } from './open-item.ts';

type Event<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;

interface TextPart {
  readonly type: 'output_text';
  readonly annotations: Fields[];
  readonly logprobs: unknown[];
  text: string;
}
interface RefusalPart {
  readonly type: 'refusal';
  refusal: string;
}
/**
 * For how many tokens and alternatives the last events repeat the log probabilities: about 20 MB of memory. Those
 * beyond were sent with their deltas only.
 */
const MOST_REPEATED_LOGPROBS = 100_000;

type Part = TextPart | RefusalPart;

/** A message: text and refusal parts, one after the other. */
export class OpenMessage implements OpenItem {
  readonly #place: Place;
  readonly #parts: Part[] = [];
  #loggedCount = 0;
  #sound = '';

  constructor(place: Place) {
    this.#place = place;
  }

  addText(event: Event<'text-delta'>): StreamEvent[] {
    const [part, begin] = this.#textPart();
    part.text += event.text;
    const logprobs = event.logprobs === undefined ? [] : writeLogprobs(event.logprobs);
    this.#loggedCount += event.logprobs?.reduce((sum, { top = [] }) => sum + 1 + top.length, 0) ?? 0;
    if (this.#loggedCount <= MOST_REPEATED_LOGPROBS) part.logprobs.push(...logprobs);
    else for (const { logprobs: kept } of this.#parts.filter(isText)) kept.length = 0;
    const delta = { type: 'response.output_text.delta', ...this.#at(), delta: event.text, logprobs };
    return [...begin, delta];
  }

  addCitation(annotation: Fields): StreamEvent[] {
    const [part, begin] = this.#textPart();
    // Clients refuse a citation without a place: one that is not known stands at the end so far.
    const end = { start_index: part.text.length, end_index: part.text.length };
    const placed = annotation['type'] === 'url_citation' ? { ...end, ...annotation } : annotation;
    const at = { ...this.#at(), annotation_index: part.annotations.push(placed) - 1 };
    return [...begin, { type: 'response.output_text.annotation.added', ...at, annotation: placed }];
  }

  addRefusal(delta: string): StreamEvent[] {
    const last = this.#parts.at(-1);
    const part: RefusalPart = last?.type === 'refusal' ? last : { type: 'refusal', refusal: '' };
    const begin = part === last ? [] : this.#begin(part);
    part.refusal += delta;
    return [...begin, { type: 'response.refusal.delta', ...this.#at(), delta }];
  }

  /**
   * Sound has events but no part of a message (openai-node, `ResponseOutputMessage`): programs that check the schema refuse
   * an answer with one. What is said becomes text, and the sound stands beside the parts, where they do not look.
   */
  addAudio({ data, transcript }: Event<'audio-delta'>): StreamEvent[] {
    if (data !== undefined) this.#sound = joinBase64(this.#sound, data);
    return [
      ...(data === undefined ? [] : [{ type: 'response.audio.delta', ...this.#place, delta: data }]),
      ...(transcript === undefined ? [] : this.addText({ type: 'text-delta', choice: 0, text: transcript })),
    ];
  }

  read(status: string): Fields {
    return {
      id: this.#place.item_id,
      type: 'message',
      status,
      content: status === 'in_progress' ? [] : this.#parts.map((part) => ({ ...part })),
      role: 'assistant',
      ...(status !== 'in_progress' && this.#sound !== '' && { audio: { data: this.#sound } }),
    };
  }

  close(): StreamEvent[] {
    return [...(this.#sound === '' ? [] : [{ type: 'response.audio.done' }]), ...this.#closePart()];
  }

  #textPart(): [TextPart, StreamEvent[]] {
    const last = this.#parts.at(-1);
    if (last?.type === 'output_text') return [last, []];
    const part: TextPart = { type: 'output_text', annotations: [], logprobs: [], text: '' };
    return [part, this.#begin(part)];
  }

  #begin(part: Part): StreamEvent[] {
    const closed = this.#closePart();
    this.#parts.push(part);
    // A copy: the part grows before its first event is serialized.
    const empty = part.type === 'output_text' ? { ...part, annotations: [], logprobs: [] } : { ...part };
    return [...closed, { type: 'response.content_part.added', ...this.#at(), part: empty }];
  }

  #closePart(): StreamEvent[] {
    const part = this.#parts.at(-1);
    if (part === undefined) return [];
    const at = this.#at();
    const done: StreamEvent = { type: 'response.content_part.done', ...at, part };
    switch (part.type) {
      case 'output_text':
        return [{ type: 'response.output_text.done', ...at, text: part.text, logprobs: part.logprobs }, done];
      case 'refusal':
        return [{ type: 'response.refusal.done', ...at, refusal: part.refusal }, done];
    }
  }

  #at(): Place & { readonly content_index: number } {
    return { ...this.#place, content_index: this.#parts.length - 1 };
  }
}

const isText = (part: Part): part is TextPart => part.type === 'output_text';

/** Writes a citation as an annotation; undefined for one without a URL that only another format can express. */
export const writeCitation = (event: Event<'citation'>): Fields | undefined => {
  const extras = event.extras?.['openai-responses'] ?? {};
  if (extras['type'] !== undefined) return extras;
  if (event.url === undefined) return undefined;
  return {
    ...writePlace(event),
    ...extras,
    type: 'url_citation',
    url: event.url,
    title: event.title ?? '',
  };
};
