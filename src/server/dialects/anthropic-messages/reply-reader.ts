import type { ChatEvent } from '#core/chat/event.ts';
import { openSignature } from '#core/chat/signature.ts';
import type { Usage } from '#core/chat/usage.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import { fieldsOf, isFields, listOf, otherFields, textOf, type Fields } from '../openai/fields.ts';
import { parseArguments } from './write-parts.ts';
import { readFinish } from './stop-reason.ts';
import { lacksIn, readUsage, readUsageExtras } from './usage.ts';

const KNOWN_IN_MESSAGE = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'stop_reason',
  'stop_sequence',
  'stop_details',
  'usage',
]);
/** Blocks that callers of every format see. */
const OWN_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
const KNOWN_IN_CALL = new Set(['type', 'id', 'name', 'input']);
const KNOWN_IN_CITATION = new Set(['type', 'url', 'title']);

/** In the extras of a piece of text or a citation: it begins a block of its own. */
export const BEGINS = 'begins_block';

/** A block that is being read. */
interface Block {
  readonly start: Fields;
  /** The number of the call, where it is one. */
  readonly call: number;
  signature: string;
  /** What came of the input, as JSON text. */
  inputText: string;
}

/** Reads the events of one stream in order, and a whole reply as if it were streamed. */
export class ReplyReader {
  readonly #blocks = new Map<unknown, Block>();
  #calls = 0;
  #usage: Usage | undefined;
  /** What was told beside its counts. */
  #besideUsage: Fields = {};
  #hasStarted = false;
  /** The block before was text, too: the next piece of text is another statement. */
  #afterText = false;
  #begins = false;
  /** A block of the upstream's own tools came between two texts: what follows is a statement of its own. */
  #hasSpoken = false;
  #isParted = false;

  read(body: Fields, type: string): ChatEvent[] {
    switch (type) {
      case 'message_start':
        return this.#start(fieldsOf(body['message']));
      case 'content_block_start':
        return this.#afterStart(this.#open(body['index'], fieldsOf(body['content_block'])));
      case 'content_block_delta':
        return this.#afterStart(this.#add(body['index'], fieldsOf(body['delta'])));
      case 'content_block_stop':
        return this.#close(body['index']);
      case 'message_delta':
        return this.#afterStart(this.#end(body));
      default:
        return [];
    }
  }

  /** A stream may leave its start out. */
  #afterStart(events: ChatEvent[]): ChatEvent[] {
    return this.#hasStarted ? events : [...this.#start({}), ...events];
  }

  #start(message: Fields): ChatEvent[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    this.#usage = readUsage(message['usage']);
    this.#besideUsage = readUsageExtras(message['usage']) ?? {};
    const others = otherFields(message, KNOWN_IN_MESSAGE);
    return [
      {
        type: 'start',
        id: textOf(message['id']) ?? '',
        model: textOf(message['model']) ?? '',
        ...(others !== undefined && { extras: { 'anthropic-messages': others } }),
      },
    ];
  }

  #open(index: unknown, start: Fields): ChatEvent[] {
    const isCall = start['type'] === 'tool_use';
    const block: Block = { start, call: isCall ? this.#calls : -1, signature: '', inputText: '' };
    this.#blocks.set(index, block);
    this.#begins = start['type'] === 'text' && this.#afterText;
    this.#afterText = start['type'] === 'text';
    if (this.#afterText) this.#hasSpoken = true;
    else if (!OWN_BLOCKS.has(start['type'])) this.#isParted = this.#hasSpoken;
    switch (start['type']) {
      case 'text':
        return this.#marked([...text('text-delta', start['text']), ...citations(start['citations'])]);
      case 'thinking':
        block.signature = textOf(start['signature']) ?? '';
        return text('reasoning-delta', start['thinking']);
      case 'redacted_thinking': {
        const opened = openSignature(textOf(start['data']) ?? '', 'anthropic-messages');
        const { signature: redacted, signatureFrom } = opened;
        return [{ type: 'reasoning-end', choice: 0, redacted, signatureFrom }];
      }
      case 'tool_use':
        this.#calls += 1;
        return this.#openCall(block);
      default:
        return [];
    }
  }

  /** Where a block of text follows another, its first event says so: only this format tells them apart. */
  #marked(events: ChatEvent[]): ChatEvent[] {
    const [first, ...rest] = events;
    if (this.#isParted && first?.type === 'text-delta') {
      this.#isParted = false;
      return [{ ...first, begins: true }, ...rest];
    }
    if (!this.#begins || (first?.type !== 'text-delta' && first?.type !== 'citation')) return events;
    this.#begins = false;
    const extras = { 'anthropic-messages': { ...first.extras?.['anthropic-messages'], [BEGINS]: true } };
    return [{ ...first, extras }, ...rest];
  }

  #openCall({ start, call: index }: Block): ChatEvent[] {
    const others = otherFields(start, KNOWN_IN_CALL);
    return [
      {
        type: 'tool-call-start',
        choice: 0,
        index,
        id: textOf(start['id']) ?? '',
        name: textOf(start['name']) ?? '',
        ...(others !== undefined && { extras: { 'anthropic-messages': others } }),
      },
    ];
  }

  #add(index: unknown, delta: Fields): ChatEvent[] {
    const block = this.#blocks.get(index);
    switch (delta['type']) {
      case 'text_delta':
        return this.#marked(text('text-delta', delta['text']));
      case 'thinking_delta':
        return text('reasoning-delta', delta['thinking']);
      case 'signature_delta':
        if (block !== undefined) block.signature += textOf(delta['signature']) ?? '';
        return [];
      case 'citations_delta':
        return this.#marked(citations([delta['citation']]));
      case 'input_json_delta': {
        const argumentsText = textOf(delta['partial_json']) ?? '';
        if (block === undefined || argumentsText === '') return [];
        block.inputText += argumentsText;
        return block.call === -1
          ? []
          : [{ type: 'tool-call-delta', choice: 0, index: block.call, argumentsText }];
      }
      default:
        return [];
    }
  }

  #close(index: unknown): ChatEvent[] {
    const block = this.#blocks.get(index);
    if (block === undefined) return [];
    this.#blocks.delete(index);
    const { start, inputText } = block;
    switch (start['type']) {
      case 'text':
      case 'redacted_thinking':
        return [];
      case 'thinking':
        return block.signature === ''
          ? []
          : [{ type: 'reasoning-end', choice: 0, ...openSignature(block.signature, 'anthropic-messages') }];
      case 'tool_use':
        // Arguments that did not come in pieces came whole, or there are none.
        return inputText === ''
          ? [
              {
                type: 'tool-call-delta',
                choice: 0,
                index: block.call,
                argumentsText: JSON.stringify(start['input'] ?? {}),
              },
            ]
          : [];
      default: {
        const held = inputText === '' ? start : { ...start, input: parseArguments(inputText) };
        return [{ type: 'opaque', choice: 0, extras: { 'anthropic-messages': held } }];
      }
    }
  }

  #end(body: Fields): ChatEvent[] {
    const events: ChatEvent[] = [];
    const finish = readFinish({
      ...fieldsOf(body['delta']),
      ...otherFields(body, new Set(['type', 'delta', 'usage'])),
    });
    if (finish !== undefined) events.push(this.#calls > 0 ? asCalling(finish) : finish);
    const last = readUsage(body['usage']);
    if (last !== undefined) this.#usage = mergeReports(this.#usage, last, lacksIn(body['usage']));
    this.#besideUsage = { ...this.#besideUsage, ...readUsageExtras(body['usage']) };
    const [usage, others] = [this.#usage, this.#besideUsage];
    if (usage !== undefined)
      events.push({
        type: 'usage',
        usage,
        ...(Object.keys(others).length > 0 && { extras: { 'anthropic-messages': others } }),
      });
    return events;
  }
}

/** Look-alikes end an answer that calls tools as if it did not. */
const asCalling = (finish: Extract<ChatEvent, { type: 'finish' }>): ChatEvent =>
  finish.reason === 'stop' && finish.stopSequence === undefined
    ? { ...finish, reason: 'tool-calls' }
    : finish;

const text = (type: 'text-delta' | 'reasoning-delta', value: unknown): ChatEvent[] =>
  typeof value === 'string' && value !== '' ? [{ type, choice: 0, text: value }] : [];

/** A search result that the caller brought is named by its source, mostly an address. */
const webAddress = (source: unknown): string | undefined =>
  typeof source === 'string' && /^https?:\/\//.test(source) ? source : undefined;

const citations = (list: unknown): ChatEvent[] =>
  listOf(list)
    .filter(isFields)
    .map((citation): ChatEvent => {
      const url = textOf(citation['url']) ?? webAddress(citation['source']);
      const title = textOf(citation['title'] ?? citation['document_title']);
      // One that points into the web says the same in every format; of the others the whole is kept.
      const others =
        citation['type'] === 'web_search_result_location'
          ? otherFields(citation, KNOWN_IN_CITATION)
          : citation;
      return {
        type: 'citation',
        choice: 0,
        ...(url !== undefined && { url }),
        ...(title !== undefined && { title }),
        ...(others !== undefined && { extras: { 'anthropic-messages': others } }),
      };
    });
