import type { Socket } from 'node:net';
import { addressKey } from '#core/address-key.ts';
import type { Clock } from '#core/clock.ts';
import { plainAddress } from './client-address.ts';

const TICK_MS = 2000;
/** A caller that has read nothing of what waits for it in this time is cut off. */
const UNREAD_MS = 60_000;
/** A connection that was ended here may take this long to be closed there. */
const CLOSING_MS = 10_000;
/** What still comes of a body nobody reads any more is dropped, so that the caller sees the answer; within bounds. */
const DROPPED_MAX_BYTES = 64 * 1024 * 1024;
const DROPPED_MS = 30_000;
/** Connections without a call are kept this long; of somebody whose key or session was good, the longer time. */
const IDLE_MS = 75_000;
const UNKNOWN_IDLE_MS = 15_000;

/** What node keeps of a socket beside its streams: how much it was given, and how much of that the kernel has not taken. */
interface Handle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/** Bytes the kernel has taken. Node knows it for its own timeouts; nothing public says how far one large write is. */
const takenBytes = (socket: Socket): number => {
  const { _handle: handle } = socket as unknown as { readonly _handle?: Handle | null };
  if (handle === undefined || handle === null) return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
};

/** Whoever is at the other end of one connection. */
export class Visitor {
  readonly socket: Socket;
  /** Undefined for a trusted proxy, which many come through. */
  readonly address: string | undefined;
  /** A call over it had a key or a session that was good. */
  isKnown: boolean;
  /** Requests over it that node's server has read and that are not answered. */
  unanswered = 0;
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

  get idleMs(): number {
    return this.isKnown ? IDLE_MS : UNKNOWN_IDLE_MS;
  }

  /** The answer is written, and the rest of the call's body still comes; `isOver` once it has. */
  dropRest(nowMs: number, isOver: () => boolean): void {
    const untilBytes = this.socket.bytesRead + DROPPED_MAX_BYTES;
    this.#dropping = { untilMs: nowMs + DROPPED_MS, untilBytes, isOver };
  }

  /** Called now and then: cuts the connection where it has stood still, or was to be over, for too long. */
  look(nowMs: number): void {
    const { socket } = this;
    if (this.#isUnread(nowMs) || this.#isEnded(nowMs) || this.#isDropping(nowMs)) socket.destroy();
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

export interface ConnectionLimits {
  /** At once from one address, an IPv6 customer's network being one; trusted proxies are not counted. */
  readonly perAddress: number;
  readonly isTrusted: (address: string) => boolean;
}

/** Every open connection, whoever reads it: how many an address has, and whether what was written is being read. */
export class Connections {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #limits: ConnectionLimits;
  readonly #visitors = new Map<Socket, Visitor>();
  readonly #byAddress = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(clock: Pick<Clock, 'monotonic'>, limits: ConnectionLimits, tickMs = TICK_MS) {
    this.#clock = clock;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#look(), tickMs);
    this.#timer.unref();
  }

  /** Takes a new connection; undefined where its address has as many as it may. */
  admit(socket: Socket): Visitor | undefined {
    const remote = plainAddress(socket.remoteAddress ?? '') ?? '';
    const address = this.#limits.isTrusted(remote) ? undefined : addressKey(remote);
    if (address !== undefined) {
      const count = this.#byAddress.get(address) ?? 0;
      if (count >= this.#limits.perAddress) return undefined;
      this.#byAddress.set(address, count + 1);
    }
    const visitor = new Visitor(socket, address, this.#clock.monotonic());
    this.#visitors.set(socket, visitor);
    socket.once('close', () => this.#forget(visitor));
    return visitor;
  }

  of(socket: Socket): Visitor | undefined {
    return this.#visitors.get(socket);
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #forget({ socket, address }: Visitor): void {
    this.#visitors.delete(socket);
    if (address === undefined) return;
    const left = (this.#byAddress.get(address) ?? 0) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }

  #look(): void {
    const nowMs = this.#clock.monotonic();
    for (const visitor of this.#visitors.values()) visitor.look(nowMs);
  }
}
