import type { ChatEvent } from '#core/chat/event.ts';
import { openSignature } from '#core/chat/signature.ts';
import type { Usage } from '#core/chat/usage.ts';
import { mergeReports } from '#core/quota/merge-reports.ts';
import { fieldsOf, listOf, otherFields, textOf, type Fields } from '#core/json/fields.ts';
import { parseArguments } from '../parts/write-parts.ts';
import { readArguments } from '../../call-arguments.ts';
import { readCitations } from './read-citations.ts';
import { readFinish } from './stop-reason.ts';
import { lacksIn, readUsage, readUsageExtras } from '../usage.ts';

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
/** Block types that callers of every format get. */
const OWN_BLOCKS: ReadonlySet<unknown> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);
const KNOWN_IN_CALL = new Set(['type', 'id', 'name', 'input']);

/** Marks, in the extras, a text or citation that begins a new block. */
export const BEGINS = 'begins_block';

/** The block being read. */
interface Block {
  start: Fields;
  /** The number of the call, if it is one. */
  readonly call: number;
  signature: string;
  /** The input so far, as JSON text. */
  inputText: string;
  /** Where its text begins in the statement. */
  readonly from: number;
  /** The citations of its text, sent when the text is whole, because Anthropic sends them before it. */
  cited: readonly unknown[];
}

/** Reads the events of one stream in order; also reads a whole response as if streamed. */
export class ReplyReader {
  readonly #blocks = new Map<unknown, Block>();
  /** The index of the block that began last: events without an index belong to it. */
  #lastIndex: unknown;
  #calls = 0;
  #usage: Usage | undefined;
  /** The fields of `usage` other than its counts. */
  #besideUsage: Fields = {};
  #hasStarted = false;
  /** The previous block was text: the next text is a new block. */
  #afterText = false;
  #begins = false;
  /** A block of an upstream's tool came between two texts: the next text is a new block. */
  #hasSpoken = false;
  #isParted = false;
  /** The characters of the statement so far. */
  #characters = 0;

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

  /** A stream may lack its start event. */
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
    const unclosed = this.#citations(this.#blocks.get(this.#lastIndex));
    const call = start['type'] === 'tool_use' ? this.#calls : -1;
    if (start['type'] === 'text' && this.#isParted) this.#characters = 0;
    const from = this.#characters;
    const block: Block = {
      start,
      call,
      signature: '',
      inputText: '',
      from,
      cited: listOf(start['citations']),
    };
    this.#blocks.set(index, block);
    return [...unclosed, ...this.#begin(index, block)];
  }

  #begin(index: unknown, block: Block): ChatEvent[] {
    const { start } = block;
    this.#lastIndex = index;
    this.#begins = start['type'] === 'text' && this.#afterText;
    this.#afterText = start['type'] === 'text';
    if (this.#afterText) this.#hasSpoken = true;
    else if (!OWN_BLOCKS.has(start['type'])) this.#isParted = this.#hasSpoken;
    switch (start['type']) {
      case 'text':
        return this.#say(start['text']);
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

  #say(value: unknown): ChatEvent[] {
    if (typeof value === 'string') this.#characters += value.length;
    return this.#marked(text('text-delta', value));
  }

  /** Everything a block cites is about all of its text. */
  #citations(block: Block | undefined): ChatEvent[] {
    if (block === undefined || block.cited.length === 0) return [];
    const place = { startIndex: block.from, endIndex: this.#characters };
    const events = readCitations(block.cited).map((citation) => ({ ...citation, ...place }));
    block.cited = [];
    return this.#marked(events);
  }

  /** Marks the first event of a text block that follows another: only this format separates them. */
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
    const block = this.#blocks.get(index ?? this.#lastIndex);
    switch (delta['type']) {
      case 'text_delta':
        return this.#say(delta['text']);
      case 'thinking_delta':
        return text('reasoning-delta', delta['thinking']);
      case 'signature_delta':
        if (block !== undefined) block.signature += textOf(delta['signature']) ?? '';
        return [];
      case 'citations_delta':
        if (block !== undefined) block.cited = [...block.cited, delta['citation']];
        return [];
      case 'compaction_delta': {
        // Not a piece: the block's final fields.
        const { type: _, ...last } = delta;
        if (block !== undefined) block.start = { ...block.start, ...last };
        return [];
      }
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

  #close(named: unknown): ChatEvent[] {
    const index = named ?? this.#lastIndex;
    const block = this.#blocks.get(index);
    if (block === undefined) return [];
    this.#blocks.delete(index);
    const { start, inputText } = block;
    switch (start['type']) {
      case 'text':
        return this.#citations(block);
      case 'redacted_thinking':
        return [];
      case 'thinking':
        return block.signature === ''
          ? []
          : [{ type: 'reasoning-end', choice: 0, ...openSignature(block.signature, 'anthropic-messages') }];
      case 'tool_use':
        // Arguments that did not stream came whole, or there are none.
        return inputText === ''
          ? [
              {
                type: 'tool-call-delta',
                choice: 0,
                index: block.call,
                argumentsText: readArguments(start['input'] ?? {}),
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
    const events = this.#citations(this.#blocks.get(this.#lastIndex));
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

/** Some compatible upstreams give a wrong stop reason for answers with calls. */
const asCalling = (finish: Extract<ChatEvent, { type: 'finish' }>): ChatEvent =>
  finish.reason === 'stop' && finish.stopSequence === undefined
    ? { ...finish, reason: 'tool-calls' }
    : finish;

const text = (type: 'text-delta' | 'reasoning-delta', value: unknown): ChatEvent[] =>
  typeof value === 'string' && value !== '' ? [{ type, choice: 0, text: value }] : [];
