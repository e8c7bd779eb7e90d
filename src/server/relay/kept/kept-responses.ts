import {
  KEPT_FOR_MS,
  KEPT_ID_MAX_LENGTH,
  type KeptResponse,
  type KeptResponseStore,
} from '#core/kept/kept-response.ts';
import type { Log } from '#core/logging.ts';
import { fieldsOf, listOf, textOf } from '../../dialects/openai/fields.ts';
import type { Answer } from '../answer.ts';
import type { Running } from '../running.ts';
import { responseOf } from './response-of.ts';

/** Rows of calls that end about together are written together. */
const WRITE_AFTER_MS = 50;
const WRITE_AGAIN_AFTER_MS = 2000;
/** A database that does not answer must not fill the memory: the oldest are let go. */
const WAITING_MAX = 20_000;
/** Of one list; what is not remembered is referred to by what it is a part of. */
const MOST_ITEMS = 256;
const ID = /^\w[\w.:=-]*$/;

type Stored = Pick<KeptResponseStore, 'add' | 'find' | 'holders' | 'forget'>;

/**
 * Which channel keeps which response. Writing one down costs the call nothing: rows wait a moment and are found meanwhile.
 */
export class KeptResponses {
  readonly #waiting = new Map<string, KeptResponse>();
  readonly #store: Stored;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Stored, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Remembers where the response of a call is with its items, if its upstream keeps them, and its conversation. */
  note(running: Running, answer: Answer): void {
    const at = placeOf(running);
    if (at === undefined) return;
    const response = responseOf(answer) ?? {};
    const { field, id: goesOnFrom } = running.goesOn ?? {};
    this.noteAt(at, [textOf(response['id']), field === 'conversation' ? goesOnFrom : undefined]);
    this.noteAt(at, idsOf(response['output']));
  }

  /** Remembers where the items of a stream are, once they were seen. */
  noteItems(running: Running): void {
    const { itemIds } = running.meter;
    const at = itemIds === undefined || itemIds.length === 0 ? undefined : placeOf(running);
    if (at !== undefined && itemIds !== undefined) this.noteAt(at, itemIds);
  }

  /** Remembers what else is where something is known to be. */
  noteAt(at: KeptResponse, ids: readonly (string | undefined)[]): void {
    for (const responseId of ids)
      if (responseId !== undefined && isId(responseId)) this.#add({ ...at, responseId });
  }

  find(userId: number, responseId: string, nowMs: number): Promise<KeptResponse | undefined> {
    const waiting = this.#waiting.get(keyOf(userId, responseId));
    if (waiting !== undefined) return Promise.resolve(waiting);
    return isId(responseId) ? this.#store.find(userId, responseId, nowMs) : Promise.resolve(undefined);
  }

  /** Who has these, whoever asks: none for what was not made here. */
  async holders(ids: readonly string[], nowMs: number): Promise<readonly KeptResponse[]> {
    const wanted = new Set(ids.filter(isId));
    if (wanted.size === 0) return [];
    const waiting = [...this.#waiting.values()].filter(({ responseId }) => wanted.has(responseId));
    return [...waiting, ...(await this.#store.holders([...wanted], nowMs))];
  }

  async forget({ userId, responseId }: KeptResponse): Promise<void> {
    this.#waiting.delete(keyOf(userId, responseId));
    await this.#store.forget(userId, responseId);
  }

  /** Writes down what still waits. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting];
    if (entries.length === 0) return;
    try {
      await this.#store.add(entries.map(([, kept]) => kept));
      for (const [key, kept] of entries) if (this.#waiting.get(key) === kept) this.#waiting.delete(key);
    } catch (error) {
      this.#log.error('it could not be written down where responses are kept', { error });
      this.#writeAfter(WRITE_AGAIN_AFTER_MS);
    }
  }

  #add(kept: KeptResponse): void {
    if (this.#waiting.size >= WAITING_MAX) {
      const oldest = this.#waiting.keys().next();
      if (oldest.done !== true) this.#waiting.delete(oldest.value);
    }
    this.#waiting.set(keyOf(kept.userId, kept.responseId), kept);
    this.#writeAfter(WRITE_AFTER_MS);
  }

  #writeAfter(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref();
  }
}

/** Where what a call makes is kept; undefined where it is not. */
const placeOf = (running: Running): KeptResponse | undefined => {
  const { wire, format, call, caller, asked, channel } = running;
  const isNative = call.operation === 'chat' && wire.name === 'openai-responses' && format.name === wire.name;
  if (!isNative || caller === undefined || asked === undefined || channel === undefined) return undefined;
  if (asked.told['store'] === false && running.background === undefined) return undefined;
  return {
    userId: caller.user.id,
    responseId: '',
    tokenId: caller.token?.id ?? 0,
    channelId: channel.id,
    keyIndex: 0,
    model: asked.facts.model,
    createdAtMs: running.createdAtMs,
    expiresAtMs: running.createdAtMs + KEPT_FOR_MS,
  };
};

/** The ids of a list of items. */
export const idsOf = (items: unknown): (string | undefined)[] =>
  listOf(items)
    .slice(0, MOST_ITEMS)
    .map((item) => textOf(fieldsOf(item)['id']));

const keyOf = (userId: number, responseId: string): string => `${String(userId)} ${responseId}`;

/** Whether a text could be what an upstream calls something. */
export const isId = (text: string): boolean => text.length <= KEPT_ID_MAX_LENGTH && ID.test(text);
