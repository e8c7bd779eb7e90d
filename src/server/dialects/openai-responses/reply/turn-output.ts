import { type Fields, fieldsOf, isFields, listOf, parsedFields, textOf } from '#core/json/fields.ts';
import type { Frame } from '../../frame.ts';

/** What an event of a response means for the connection it is sent on. */
export type TurnEvent =
  | { readonly type: 'passing' }
  /** The response has ended, with these items; a failed one cannot be continued. */
  | {
      readonly type: 'ended';
      readonly id: string;
      readonly items: readonly Fields[];
      /** It was not cut short, neither by its upstream nor by us. */
      readonly isWhole: boolean;
    }
  | { readonly type: 'failed' }
  /** An error. Most upstreams then report that the response failed; some send nothing more. */
  | { readonly type: 'error'; readonly error: Fields };

const PASSING: TurnEvent = { type: 'passing' };
const FAILED: TurnEvent = { type: 'failed' };

/** The type stands at the beginning of nearly every event. */
const TYPE = /"type"\s*:\s*"([\w.]{1,80})"/;
const LOOKED_AT_BYTES = 120;

/**
 * Items that an upstream understands without its own id. Given the id, an upstream that stores nothing would look the
 * item up in vain and lose the reasoning before it.
 */
const WITHOUT_ID: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'custom_tool_call',
]);

/** Collects the items of a response from its events. */
export class TurnOutput {
  readonly #items: Fields[] = [];
  /** The event that began it, unread: it may repeat all instructions and tools. */
  #created: Buffer | undefined;
  #events = 0;

  /** The response as it began; empty until then. */
  get begun(): Fields {
    return fieldsOf(parsedFields(this.#created ?? '')?.['response']);
  }

  /** The last event of a response that its caller has interrupted: with its whole items alone. */
  interrupted(): { readonly data: Buffer; readonly id: string; readonly items: readonly Fields[] } {
    const response = {
      ...this.begun,
      status: 'incomplete',
      incomplete_details: { reason: 'interrupted' },
      output: this.#items,
      usage: null,
    };
    const event = { type: 'response.incomplete', sequence_number: this.#events, response };
    const { id, items } = this.#ended(response, 'cut');
    return { data: Buffer.from(JSON.stringify(event)), id, items };
  }

  /** Reads one event on its way to the caller. */
  read(frame: Frame): TurnEvent {
    const name = frame.event === '' ? typeOf(frame.data) : frame.event;
    this.#events += 1;
    switch (name) {
      case 'response.created':
        this.#created ??= Buffer.from(frame.data);
        return PASSING;
      case 'response.output_item.done': {
        const { item } = parsedFields(frame.data) ?? {};
        if (isFields(item)) this.#items.push(item);
        return PASSING;
      }
      case 'response.completed':
      case 'response.incomplete': {
        const response = parsedFields(frame.data)?.['response'];
        return isFields(response)
          ? this.#ended(response, name === 'response.completed' ? 'whole' : 'cut')
          : FAILED;
      }
      case 'response.failed':
        return FAILED;
      case 'error':
        return { type: 'error', error: errorIn(parsedFields(frame.data) ?? {}) };
      default:
        return PASSING;
    }
  }

  #ended(response: Fields, end: 'whole' | 'cut'): TurnEvent & { readonly type: 'ended' } {
    const listed = listOf(response['output']).filter(isFields);
    const items = listed.length > this.#items.length ? listed : this.#items;
    return {
      type: 'ended',
      id: textOf(response['id']) ?? '',
      items: items.filter(isRepeatable).map(withoutId),
      isWhole: end === 'whole',
    };
  }
}

const typeOf = (data: Buffer): string =>
  TYPE.exec(data.toString('latin1', 0, LOOKED_AT_BYTES))?.[1] ?? textOf(parsedFields(data)?.['type']) ?? '';

const errorIn = ({ error, code, message, param }: Fields): Fields =>
  isFields(error) ? error : { type: 'server_error', code, message, param };

/** Reasoning without encrypted content cannot be sent again: only the upstream had it. */
const isRepeatable = ({ type, encrypted_content: sealed }: Fields): boolean =>
  type !== 'reasoning' || (sealed !== undefined && sealed !== null);

const withoutId = (item: Fields): Fields => {
  if (!WITHOUT_ID.has(item['type'])) return item;
  const { id: _, ...rest } = item;
  return rest;
};

/**
 * The items that a later turn continues from, as JSON lists without brackets: the items so far and those of the
 * response. After a compaction, only what it returned.
 */
export const continuedItems = (before: readonly Buffer[], answered: readonly Fields[]): readonly Buffer[] => {
  const from = answered.findLastIndex(({ type }) => type === 'compaction');
  const kept = from === -1 ? answered : answered.slice(from);
  const text = kept.map((item) => JSON.stringify(item)).join(',');
  const lists = [...(from === -1 ? before : []), Buffer.from(text)];
  return lists.filter(({ length }) => length > 0);
};
