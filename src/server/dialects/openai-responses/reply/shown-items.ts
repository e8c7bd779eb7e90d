import { ownOf, type Fields, fieldsOf, isFields, listOf, parsedFields, textOf } from '#core/json/fields.ts';
import type { ClosedItems, ShownStream } from '../../ends/cut-stream.ts';
import type { Frame } from '../../frame.ts';
import { SseParser } from '../../sse.ts';
import type { StreamEvent } from './open-item.ts';

/** This many bytes of a stream are stored unparsed. Most streams end before that and are never parsed. */
const UNREAD_BYTES = 256 * 1024;
/**
 * The limit for all streams of this thread together: beyond it, each stream is parsed as it comes, and only its items
 * are stored.
 */
const ALL_UNREAD_BYTES = 32 * 1024 * 1024;
let allUnreadBytes = 0;
/** An answer that takes more memory is not repeated. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The limit for all streams of this thread together: answers beyond it are not repeated, either. */
const ALL_MAX_BYTES = 256 * 1024 * 1024;
let allBytes = 0;
/** The memory of a delta besides its few characters: the engine joins strings late. */
const OF_PIECE_BYTES = 64;
/** Answers with more items, or items with more parts, are not repeated. */
const MOST_PLACES = 1024;

type Part = Record<string, unknown>;

interface Item {
  fields: Part;
  /** Its approximate memory. */
  bytes: number;
  isDone: boolean;
  /** The part that is being written. */
  open: { readonly part: Part; readonly place: Fields } | undefined;
}

/** Collects the items that a stream has shown so far, because its last event repeats them. */
export class ShownItems implements ShownStream {
  readonly #parser = new SseParser();
  readonly #items = new Map<number, Item>();
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #bytes = 0;
  #isLost = false;

  add(bytes: Buffer): void {
    if (this.#isLost) return;
    this.#unread.push(bytes);
    this.#unreadBytes += bytes.length;
    allUnreadBytes += bytes.length;
    if (this.#unreadBytes > UNREAD_BYTES || allUnreadBytes > ALL_UNREAD_BYTES) this.#readAll();
  }

  drop(): void {
    this.#lose();
  }

  close(): ClosedItems | undefined {
    this.#readAll();
    if (this.#isLost) return undefined;
    const inOrder = [...this.#items].sort(([one], [other]) => one - other);
    const events = inOrder.flatMap(([index, item]) => (item.isDone ? [] : closed(item, index)));
    return { events, items: inOrder.map(([, { fields }]) => fields) };
  }

  #readAll(): void {
    for (const bytes of this.#unread) for (const frame of this.#parser.feed(bytes)) this.#read(frame);
    this.#forgetUnread();
  }

  #forgetUnread(): void {
    this.#unread = [];
    allUnreadBytes -= this.#unreadBytes;
    this.#unreadBytes = 0;
  }

  #read({ data, event, oversized }: Frame): void {
    // An event too large to parse may have said anything.
    if (oversized === true) this.#lose();
    const body = this.#isLost || data.length === 0 ? undefined : parsedFields(data);
    if (body === undefined) return;
    const index = body['output_index'];
    if (!isPlace(index)) return;
    const type = event === '' ? (textOf(body['type']) ?? '') : event;
    const before = this.#items.get(index)?.bytes ?? 0;
    this.#take(type, body, index);
    const more = (this.#items.get(index)?.bytes ?? 0) - before;
    this.#bytes += more;
    allBytes += more;
    if (this.#bytes > MAX_BYTES || allBytes > ALL_MAX_BYTES || this.#items.size > MOST_PLACES) this.#lose();
  }

  #take(type: string, body: Fields, index: number): void {
    const item = this.#items.get(index);
    if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      if (!isFields(body['item'])) return;
      const isDone = type.endsWith('done');
      const bytes = JSON.stringify(body['item']).length;
      this.#items.set(index, { fields: { ...body['item'] }, bytes, isDone, open: undefined });
      return;
    }
    if (item === undefined || item.isDone) return;
    const field = ownOf(FIELDS, type);
    const delta = textOf(body['delta']) ?? '';
    if (field === undefined) item.bytes += takePart(item, type, body, delta);
    else {
      item.fields[field] = (textOf(item.fields[field]) ?? '') + delta;
      item.bytes += delta.length + OF_PIECE_BYTES;
    }
  }

  #lose(): void {
    allBytes -= this.#bytes;
    this.#bytes = 0;
    this.#isLost = true;
    this.#items.clear();
    this.#forgetUnread();
  }
}

/** The field of an item that an event appends to. */
const FIELDS: Readonly<Record<string, string>> = {
  'response.function_call_arguments.delta': 'arguments',
  'response.mcp_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
  'response.code_interpreter_call_code.delta': 'code',
};

/** The parts that an event appends to, with their text field. */
const PARTS: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  'response.output_text.delta': { type: 'output_text', text: 'text' },
  'response.refusal.delta': { type: 'refusal', text: 'refusal' },
  'response.reasoning_text.delta': { type: 'reasoning_text', text: 'text' },
  'response.reasoning_summary_text.delta': { type: 'summary_text', text: 'text' },
};

/** Appends an event's text to its part. Returns about how many bytes that takes. */
const takePart = (item: Item, type: string, body: Fields, delta: string): number => {
  const ofSummary = type.startsWith('response.reasoning_summary_');
  const list = ofSummary ? 'summary' : 'content';
  const name = `${list}_index`;
  const at = body[name] ?? 0;
  if (!isPlace(at)) return 0;
  const parts = listIn(item.fields, list);
  if (at > parts.length) return 0;
  const place = { [name]: at };
  if (type.endsWith('_part.added') || type.endsWith('_part.done')) {
    if (!isFields(body['part'])) return 0;
    const part = { ...body['part'] };
    parts[at] = part;
    item.open = type.endsWith('added') ? { part, place } : undefined;
    return JSON.stringify(part).length;
  }
  const said = ownOf(PARTS, type);
  const isNote = type === 'response.output_text.annotation.added';
  if (said === undefined && !isNote) return 0;
  const part: Part = { type: said?.type, ...fieldsOf(parts[at]) };
  parts[at] = part;
  item.open = { part, place };
  if (said === undefined) {
    listIn(part, 'annotations').push(body['annotation']);
    return JSON.stringify(body['annotation'] ?? null).length;
  }
  part[said.text] = (textOf(part[said.text]) ?? '') + delta;
  const logprobs = listOf(body['logprobs']);
  if (logprobs.length > 0) listIn(part, 'logprobs').push(...logprobs);
  return delta.length + OF_PIECE_BYTES + logprobs.length * 200;
};

/** The events that end an unfinished item which will never be finished. */
const closed = (item: Item, output_index: number): StreamEvent[] => {
  const { fields, open } = item;
  const ofItem = { ...(fields['id'] !== undefined && { item_id: fields['id'] }), output_index };
  if ('status' in fields) fields['status'] = 'incomplete';
  const done = { type: 'response.output_item.done', output_index, item: fields };
  if (open === undefined) return [done];
  const { part, place } = open;
  const at = { ...ofItem, ...place };
  const isSummary = part['type'] === 'summary_text';
  const said = Object.entries(PARTS).find(([, { type }]) => type === part['type']);
  const text = said && {
    type: said[0].replace(/delta$/, 'done'),
    ...at,
    [said[1].text]: part[said[1].text] ?? '',
    ...(part['logprobs'] !== undefined && { logprobs: part['logprobs'] }),
  };
  const type = isSummary ? 'response.reasoning_summary_part.done' : 'response.content_part.done';
  return [...(text === undefined ? [] : [text]), { type, ...at, part }, done];
};

const listIn = (fields: Part, name: string): unknown[] => {
  const there = fields[name];
  if (Array.isArray(there)) return there as unknown[];
  const list: unknown[] = [];
  fields[name] = list;
  return list;
};

const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < MOST_PLACES;
