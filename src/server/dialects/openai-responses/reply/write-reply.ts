import type { ChatEvent } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { fieldsOf, textOf, type Fields } from '#core/json/fields.ts';
import { writeError } from '../../openai/write-error.ts';
import { NO_TOOLS } from '../../openai/tools/free-text.ts';
import { OpenCustomCall } from './open-custom-call.ts';
import { type OpenItem, OpenCall, type Place, type StreamEvent, OpenReasoning } from './open-item.ts';
import { OpenMessage, writeCitation } from './open-message.ts';
import { endStatus, failureCode, writeIncomplete } from './reply-end.ts';
import { type Begun, noStart, writeHead } from './response-head.ts';
import { writeSealed } from '../parts/sealed.ts';
import { writeUsage } from '../usage.ts';

type Event<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** The last event repeats the whole answer, so it is buffered, up to this many characters. */
const MAX_BUFFERED_CHARACTERS = 32 * 1024 * 1024;

/**
 * Writes chat events as numbered events of this format: each item is added, finished and repeated whole. Only the first of
 * several choices is written.
 */
export class ReplyWriter {
  #head: Fields | undefined;
  #number = 0;
  /** All items so far, in order; finished ones are plain fields. */
  readonly #items: (Fields | OpenItem)[] = [];
  #message: OpenMessage | undefined;
  #reasoning: OpenReasoning | undefined;
  readonly #calls = new Map<number, OpenCall | OpenCustomCall>();
  readonly #freeTextTools: ReadonlySet<string>;
  readonly #echo: Fields;
  #finish: Event<'finish'> | undefined;
  #usage: Fields | null = null;
  #hasRefused = false;
  #bufferedCharacters = 0;

  /**
   * @param freeTextTools names of the caller's tools that take text instead of JSON
   * @param echo request fields that the response repeats
   */
  constructor(freeTextTools: ReadonlySet<string> = NO_TOOLS, echo: Fields = {}, begun?: Begun) {
    this.#head = begun?.head;
    this.#number = begun?.number ?? 0;
    if (begun?.items !== undefined) this.#items.push(...begun.items);
    this.#freeTextTools = freeTextTools;
    this.#echo = echo;
  }

  /** Writes one chat event. Throws if the answer is too long to repeat. */
  write(event: Exclude<ChatEvent, { type: 'error' }>): Fields[] {
    if (event.type === 'start') return this.#begin(event);
    if (event.type === 'usage') {
      this.#usage = { ...event.extras?.['openai-responses'], ...writeUsage(event.usage) };
      return [];
    }
    if (event.choice !== 0) return [];
    return [...this.#begin(noStart), ...this.#numbered(this.#writeContent(event))];
  }

  /** Writes the last events: open items are finished, and the whole response is repeated. */
  end(): Fields[] {
    const begin = this.#begin(noStart);
    const closed = this.#numbered([...this.#closeOutput(), ...this.#closeCalls()]);
    const status = endStatus(this.#finish);
    return [...begin, ...closed, ...this.#numbered([{ type: `response.${status}`, response: this.read() }])];
  }

  /** Writes an error as an event, which OpenAI's own clients raise, and as the end of the response, which others read. */
  fail(error: AppError, requestId = ''): Fields[] {
    const begin = this.#begin(noStart);
    const inner = fieldsOf(fieldsOf(writeError(error, requestId).body)['error']);
    const { code, message, param } = inner;
    const response = { ...this.read('failed'), error: { code: failureCode(error), message } };
    return [
      ...begin,
      ...this.#numbered([
        // `error` holds what OpenAI's clients raise; the other fields are as documented.
        { type: 'error', code, message, param, error: inner },
        { type: 'response.failed', response },
      ]),
    ];
  }

  /** The whole response so far. */
  read(status: Status = endStatus(this.#finish)): Fields {
    const ended = status === 'in_progress' ? 'in_progress' : 'incomplete';
    return {
      ...(this.#head ?? writeHead(noStart)),
      status,
      error: null,
      incomplete_details: status === 'incomplete' ? writeIncomplete(this.#finish) : null,
      output: this.#items.map((item) => (isOpen(item) ? item.read(ended) : item)),
      usage: this.#usage,
    };
  }

  #begin(start: Event<'start'>): Fields[] {
    if (this.#head !== undefined) return [];
    this.#head = writeHead(start, this.#echo);
    const response = this.read('in_progress');
    return this.#numbered([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ]);
  }

  #writeContent(event: Exclude<ChatEvent, { type: 'start' | 'usage' | 'error' }>): StreamEvent[] {
    switch (event.type) {
      case 'text-delta':
        this.#countBuffered(event.text);
        return [
          ...(event.begins === true ? this.#closeMessage() : NOTHING),
          ...this.#inMessage((message) => message.addText(event)),
        ];
      case 'refusal-delta':
        this.#countBuffered(event.text);
        this.#hasRefused = true;
        return this.#inMessage((message) => message.addRefusal(event.text));
      case 'audio-delta':
        this.#countBuffered(event.data ?? '');
        return this.#inMessage((message) => message.addAudio(event));
      case 'citation':
        return this.#cite(writeCitation(event));
      case 'reasoning-delta':
        this.#countBuffered(event.text);
        return this.#inReasoning((reasoning) => reasoning.add(event.text));
      case 'reasoning-end': {
        const sealed = this.#inReasoning((reasoning) => {
          reasoning.seal(writeSealed(event));
          return [];
        });
        return [...sealed, ...this.#closeReasoning()];
      }
      case 'tool-call-start':
        return this.#startCall(event);
      case 'tool-call-delta':
        this.#countBuffered(event.argumentsText);
        return this.#calls.get(event.index)?.add(event.argumentsText) ?? [];
      case 'finish':
        return this.#writeFinish(event);
      case 'image':
        return this.#writeImage(event);
      case 'opaque': {
        const item = event.extras['openai-responses'];
        return item === undefined ? [] : this.#writeItem(item);
      }
    }
  }

  /** A refusal without refusal text is written as a filtered answer, with the explanation as its refusal. */
  #writeFinish(event: Event<'finish'>): StreamEvent[] {
    const isFiltered = !this.#hasRefused && (event.reason === 'refusal' || event.reason === 'content-filter');
    this.#finish = isFiltered ? { ...event, reason: 'content-filter' } : event;
    const { explanation } = event;
    return isFiltered && explanation !== undefined
      ? this.#inMessage((message) => message.addRefusal(explanation))
      : [];
  }

  #cite(annotation: Fields | undefined): StreamEvent[] {
    return annotation === undefined ? [] : this.#inMessage((message) => message.addCitation(annotation));
  }

  #inMessage(add: (message: OpenMessage) => StreamEvent[]): StreamEvent[] {
    if (this.#message !== undefined) return add(this.#message);
    const closed = this.#closeReasoning();
    const place = this.#nextPlace('msg');
    const message = new OpenMessage(place);
    this.#message = message;
    return [...closed, ...this.#open(message, place), ...add(message)];
  }

  #inReasoning(add: (reasoning: OpenReasoning) => StreamEvent[]): StreamEvent[] {
    if (this.#reasoning !== undefined) return add(this.#reasoning);
    const closed = this.#closeMessage();
    const place = this.#nextPlace('rs');
    const reasoning = new OpenReasoning(place);
    this.#reasoning = reasoning;
    return [...closed, ...this.#open(reasoning, place), ...add(reasoning)];
  }

  #startCall(event: Event<'tool-call-start'>): StreamEvent[] {
    const events = this.#closeOutput();
    if (event.signature !== undefined) {
      // Calls have no field for a signature, so it goes into a reasoning item before the call.
      const { signature: callSignature, signatureFrom } = event;
      const seal = writeSealed({ callSignature, ...(signatureFrom !== undefined && { signatureFrom }) });
      events.push(
        ...this.#inReasoning((reasoning) => {
          reasoning.seal(seal);
          return [];
        }),
        ...this.#closeReasoning(),
      );
    }
    const isFreeText = event.isFreeText === true || this.#freeTextTools.has(event.name);
    const place = this.#nextPlace(isFreeText ? 'ctc' : 'fc');
    const Call = isFreeText ? OpenCustomCall : OpenCall;
    const call = new Call(place, event.id, event.name);
    this.#calls.set(event.index, call);
    return [...events, ...this.#open(call, place)];
  }

  #writeImage(event: Event<'image'>): StreamEvent[] {
    const { media } = event;
    if (media.from !== 'base64') {
      // Generated images are always bytes in this format, so the address is written as text.
      const address = media.from === 'url' ? media.url : media.fileId;
      return this.#inMessage((message) =>
        message.addText({ type: 'text-delta', choice: 0, text: `![image](${address})` }),
      );
    }
    this.#countBuffered(media.data);
    const { item_id: id } = this.#nextPlace('ig');
    const output_format = media.mediaType.replace(/^image\//, '');
    return this.#writeItem({
      id,
      type: 'image_generation_call',
      status: 'completed',
      output_format,
      result: media.data,
    });
  }

  /** Writes an item that comes whole: added and finished. */
  #writeItem(item: Fields): StreamEvent[] {
    const closed = this.#closeOutput();
    const output_index = this.#items.push(item) - 1;
    return [
      ...closed,
      {
        type: 'response.output_item.added',
        output_index,
        item: { ...item, status: 'in_progress', result: null },
      },
      { type: 'response.output_item.done', output_index, item },
    ];
  }

  #open(item: OpenItem, { output_index }: Place): StreamEvent[] {
    this.#items.push(item);
    return [{ type: 'response.output_item.added', output_index, item: item.read('in_progress') }];
  }

  #close(item: OpenItem): StreamEvent[] {
    const output_index = this.#items.indexOf(item);
    const status = endStatus(this.#finish);
    const [events, fields] = [item.close(status), item.read(status)];
    this.#items[output_index] = fields;
    return [...events, { type: 'response.output_item.done', output_index, item: fields }];
  }

  #closeOutput(): StreamEvent[] {
    return [...this.#closeReasoning(), ...this.#closeMessage()];
  }

  #closeReasoning(): StreamEvent[] {
    const reasoning = this.#reasoning;
    this.#reasoning = undefined;
    if (reasoning === undefined) return [];
    if (!reasoning.isSealed) reasoning.seal(writeSealed({}));
    return this.#close(reasoning);
  }

  #closeMessage(): StreamEvent[] {
    const message = this.#message;
    this.#message = undefined;
    return message === undefined ? [] : this.#close(message);
  }

  /** Finishes the calls. They stay open until the end because upstreams may interleave several. */
  #closeCalls(): StreamEvent[] {
    const events = [...this.#calls.values()].flatMap((call) => this.#close(call));
    this.#calls.clear();
    return events;
  }

  #nextPlace(kind: 'msg' | 'rs' | 'fc' | 'ctc' | 'ig'): Place {
    const output_index = this.#items.length;
    const own = (textOf(this.#head?.['id']) ?? '').replace(/^[a-z]+[_-]/, '');
    return { item_id: `${kind}_${own}_${output_index}`, output_index };
  }

  #numbered(events: readonly StreamEvent[]): Fields[] {
    return events.map(({ type, ...rest }) => ({ type, sequence_number: this.#number++, ...rest }));
  }

  #countBuffered(text: string): void {
    this.#bufferedCharacters += text.length;
    if (this.#bufferedCharacters > MAX_BUFFERED_CHARACTERS)
      throw new AppError('upstream_failed', 'the answer is too long for the Responses format');
  }
}

const NOTHING: readonly StreamEvent[] = [];

const isOpen = (item: Fields | OpenItem): item is OpenItem =>
  'read' in item && typeof item.read === 'function';
