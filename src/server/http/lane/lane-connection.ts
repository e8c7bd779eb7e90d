import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Relay } from '../../relay/ports.ts';
import type { Arrival } from '../front-door-deps.ts';
import { type CallRoute, FrontCall } from '../front-call.ts';
import type { RelayBodies } from '../relay-body.ts';
import { callAt } from '../relay-paths.ts';
import { type LaneHead, readLaneHead } from './lane-head.ts';
import { LaneReply, type ReplyCarrier } from './lane-reply.ts';

export interface LaneDeps {
  readonly relay: Pick<Relay, 'serve'>;
  readonly bodies: RelayBodies;
  readonly arrivalOf: (request: {
    readonly headers: IncomingHttpHeaders;
    readonly socket: Socket;
  }) => Arrival;
  /** Gives a connection with what came over it to node's server, for good. */
  readonly handOver: (socket: Socket, bytes: Buffer) => void;
  /** Ends a connection with a status and nothing more. */
  readonly turnAway: (socket: Socket, status: string) => void;
  readonly isStopping: () => boolean;
  readonly nowMs: () => number;
  readonly date: () => string;
  readonly closed: (connection: LaneConnection) => void;
}

const IDLE_MS = 75_000;
const BODY_MS = 120_000;
const HEAD_END = '\r\n\r\n';
/** A caller that sends its next call before the answer is kept waiting with this much of it. */
const AHEAD_MAX_BYTES = 64 * 1024;

/** A call whose body has not all come. */
interface Coming {
  readonly head: LaneHead;
  readonly route: CallRoute;
  readonly pieces: Buffer[];
  received: number;
}

/** A connection whose calls are read here, as long as there is nothing unusual about them. */
export class LaneConnection implements ReplyCarrier {
  readonly socket: Socket;
  readonly #deps: LaneDeps;
  #coming: Coming | undefined;
  #reply: LaneReply | undefined;
  /** What came while a call was being answered. */
  #ahead: Buffer | undefined;
  #closesAfter = false;
  #sinceMs: number;
  #lastText = '';
  #lastHead: LaneHead | undefined;

  constructor(socket: Socket, deps: LaneDeps) {
    this.socket = socket;
    this.#deps = deps;
    this.#sinceMs = deps.nowMs();
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isIdle(): boolean {
    return this.#coming === undefined && this.#reply === undefined && this.#ahead === undefined;
  }

  /** Called now and then: ends what has waited too long. */
  tick(nowMs: number): void {
    if (this.#reply !== undefined) this.#sinceMs = nowMs;
    else if (this.#coming === undefined && nowMs - this.#sinceMs > IDLE_MS) this.socket.destroy();
    else if (this.#coming !== undefined && nowMs - this.#sinceMs > BODY_MS)
      this.#deps.turnAway(this.socket, '408 Request Timeout');
  }

  date(): string {
    return this.#deps.date();
  }

  staysOpen(): boolean {
    this.#closesAfter ||= this.#deps.isStopping();
    return !this.#closesAfter;
  }

  /** The answer is written: the connection is free for the next call. */
  ended(): void {
    this.#reply = undefined;
    if (this.#closesAfter || this.#deps.isStopping()) {
      this.socket.destroySoon();
      return;
    }
    // Not in the middle of the answer's last step.
    if (this.#ahead !== undefined) setImmediate(this.#goAhead);
  }

  readonly #goAhead = (): void => {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (ahead === undefined || this.socket.destroyed) return;
    if (this.socket.isPaused()) this.socket.resume();
    this.#begin(ahead);
  };

  readonly #onData = (bytes: Buffer): void => {
    if (this.#reply !== undefined || this.#ahead !== undefined) this.#keepAhead(bytes);
    else if (this.#coming === undefined) this.#begin(bytes);
    else this.#goOn(this.#coming, bytes);
  };

  #keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === undefined ? bytes : Buffer.concat([this.#ahead, bytes]);
    if (this.#ahead.length > AHEAD_MAX_BYTES) this.socket.pause();
  }

  #begin(bytes: Buffer): void {
    const end = bytes.indexOf(HEAD_END, 0, 'latin1');
    const head = end === -1 ? undefined : this.#headOf(bytes.toString('latin1', 0, end));
    const mark = head?.target.indexOf('?') ?? -1;
    const route = head === undefined ? undefined : routeOf(head.target, mark);
    if (head === undefined || route === undefined || !this.#deps.bodies.hasRoom(head.contentLength)) {
      this.#leave();
      this.#deps.handOver(this.socket, bytes);
      return;
    }
    const from = end + HEAD_END.length;
    if (bytes.length - from === head.contentLength) this.#serve(head, route, bytes.subarray(from));
    else {
      this.#coming = { head, route, pieces: [], received: 0 };
      this.#sinceMs = this.#deps.nowMs();
      this.#goOn(this.#coming, bytes.subarray(from));
    }
  }

  /** Programs send the same head over and over: it is read once. */
  #headOf(text: string): LaneHead | undefined {
    if (text === this.#lastText) return this.#lastHead;
    const head = readLaneHead(text);
    this.#lastText = text;
    this.#lastHead = head;
    return head;
  }

  #goOn(coming: Coming, bytes: Buffer): void {
    const missing = coming.head.contentLength - coming.received;
    const piece = bytes.length > missing ? bytes.subarray(0, missing) : bytes;
    coming.pieces.push(piece);
    coming.received += piece.length;
    this.#deps.bodies.count(piece.length);
    if (coming.received < coming.head.contentLength) return;
    this.#coming = undefined;
    this.#deps.bodies.giveMemory(coming.received);
    if (bytes.length > missing) this.#ahead = Buffer.from(bytes.subarray(missing));
    this.#serve(coming.head, coming.route, Buffer.concat(coming.pieces, coming.received));
  }

  #serve(head: LaneHead, route: CallRoute, body: Buffer): void {
    const { relay, arrivalOf, bodies } = this.#deps;
    const arrival = arrivalOf({ headers: head.headers, socket: this.socket });
    const mark = head.target.indexOf('?');
    const path = mark === -1 ? head.target : head.target.slice(0, mark);
    const query = mark === -1 ? '' : head.target.slice(mark + 1);
    this.#closesAfter = head.closes;
    this.#reply = new LaneReply(this, arrival.requestId);
    bodies.count(body.length);
    const call = new FrontCall(route, arrival, head.headers, path, query, body, this.#reply);
    void relay.serve(call).then(() => bodies.giveMemory(body.length));
  }

  readonly #onDrain = (): void => this.#reply?.drain();

  /** The caller will send nothing more; nobody waits for an answer on a connection half closed. */
  readonly #onEnd = (): void => {
    if (this.isIdle) this.socket.destroySoon();
    else this.socket.destroy();
  };

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onClose = (): void => {
    if (this.#coming !== undefined) this.#deps.bodies.giveMemory(this.#coming.received);
    this.#coming = undefined;
    this.#deps.closed(this);
    this.#reply?.lost();
  };

  #leave(): void {
    this.socket.off('data', this.#onData);
    this.socket.off('end', this.#onEnd);
    this.socket.off('drain', this.#onDrain);
    this.socket.off('error', this.#onError);
    this.socket.off('close', this.#onClose);
    this.#deps.closed(this);
  }
}

const routeOf = (target: string, mark: number): CallRoute | undefined =>
  mark === -1 ? callAt(target, '') : callAt(target.slice(0, mark), target.slice(mark + 1));
