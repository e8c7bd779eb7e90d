import type { Socket } from 'node:net';
import type { Clock } from '#core/clock.ts';
import { AwakeClock } from '#core/time/awake-clock.ts';
import type { Connect } from './connect.ts';
import { type CallRequest, type Carried, Connection, type Pool } from './connection.ts';

/**
 * How long connections stay open to an upstream that names no time: less than any firewall remembers them. If one turns
 * out to be closed, the call is sent again.
 */
const KEEP_ALIVE_MS = 30_000;
/** The same for a call that may not be sent again: hardly any server closes a connection so soon. */
const SURE_MS = 1000;
const KEEP_ALIVE_MAX_MS = 600_000;
/** Connections are closed this long before the upstream closes them, so that no call is sent into a closing one. */
const KEEP_ALIVE_MARGIN_MS = 1000;
const IDLE_MAX_PER_ORIGIN = 1000;
const TICK_MS = 100;

/** The key of connections a call may use: same origin, same proxy. */
const originOf = ({ url, proxy }: CallRequest): string =>
  proxy === undefined ? url.origin : `${url.origin} ${proxy.address} ${proxy.password.reveal()}`;

/** Idle connections by origin. The most recently used is taken first, so that the others expire and are closed. */
export class ConnectionPool implements Pool {
  readonly #connect: Connect;
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #nowMs: number;
  /** When the tick before the last one was: bytes that are read now arrived after it. */
  #arrivedSinceMs: number;
  #awake: AwakeClock;

  constructor(connect: Connect, clock: Pick<Clock, 'monotonic'>) {
    this.#connect = connect;
    this.#clock = clock;
    this.#nowMs = this.#arrivedSinceMs = clock.monotonic();
    this.#awake = new AwakeClock(TICK_MS, this.#nowMs);
  }

  get awakeMs(): number {
    return this.#awake.nowMs;
  }

  /** Sends a request over an idle connection or a new one, and passes the connection to `carriedBy`. */
  send(request: CallRequest, carried: Carried): void {
    const kept = this.#take(request);
    if (kept !== undefined) this.#begin(kept, request, carried);
    else this.sendAnew(request, carried);
  }

  free(connection: Connection, keepAliveSeconds: number | undefined): void {
    const hintMs =
      keepAliveSeconds === undefined ? KEEP_ALIVE_MS : keepAliveSeconds * 1000 - KEEP_ALIVE_MARGIN_MS;
    let idle = this.#idle.get(connection.origin);
    if (idle === undefined) this.#idle.set(connection.origin, (idle = []));
    if (hintMs <= 0 || this.#isClosed || idle.length >= IDLE_MAX_PER_ORIGIN) {
      connection.destroy();
      return;
    }
    // The upstream counts from when it answered, which was earlier if this process has been stalled since.
    connection.idleUntilMs = this.#arrivedSinceMs + Math.min(hintMs, KEEP_ALIVE_MAX_MS);
    connection.sureUntilMs =
      keepAliveSeconds === undefined ? this.#arrivedSinceMs + SURE_MS : connection.idleUntilMs;
    connection.isKept = true;
    idle.push(connection);
  }

  lost(connection: Connection): void {
    this.#all.delete(connection);
    if (this.#all.size === 0) this.#stopClock();
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#all) connection.destroy();
    this.#idle.clear();
    this.#stopClock();
  }

  #take(request: CallRequest): Connection | undefined {
    const idle = this.#idle.get(originOf(request));
    if (idle === undefined) return undefined;
    // After a stall of this process the next tick may come later than this call.
    const nowMs = this.#clock.monotonic();
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (kept.isUsable && kept.idleUntilMs > nowMs) {
        if (request.mayRepeat || kept.sureUntilMs > nowMs) return kept;
        // All others have been idle for longer.
        idle.push(kept);
        return undefined;
      }
      kept.destroy();
    }
    return undefined;
  }

  #begin(connection: Connection, request: CallRequest, carried: Carried): void {
    if (carried.carriedBy(connection)) connection.carry(request, carried);
    else this.free(connection, undefined);
  }

  sendAnew(request: CallRequest, carried: Carried): void {
    let connection: Connection | undefined;
    // The socket holds both functions as long as it lives. They reach the call only through `first`, so that the call
    // and its body can be freed once it is sent.
    let first: { readonly request: typeof request; readonly carried: typeof carried } | undefined = {
      request,
      carried,
    };
    const receive = (bytes: Buffer): void => connection?.receive(bytes);
    const opened = (error: Error | undefined, socket: Socket | undefined): void => {
      if (first === undefined) return;
      const call = first;
      first = undefined;
      if (socket === undefined) {
        call.carried.failed(error ?? new Error('no connection'), 'unsent');
        return;
      }
      if (this.#isClosed) {
        socket.destroy();
        call.carried.failed(new Error('closed'), 'unsent');
        return;
      }
      this.#startClock();
      connection = new Connection(originOf(call.request), socket, this);
      this.#all.add(connection);
      this.#begin(connection, call.request, call.carried);
    };
    this.#connect(request.url, receive, opened, request.proxy);
  }

  #startClock(): void {
    if (this.#timer !== undefined) return;
    this.#nowMs = this.#arrivedSinceMs = this.#clock.monotonic();
    this.#awake = new AwakeClock(TICK_MS, this.#nowMs, this.#awake.nowMs);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  #stopClock(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    this.#arrivedSinceMs = this.#nowMs;
    this.#nowMs = this.#clock.monotonic();
    this.#awake.look(this.#nowMs);
    // Sockets are read between a timer and `setImmediate`: a call is judged only after its received bytes were read.
    setImmediate(this.#judge);
    for (const [origin, idle] of this.#idle) {
      // They are in the order in which they became idle, but their keep-alive times differ.
      const kept = idle.filter((connection) => {
        if (connection.isUsable && connection.idleUntilMs > this.#nowMs) return true;
        connection.destroy();
        return false;
      });
      if (kept.length === 0) this.#idle.delete(origin);
      else if (kept.length < idle.length) this.#idle.set(origin, kept);
    }
  }

  readonly #judge = (): void => {
    for (const connection of this.#all) connection.judge();
  };
}
