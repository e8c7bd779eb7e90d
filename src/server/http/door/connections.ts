import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressKey } from '#core/address-key.ts';
import type { Clock } from '#core/clock.ts';
import { plainAddress } from './client-address.ts';
import type { SeenKey } from '../../relay/calls.ts';

const TICK_MS = 2000;
/** A caller that has read nothing for this long while data waits for it is cut off. */
const UNREAD_MS = 60_000;
/** How long the other side may take to close a connection we have ended. */
const CLOSING_MS = 10_000;
/** The rest of an unwanted body is read and dropped, so that the caller sees the answer; up to this limit. */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024;
const DROPPED_MS = 30_000;
/** How long idle connections are kept; for callers whose key or session was valid, longer. */
const IDLE_MS = 75_000;
const UNKNOWN_IDLE_MS = 15_000;

/**
 * The limit of answers given to connections and not read yet. A whole answer may have 64 MiB, which is cheap to request
 * if it consists of numbers, so a few hundred callers who do not read could fill the memory.
 */
export const UNREAD_MAX_BYTES = 512 * 1024 * 1024;

/** As long as a body may take over HTTP: a message of a WebSocket, from its first byte to its last. */
const MESSAGE_MS = 120_000;

/** The messages of a WebSocket. */
export interface Messages {
  /** The number of the one that is arriving; undefined while none is. */
  readonly arriving: number | undefined;
  /** Ends the connection: its message took too long. */
  late(): void;
}

/** Node's counts for a socket: bytes given to it, and bytes the kernel has not taken. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

const isHandle = (value: unknown): value is Handle =>
  typeof value === 'object' && value !== null && 'bytesWritten' in value && 'writeQueueSize' in value;

/**
 * Bytes the kernel has taken. Node uses this for its own timeouts; no public API shows the progress of one large write.
 */
const takenBytes = (socket: Socket): number => {
  const handle = '_handle' in socket ? socket._handle : undefined;
  if (!isHandle(handle)) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
};

/** The client of one connection. */
export class Visitor {
  readonly socket: Socket;
  /** Undefined for a trusted proxy, because many clients share it. */
  readonly address: string | undefined;
  /** For a trusted proxy: the address of the client whose request came last, because its answer may be unread. */
  lastClient: string | undefined;
  /** A call on this connection had a valid key or session. */
  isKnown: boolean;
  readonly seenKey: SeenKey = { sent: '', key: '', channelId: undefined, digest: '' };
  /** Answers that node's server has yet to send, in order. */
  readonly answers = new Set<Pick<ServerResponse, 'socket' | 'writableLength' | 'req' | 'once'>>();
  /** Once the connection is a WebSocket. */
  messages: Messages | undefined;
  #arriving: number | undefined;
  #arrivingSinceMs = 0;
  #takenBytes = 0;
  #takenAtMs: number;
  #endedAtMs: number | undefined;
  #dropping: { readonly untilMs: number; readonly untilBytes: number; isOver: () => boolean } | undefined;

  constructor(socket: Socket, address: string | undefined, nowMs: number) {
    this.socket = socket;
    this.address = address;
    this.isKnown = address === undefined;
    this.#takenAtMs = nowMs;
  }

  /** Bytes of answers buffered in this process, including those that wait for an earlier one. */
  get unreadBytes(): number {
    let bytes = this.socket.writableLength;
    for (const answer of this.answers) if (answer.socket === null) bytes += answer.writableLength;
    return bytes;
  }

  /** When the client last took data, as of the last check. */
  get takenAtMs(): number {
    return this.#takenAtMs;
  }

  get idleMs(): number {
    return this.isKnown ? IDLE_MS : UNKNOWN_IDLE_MS;
  }

  /** The answer is written while the rest of the body is still arriving; `isOver` says when it has arrived. */
  dropRest(nowMs: number, isOver: () => boolean): void {
    const untilBytes = this.socket.bytesRead + DROPPED_MAX_BYTES;
    this.#dropping = { untilMs: nowMs + DROPPED_MS, untilBytes, isOver };
  }

  /** Called periodically: cuts the connection if it made no progress, or should have ended, for too long. */
  look(nowMs: number): void {
    const { socket } = this;
    if (this.#isUnread(nowMs) || this.#isEnded(nowMs) || this.#isDropping(nowMs)) socket.destroy();
    else if (this.messages !== undefined && this.#isTrickled(this.messages, nowMs)) this.messages.late();
  }

  /** Whether a message has taken too long. Time while we do not read does not count. */
  #isTrickled({ arriving }: Messages, nowMs: number): boolean {
    if (arriving === undefined || arriving !== this.#arriving || this.socket.isPaused()) {
      this.#arriving = arriving;
      this.#arrivingSinceMs = nowMs;
      return false;
    }
    return nowMs - this.#arrivingSinceMs >= MESSAGE_MS;
  }

  #isUnread(nowMs: number): boolean {
    const taken = takenBytes(this.socket);
    if (this.socket.writableLength === 0 || taken !== this.#takenBytes) {
      this.#takenBytes = taken;
      this.#takenAtMs = nowMs;
    }
    return nowMs - this.#takenAtMs >= UNREAD_MS;
  }

  #isEnded(nowMs: number): boolean {
    if (!this.socket.writableFinished) return false;
    this.#endedAtMs ??= nowMs;
    return nowMs - this.#endedAtMs >= CLOSING_MS;
  }

  #isDropping(nowMs: number): boolean {
    const dropping = this.#dropping;
    if (dropping === undefined) return false;
    if (!dropping.isOver()) return nowMs >= dropping.untilMs || this.socket.bytesRead > dropping.untilBytes;
    this.#dropping = undefined;
    return false;
  }
}

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
