import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey } from '#core/address-key.ts';
import type { Clock } from '#core/clock.ts';
import { plainAddress } from './client-address.ts';
import { Visitor } from './visitor.ts';

const TICK_MS = 2000;

/**
 * The limit of answers given to connections and not read yet. A whole answer may have 64 MiB, which is cheap to request
 * if it consists of numbers, so a few hundred callers who do not read could fill the memory.
 */
export const UNREAD_MAX_BYTES = 512 * 1024 * 1024;

/** Counts open connections by address. */
export interface AddressCounts {
  /** Counts one more, unless there are `most` already. @returns whether it was counted */
  take(address: string, most: number): boolean;
  give(address: string): void;
}

class OwnCounts implements AddressCounts {
  readonly #counts = new Map<string, number>();

  take(address: string, most: number): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (count >= most) return false;
    this.#counts.set(address, count + 1);
    return true;
  }

  give(address: string): void {
    const left = (this.#counts.get(address) ?? 0) - 1;
    if (left > 0) this.#counts.set(address, left);
    else this.#counts.delete(address);
  }
}

export interface ConnectionLimits {
  /** The most connections from one address (for IPv6, one customer network); trusted proxies are not counted. */
  readonly perAddress: number;
  /** Counted in this thread alone by default. */
  readonly addressCounts?: AddressCounts | undefined;
  /** The most connections of all addresses together. */
  readonly most: number;
  readonly isTrusted: (address: string) => boolean;
  /** Unread bytes of all answers; 512 MiB by default. */
  readonly unreadMaxBytes?: number | undefined;
}

/** The clients of one address, with the unread bytes of their answers. */
interface Group {
  bytes: number;
  readonly visitors: { readonly visitor: Visitor; readonly bytes: number }[];
}

/** Why a connection is not accepted: its address has too many, or all together are too many. */
export type Refused = '429 Too Many Requests' | '503 Service Unavailable';

/** All open connections: counts them by address, and cuts those whose client does not read. */
export class Connections {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limits: ConnectionLimits;
  readonly #visitors = new Map<Duplex, Visitor>();
  /** Visitors that were not known at the last check, oldest first. */
  readonly #strangers = new Set<Visitor>();
  readonly #byAddress: AddressCounts;
  readonly #timer: NodeJS.Timeout;

  constructor(clock: Pick<Clock, 'monotonic'>, limits: ConnectionLimits, tickMs = TICK_MS) {
    this.#clock = clock;
    this.#limits = limits;
    this.#byAddress = limits.addressCounts ?? new OwnCounts();
    // As in the lane: sockets are read before they are checked.
    this.#timer = setInterval(() => setImmediate(this.#look), tickMs);
    this.#timer.unref();
  }

  /** Accepts a new connection, if necessary in place of a stranger's. */
  admit(socket: Socket): Visitor | Refused {
    const remote = plainAddress(socket.remoteAddress ?? '') ?? '';
    const address = this.#limits.isTrusted(remote) ? undefined : addressKey(remote);
    if (address !== undefined && !this.#byAddress.take(address, this.#limits.perAddress))
      return '429 Too Many Requests';
    if (this.#visitors.size >= this.#limits.most && !this.#cutStranger()) {
      if (address !== undefined) this.#byAddress.give(address);
      return '503 Service Unavailable';
    }
    const visitor = new Visitor(socket, address, this.#clock.monotonic());
    this.#visitors.set(socket, visitor);
    if (!visitor.isKnown) this.#strangers.add(visitor);
    socket.once('close', () => this.#forget(visitor));
    return visitor;
  }

  of(socket: Duplex): Visitor | undefined {
    return this.#visitors.get(socket);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #forget(visitor: Visitor): void {
    const { socket, address } = visitor;
    this.#visitors.delete(socket);
    this.#strangers.delete(visitor);
    if (address !== undefined) this.#byAddress.give(address);
  }

  /**
   * Closes the oldest connection without a valid key or session. Honest callers show one at once, so whoever only
   * holds connections open loses them again, from however many addresses.
   */
  #cutStranger(): boolean {
    for (const visitor of this.#strangers) {
      this.#strangers.delete(visitor);
      if (visitor.isKnown || visitor.socket.destroyed) continue;
      visitor.socket.destroy();
      return true;
    }
    return false;
  }

  readonly #look = (): void => {
    const nowMs = this.#clock.monotonic();
    for (const visitor of this.#visitors.values()) visitor.look(nowMs);
    this.#cutUnread(this.#limits.unreadMaxBytes ?? UNREAD_MAX_BYTES);
  };

  /**
   * Keeps unread answers within their limit: cuts connections of the address that has the most, beginning with the one
   * that has not read for longest.
   */
  #cutUnread(maxBytes: number): void {
    const groups = new Map<string | Visitor, Group>();
    let total = 0;
    for (const visitor of this.#visitors.values()) {
      const bytes = visitor.unreadBytes;
      if (bytes === 0) continue;
      total += bytes;
      const key = visitor.address ?? visitor.lastClient ?? visitor;
      const group = groups.get(key) ?? { bytes: 0, visitors: [] };
      groups.set(key, group);
      group.bytes += bytes;
      group.visitors.push({ visitor, bytes });
    }
    while (total > maxBytes) {
      const greediest = [...groups.values()].reduce((most, group) =>
        group.bytes > most.bytes ? group : most,
      );
      const [cut] = greediest.visitors.sort(
        (left, right) => left.visitor.takenAtMs - right.visitor.takenAtMs || right.bytes - left.bytes,
      );
      if (cut === undefined) return;
      greediest.visitors.shift();
      greediest.bytes -= cut.bytes;
      total -= cut.bytes;
      cut.visitor.socket.destroy();
    }
  }
}
