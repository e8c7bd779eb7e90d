import { type Owner, SharedRoom } from '#core/limits/shared-room.ts';

/** The limit of all histories of this relay together. */
const MAX_BYTES = 128 * 1024 * 1024;
/** The memory a history takes beside its text, estimated. */
const ENTRY_BYTES = 512;

/** What a later turn on the same connection continues from. It may be dropped between turns. */
export interface History {
  readonly responseId: string;
  /** Items of a JSON list, without brackets; undefined when it was dropped. */
  readonly items: readonly Buffer[] | undefined;
  /** Whether the upstream may keep the response too. */
  readonly mayBeKept: boolean;
}

interface CountedHistory extends History {
  items: readonly Buffer[] | undefined;
  readonly bytes: number;
  readonly user: number;
  readonly address: Owner;
}

export interface NewHistory extends Pick<CountedHistory, 'responseId' | 'mayBeKept' | 'user' | 'address'> {
  readonly items: readonly Buffer[];
}

/**
 * The histories of all connections, in bounded memory that no user can fill alone. A user who needs more loses their
 * own oldest histories: the next turn of such a history gets the error that its response is not found, and clients
 * then send the whole history.
 */
export class Histories {
  readonly #room: SharedRoom;
  readonly #mostBytes: number;
  readonly #byUser = new Map<number, Set<CountedHistory>>();

  constructor(maxBytes = MAX_BYTES) {
    this.#room = new SharedRoom(maxBytes);
    this.#mostBytes = Math.floor(maxBytes / 4);
  }

  get heldBytes(): number {
    return this.#room.heldBytes;
  }

  /** Keeps a history until it is dropped; undefined if there is no room for it. */
  keep({ responseId, items, mayBeKept, user, address }: NewHistory): History | undefined {
    const bytes = items.reduce((sum, { length }) => sum + length, ENTRY_BYTES);
    if (bytes > this.#mostBytes) return undefined;
    while (!this.#takes(bytes, user, address)) {
      const oldest = this.#byUser.get(user)?.values().next();
      if (oldest === undefined || oldest.done === true) return undefined;
      this.#forget(oldest.value);
    }
    // Copied, because frames and bodies are freed when their call ends: a history must not keep their memory alive.
    const counted: CountedHistory = {
      responseId,
      items: items.map(ownBytes),
      mayBeKept,
      user,
      address,
      bytes,
    };
    const all = this.#byUser.get(user) ?? new Set();
    all.add(counted);
    this.#byUser.set(user, all);
    return counted;
  }

  drop(history: History | undefined): void {
    const counted = history as CountedHistory | undefined;
    if (counted?.items !== undefined) this.#forget(counted);
  }

  #takes(bytes: number, user: number, address: Owner): boolean {
    try {
      this.#room.take(bytes, user, address);
      return true;
    } catch {
      return false;
    }
  }

  #forget(counted: CountedHistory): void {
    counted.items = undefined;
    this.#room.give(counted.bytes, counted.user, counted.address);
    const all = this.#byUser.get(counted.user);
    all?.delete(counted);
    if (all?.size === 0) this.#byUser.delete(counted.user);
  }
}

const ownBytes = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};
