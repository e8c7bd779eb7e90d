import { HELD_BYTES_PER_TOKEN } from '#core/quota/charge.ts';
import {
  KEPT_FOR_MS,
  KEPT_ID_MAX_LENGTH,
  type KeptResponse,
  type KeptResponseStore,
} from '#core/kept/kept-response.ts';
import type { Log } from '#core/logging.ts';
import { completionTokens, promptTokens } from '#core/chat/usage.ts';
import type { Meter } from '../bill/meter.ts';
import { idsOf, type KeptItems, type SeenResponse } from './kept-reply.ts';
import { textOf } from '#core/json/fields.ts';
import type { Answered, Held } from '../stages.ts';
import { responseOf } from './response-fields.ts';

/** Rows are collected for this long and written together. */
const WRITE_AFTER_MS = 50;
const WRITE_AGAIN_AFTER_MS = 2000;
/** Beyond this number the oldest rows are dropped, so that a failing database does not fill the memory. */
const WAITING_MAX = 20_000;
/** No model reads more. A larger report is wrong. */
const CONTEXT_MAX_TOKENS = 2_000_000;
const ID = /^\w[\w.:=-]*$/;

type Stored = Pick<KeptResponseStore, 'add' | 'find' | 'holders' | 'forget'>;

/** Knows which channel keeps which response. Rows are written in batches and can be found before they are written. */
export class KeptResponses {
  readonly #waiting = new Map<string, KeptResponse>();
  readonly #store: Stored;
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Stored, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Records where a call's response, its items and its conversation are kept, if its upstream keeps them. */
  note(answered: Answered): void {
    const at = placeOf(answered);
    if (at === undefined) return;
    const response = responseOf(answered.answer) ?? {};
    const { field, id: continuedFrom } = answered.continuation ?? {};
    const ids = [textOf(response['id']), field === 'conversation' ? continuedFrom : undefined];
    this.noteAt(at, ids, contextOf(answered.answer.meter));
    this.noteAt(at, idsOf(response['output']), lengthOfItems(answered.answer.meter));
    if (answered.answer.kind !== 'whole') answered.live.keptAs = ids;
  }

  /**
   * Records where the items of a stream are kept and how long its conversation has become, and that the containers an
   * answer named belong to its caller.
   */
  noteSeen(held: Held): void {
    const { meter, keptAs = [] } = held.live;
    const { itemIds = [] } = meter;
    const contextTokens = contextOf(meter);
    const at = itemIds.length > 0 || (keptAs.length > 0 && contextTokens > 0) ? placeOf(held) : undefined;
    if (at !== undefined) {
      this.noteAt(at, itemIds, lengthOfItems(meter));
      this.noteAt(at, keptAs, contextTokens);
    }
    this.noteContainers(held);
  }

  /**
   * Records that the containers an answer has named so far belong to its caller, so that others cannot use them while
   * it still runs.
   */
  noteContainers(held: Held): void {
    const { live } = held;
    const { containerIds } = live.meter;
    if (containerIds === undefined || containerIds.size === live.notedContainers) return;
    live.notedContainers = containerIds.size;
    const at = answeredAt(held);
    if (at !== undefined) this.noteAt(at, [...containerIds]);
  }

  /** Records that these ids are kept at the same place as `at`, and how many tokens there are up to their end, if known. */
  noteAt(at: KeptResponse, ids: readonly (string | undefined)[], contextTokens = 0): void {
    for (const responseId of ids)
      if (responseId !== undefined && isId(responseId)) this.#add({ ...at, responseId, contextTokens });
  }

  /** Records where the items and containers of an answer about a kept object are, and how long each item is. */
  noteItems(at: KeptResponse, { items, containerIds }: KeptItems): void {
    this.noteAt(at, containerIds);
    // No item is longer than the response that it is a part of.
    for (const { id, tokens = at.contextTokens } of items) this.noteAt(at, [id], tokens);
  }

  /** Records how long a background response has become, once its end was read. Returns its place with that length. */
  noteLength(at: KeptResponse, { shown }: SeenResponse): KeptResponse {
    const contextTokens = contextOf(shown);
    if (contextTokens === 0 || contextTokens === at.contextTokens) return at;
    this.noteAt(at, [at.responseId], contextTokens);
    return { ...at, contextTokens };
  }

  find(userId: number, responseId: string, nowMs: number): Promise<KeptResponse | undefined> {
    const waiting = this.#waiting.get(keyOf(userId, responseId));
    if (waiting !== undefined) return Promise.resolve(waiting);
    return isId(responseId) ? this.#store.find(userId, responseId, nowMs) : Promise.resolve(undefined);
  }

  /** Where these ids are kept, for every user. Ids that were not made through us are not found. */
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

  /** Writes the rows that wait. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting];
    if (entries.length === 0) return;
    try {
      await this.#store.add(entries.map(([, kept]) => kept));
      for (const [key, kept] of entries) if (this.#waiting.get(key) === kept) this.#waiting.delete(key);
    } catch (error) {
      this.#log.error('the places of kept responses could not be stored', { error });
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

/** The tokens of this turn that the next one reads again; 0 if the upstream did not report them. */
const contextOf = ({ reported }: Pick<Meter, 'reported'>): number =>
  reported === undefined
    ? 0
    : Math.min(CONTEXT_MAX_TOKENS, promptTokens(reported) + completionTokens(reported));

/** The most tokens that a picture of an earlier turn has when it is read again. */
const PICTURE_TOKENS = 16_384;

/** The most tokens that one item of an answer may have, also if the answer broke off or its usage was not reported. */
const lengthOfItems = ({
  reported,
  outputBytes,
  pictures,
}: Pick<Meter, 'reported' | 'outputBytes' | 'pictures'>): number => {
  const told =
    reported === undefined ? Math.ceil(outputBytes / HELD_BYTES_PER_TOKEN) : completionTokens(reported);
  return Math.min(CONTEXT_MAX_TOKENS, Math.max(1, told) + (pictures > 0 ? PICTURE_TOKENS : 0));
};

/** Where a call's response is kept; undefined if it is not kept. */
const placeOf = (held: Held): KeptResponse | undefined => {
  const { wire, call, request, live } = held;
  const isNative = call.operation === 'chat' && wire.name === 'openai-responses';
  if (!isNative || live.destination?.sentAs?.format.name !== wire.name) return undefined;
  if (request.fields['store'] === false && live.background === undefined) return undefined;
  return answeredAt(held);
};

/** Where the answer was made, whether or not the channel keeps it. */
const answeredAt = ({ caller, request, live, createdAtMs }: Held): KeptResponse | undefined => {
  const channel = live.destination?.channel;
  if (channel === undefined) return undefined;
  return {
    userId: caller.user.id,
    responseId: '',
    tokenId: caller.token?.id ?? 0,
    channelId: channel.id,
    keyIndex: channel.keyId,
    model: request.facts.model,
    contextTokens: 0,
    createdAtMs,
    expiresAtMs: createdAtMs + KEPT_FOR_MS,
  };
};

const keyOf = (userId: number, responseId: string): string => `${String(userId)} ${responseId}`;

/** Whether a text could be an upstream's id. */
export const isId = (text: string): boolean => text.length <= KEPT_ID_MAX_LENGTH && ID.test(text);
