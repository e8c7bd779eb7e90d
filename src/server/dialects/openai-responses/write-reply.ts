import type { ChatEvent } from '#core/chat/event.ts';
import { AppError } from '#core/error.ts';
import { fieldsOf, textOf, type Fields } from '../openai/fields.ts';
import { writeError } from '../openai/write-error.ts';
import { NO_TOOLS } from '../openai/free-text.ts';
import { OpenCustomCall } from './open-custom-call.ts';
import { type OpenItem, OpenCall, type Place, type Said, OpenThought } from './open-item.ts';
import { OpenMessage } from './open-message.ts';
import { endStatus, writeIncomplete } from './reply-end.ts';
import { type Begun, noStart, writeHead } from './response-head.ts';
import { writeSealed } from './sealed.ts';
import { writeCitation } from './write-citation.ts';
import { writeUsage } from './usage.ts';

type Event<Type extends ChatEvent['type']> = Extract<ChatEvent, { type: Type }>;
type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** This format says everything again at the end, so an answer has to be kept: up to this many characters. */
const MAX_KEPT_CHARACTERS = 32 * 1024 * 1024;

/**
 * Turns events into those of this format, numbered, each item announced, ended and repeated whole. Only the first of
 * several answers can be said.
 */
export class ReplyWriter {
  #head: Fields | undefined;
  #number = 0;
  /** Every item so far, in order; those that ended are plain fields. */
  readonly #items: (Fields | OpenItem)[] = [];
  #message: OpenMessage | undefined;
  #thought: OpenThought | undefined;
  readonly #calls = new Map<number, OpenCall | OpenCustomCall>();
  readonly #freeTextTools: ReadonlySet<string>;
  readonly #echo: Fields;
  #finish: Event<'finish'> | undefined;
  #usage: Fields | null = null;
  #hasRefused = false;
  #keptCharacters = 0;

  /**
   * @param freeTextTools names of the caller's tools that take text instead of JSON
   * @param echo what the response says of its request
   */
  constructor(freeTextTools: ReadonlySet<string> = NO_TOOLS, echo: Fields = {}, begun?: Begun) {
    this.#head = begun?.head;
    this.#number = begun?.number ?? 0;
    this.#freeTextTools = freeTextTools;
    this.#echo = echo;
  }

  /** The events of this format that say one of ours. Throws when the answer is longer than can be repeated. */
  write(event: Exclude<ChatEvent, { type: 'error' }>): Fields[] {
    if (event.type === 'start') return this.#begin(event);
    if (event.type === 'usage') {
      this.#usage = { ...event.extras?.['openai-responses'], ...writeUsage(event.usage) };
      return [];
    }
    if (event.choice !== 0) return [];
    return [...this.#begin(noStart), ...this.#numbered(this.#say(event))];
  }

  /** The last events: open items end, and the response is said whole. */
  end(): Fields[] {
    const begin = this.#begin(noStart);
    const closed = this.#numbered([...this.#closeSpoken(), ...this.#closeCalls()]);
    const status = endStatus(this.#finish);
    return [...begin, ...closed, ...this.#numbered([{ type: `response.${status}`, response: this.read() }])];
  }

  /** An error in the middle: as an event, which OpenAI's own clients raise, and as the response's end, which others read. */
  fail(error: AppError, requestId = ''): Fields[] {
    const begin = this.#begin(noStart);
    const inner = fieldsOf(fieldsOf(writeError(error, requestId).body)['error']);
    const { code, message, param } = inner;
    const response = { ...this.read('failed'), error: { code, message } };
    return [
      ...begin,
      ...this.#numbered([
        // As it is published, and as it is sent and raised by OpenAI's own clients.
        { type: 'error', code, message, param, error: inner },
        { type: 'response.failed', response },
      ]),
    ];
  }

  /** The response as it stands. */
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

  #say(event: Exclude<ChatEvent, { type: 'start' | 'usage' | 'error' }>): Said[] {
    switch (event.type) {
      case 'text-delta':
        this.#keep(event.text);
        return [
          ...(event.begins === true ? this.#closeMessage() : NOTHING),
          ...this.#inMessage((message) => message.addText(event)),
        ];
      case 'refusal-delta':
        this.#keep(event.text);
        this.#hasRefused = true;
        return this.#inMessage((message) => message.addRefusal(event.text));
      case 'audio-delta':
        this.#keep(event.data ?? '');
        return this.#inMessage((message) => message.addAudio(event));
      case 'citation':
        return this.#cite(writeCitation(event));
      case 'reasoning-delta':
        this.#keep(event.text);
        return this.#inThought((thought) => thought.add(event.text));
      case 'reasoning-end': {
        const sealed = this.#inThought((thought) => {
          thought.seal(writeSealed(event));
          return [];
        });
        return [...sealed, ...this.#closeThought()];
      }
      case 'tool-call-start':
        return this.#startCall(event);
      case 'tool-call-delta':
        this.#keep(event.argumentsText);
        return this.#calls.get(event.index)?.add(event.argumentsText) ?? [];
      case 'finish':
        return this.#sayFinish(event);
      case 'image':
        return this.#showImage(event);
      case 'opaque': {
        const item = event.extras['openai-responses'];
        return item === undefined ? [] : this.#showWhole(item);
      }
    }
  }

  /** Refused without a word: the answer was filtered, as far as this format can say. Why, is told as its refusal. */
  #sayFinish(event: Event<'finish'>): Said[] {
    const isFiltered = !this.#hasRefused && (event.reason === 'refusal' || event.reason === 'content-filter');
    this.#finish = isFiltered ? { ...event, reason: 'content-filter' } : event;
    const { explanation } = event;
    return isFiltered && explanation !== undefined
      ? this.#inMessage((message) => message.addRefusal(explanation))
      : [];
  }

  #cite(annotation: Fields | undefined): Said[] {
    return annotation === undefined ? [] : this.#inMessage((message) => message.addCitation(annotation));
  }

  #inMessage(add: (message: OpenMessage) => Said[]): Said[] {
    if (this.#message !== undefined) return add(this.#message);
    const closed = this.#closeThought();
    const place = this.#nextPlace('msg');
    const message = new OpenMessage(place);
    this.#message = message;
    return [...closed, ...this.#open(message, place), ...add(message)];
  }

  #inThought(add: (thought: OpenThought) => Said[]): Said[] {
    if (this.#thought !== undefined) return add(this.#thought);
    const closed = this.#closeMessage();
    const place = this.#nextPlace('rs');
    const thought = new OpenThought(place);
    this.#thought = thought;
    return [...closed, ...this.#open(thought, place), ...add(thought)];
  }

  #startCall(event: Event<'tool-call-start'>): Said[] {
    const said = this.#closeSpoken();
    if (event.signature !== undefined) {
      // Calls have no room for what the upstream wants back with them: it stands before the call, in a thought.
      const { signature: callSignature, signatureFrom } = event;
      const seal = writeSealed({ callSignature, ...(signatureFrom !== undefined && { signatureFrom }) });
      said.push(
        ...this.#inThought((thought) => {
          thought.seal(seal);
          return [];
        }),
        ...this.#closeThought(),
      );
    }
    const isFreeText = event.isFreeText === true || this.#freeTextTools.has(event.name);
    const place = this.#nextPlace(isFreeText ? 'ctc' : 'fc');
    const Call = isFreeText ? OpenCustomCall : OpenCall;
    const call = new Call(place, event.id, event.name);
    this.#calls.set(event.index, call);
    return [...said, ...this.#open(call, place)];
  }

  #showImage(event: Event<'image'>): Said[] {
    const { media } = event;
    if (media.from !== 'base64') {
      // Where it is, as text: a drawn picture is always its bytes here.
      const address = media.from === 'url' ? media.url : media.fileId;
      return this.#inMessage((message) =>
        message.addText({ type: 'text-delta', choice: 0, text: `![image](${address})` }),
      );
    }
    this.#keep(media.data);
    const { item_id: id } = this.#nextPlace('ig');
    const output_format = media.mediaType.replace(/^image\//, '');
    return this.#showWhole({
      id,
      type: 'image_generation_call',
      status: 'completed',
      output_format,
      result: media.data,
    });
  }

  /** An item that comes at once: announced and ended. */
  #showWhole(item: Fields): Said[] {
    const closed = this.#closeSpoken();
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

  #open(item: OpenItem, { output_index }: Place): Said[] {
    this.#items.push(item);
    return [{ type: 'response.output_item.added', output_index, item: item.read('in_progress') }];
  }

  #close(item: OpenItem): Said[] {
    const output_index = this.#items.indexOf(item);
    const said = item.close();
    const fields = item.read('completed');
    this.#items[output_index] = fields;
    return [...said, { type: 'response.output_item.done', output_index, item: fields }];
  }

  #closeSpoken(): Said[] {
    return [...this.#closeThought(), ...this.#closeMessage()];
  }

  #closeThought(): Said[] {
    const thought = this.#thought;
    this.#thought = undefined;
    if (thought === undefined) return [];
    if (!thought.isSealed) thought.seal(writeSealed({}));
    return this.#close(thought);
  }

  #closeMessage(): Said[] {
    const message = this.#message;
    this.#message = undefined;
    return message === undefined ? [] : this.#close(message);
  }

  /** Calls stay open to the end: upstreams may say several at once, in turns. */
  #closeCalls(): Said[] {
    const said = [...this.#calls.values()].flatMap((call) => this.#close(call));
    this.#calls.clear();
    return said;
  }

  #nextPlace(kind: 'msg' | 'rs' | 'fc' | 'ctc' | 'ig'): Place {
    const output_index = this.#items.length;
    const own = (textOf(this.#head?.['id']) ?? '').replace(/^[a-z]+[_-]/, '');
    return { item_id: `${kind}_${own}_${output_index}`, output_index };
  }

  #numbered(said: readonly Said[]): Fields[] {
    return said.map(({ type, ...rest }) => ({ type, sequence_number: this.#number++, ...rest }));
  }

  #keep(text: string): void {
    this.#keptCharacters += text.length;
    if (this.#keptCharacters > MAX_KEPT_CHARACTERS)
      throw new AppError('upstream_failed', 'the answer is too long for the Responses format');
  }
}

const NOTHING: readonly Said[] = [];

const isOpen = (item: Fields | OpenItem): item is OpenItem =>
  'read' in item && typeof item.read === 'function';
