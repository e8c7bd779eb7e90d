import {
  KEPT_FOR_MS,
  KEPT_ID_MAX_LENGTH,
  type KeptResponse,
  type KeptResponseStore,
} from '#core/kept/kept-response.ts';
import type { Log } from '#core/logging.ts';
import { textOf } from '../../dialects/openai/fields.ts';
import type { Answer } from '../answer.ts';
import { known, type Running } from '../running.ts';
import { responseOf } from './response-of.ts';

/** Rows of calls that end about together are written together. */
const WRITE_AFTER_MS = 50;
const WRITE_AGAIN_AFTER_MS = 2000;
/** A database that does not answer must not fill the memory: the oldest are let go. */
const WAITING_MAX = 10_000;
const ID = /^\w[\w.:=-]*$/;

type Stored = Pick<KeptResponseStore, 'add' | 'find' | 'isKnown' | 'forget'>;

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

  /** Remembers where the response of a call is, if its upstream keeps it, and the conversation it is a part of. */
  note(running: Running, answer: Answer): void {
    const { wire, format, call } = running;
    const isNative =
      call.operation === 'chat' && wire.name === 'openai-responses' && format.name === wire.name;
    const { told, facts } = known(running.asked, 'read');
    if (!isNative || (told['store'] === false && !running.isBackground)) return;
    const { user, token } = known(running.caller, 'authenticate');
    const at = {
      userId: user.id,
      tokenId: token?.id ?? 0,
      channelId: known(running.channel, 'choose').id,
      keyIndex: 0,
      model: facts.model,
      createdAtMs: running.createdAtMs,
      expiresAtMs: running.createdAtMs + KEPT_FOR_MS,
    };
    const { field, id: goesOnFrom } = running.goesOn ?? {};
    for (const responseId of [
      textOf(responseOf(answer)?.['id']),
      field === 'conversation' ? goesOnFrom : undefined,
    ])
      if (responseId !== undefined && isId(responseId)) this.#add({ ...at, responseId });
  }

  find(userId: number, responseId: string, nowMs: number): Promise<KeptResponse | undefined> {
    const waiting = this.#waiting.get(keyOf(userId, responseId));
    if (waiting !== undefined) return Promise.resolve(waiting);
    return isId(responseId) ? this.#store.find(userId, responseId, nowMs) : Promise.resolve(undefined);
  }

  /** Whether it is somebody's, whoever asks. */
  async isKnown(responseId: string, nowMs: number): Promise<boolean> {
    for (const kept of this.#waiting.values()) if (kept.responseId === responseId) return true;
    return isId(responseId) && this.#store.isKnown(responseId, nowMs);
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

const keyOf = (userId: number, responseId: string): string => `${String(userId)} ${responseId}`;

const isId = (text: string): boolean => text.length <= KEPT_ID_MAX_LENGTH && ID.test(text);
