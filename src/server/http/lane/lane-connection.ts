import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Relay } from '../../relay/ports.ts';
import type { Arrival } from '../door/front-door-deps.ts';
import { type CallRoute, FrontCall } from '../calls/front-call.ts';
import type { RelayBodies } from '../bodies/relay-body.ts';
import { callAt } from '../calls/relay-paths.ts';
import type { Visitor } from '../door/visitor.ts';
import { LaneBody } from './lane-body.ts';
import { HEAD_MAX_BYTES, type LaneHead, readLaneHead } from './lane-head.ts';
import { LaneReply, type ReplyCarrier } from './lane-reply.ts';

export interface LaneDeps {
  readonly relay: Pick<Relay, 'serve'>;
  readonly bodies: RelayBodies;
  readonly arrivalOf: (request: {
    readonly headers: IncomingHttpHeaders;
    readonly socket: Socket;
  }) => Arrival;
  /** Hands a connection and its received bytes to node's server, for good. */
  readonly handOver: (socket: Socket, bytes: Buffer) => void;
  /** Ends a connection with a status line only. */
  readonly turnAway: (socket: Socket, status: string) => void;
  readonly isStopping: () => boolean;
  readonly nowMs: () => number;
  readonly date: () => string;
  readonly closed: (connection: LaneConnection) => void;
  /** The one that read headers last, while it is open. */
  readonly latest: { connection: LaneConnection | undefined };
}

const BODY_MS = 120_000;
/** How long a connection that waits for its next call remembers the headers of the last, which have its caller's key. */
const HEAD_KEPT_MS = 10_000;
const [CR, LF] = [0x0d, 0x0a];
const HEAD_END_BYTES = 4;
/** A caller that pipelines its next call is paused after this many bytes. */
const AHEAD_MAX_BYTES = 16 * 1024;

/** A connection whose calls are parsed here as long as they are ordinary. */
export class LaneConnection implements ReplyCarrier {
  readonly socket: Socket;
  readonly #visitor: Visitor;
  readonly #deps: LaneDeps;
  /** The body of a call, until it is complete. */
  #body: LaneBody | undefined;
  #reply: LaneReply | undefined;
  /** Bytes that arrived while a call was being answered. */
  #ahead: Buffer | undefined;
  #closesAfter = false;
  /** When the last answer or the body that is arriving began to be waited for. */
  #sinceMs: number;
  /** The headers read last. */
  #head: LaneHead | undefined;

  constructor(visitor: Visitor, deps: LaneDeps) {
    const { socket } = visitor;
    this.socket = socket;
    this.#visitor = visitor;
    this.#deps = deps;
    this.#sinceMs = deps.nowMs();
    socket.on('data', this.#onData);
    socket.on('end', this.#onEnd);
    socket.on('drain', this.#onDrain);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  get isIdle(): boolean {
    return this.#body === undefined && this.#reply === undefined && this.#ahead === undefined;
  }

  /** Called periodically: ends whatever has waited too long. */
  tick(nowMs: number): void {
    const waitedMs = nowMs - this.#sinceMs;
    if (this.#body !== undefined) {
      if (this.#reply !== undefined && waitedMs > BODY_MS) this.#timeOut(this.#body, this.#reply);
    } else if (this.#reply !== undefined || this.socket.writableLength > 0) {
      // An answer is being made, or the caller is still reading it.
      this.#sinceMs = nowMs;
    } else if (waitedMs > this.#visitor.idleMs) {
      this.socket.destroy();
    } else if (waitedMs > HEAD_KEPT_MS) {
      this.#head = undefined;
    }
  }

  date(): string {
    return this.#deps.date();
  }

  staysOpen(): boolean {
    this.#closesAfter ||= this.#deps.isStopping();
    return !this.#closesAfter;
  }

  toldIdleSeconds(): number {
    return this.#visitor.toldIdleSeconds;
  }

  /** The answer is written: the next call can start. */
  ended(): void {
    const { socket } = this;
    this.#reply = undefined;
    this.#sinceMs = this.#deps.nowMs();
    this.#closesAfter ||= this.#deps.isStopping();
    if (this.#body !== undefined) this.#dropRest(this.#body);
    else if (this.#closesAfter) socket.destroySoon();
    // Refusals are short: an unknown client that leaves many unread is cut off.
    else if (socket.writableNeedDrain && !this.#visitor.isKnown) socket.destroy();
    // Deferred, because the last step of the answer is still running.
    else if (this.#ahead !== undefined) setImmediate(this.#goAhead);
  }

  /** Answered before its body arrived: the rest is read and dropped, so that the caller sees the answer. */
  #dropRest(body: LaneBody): void {
    body.drop();
    this.#visitor.dropRest(this.#deps.nowMs(), () => this.#body !== body);
    if (this.#closesAfter) this.socket.end();
    this.#flow();
  }

  readonly #goAhead = (): void => {
    const ahead = this.#ahead;
    if (ahead === undefined || this.socket.destroyed) return;
    // The client has to read its answers first: `drain` continues here.
    if (this.socket.writableNeedDrain) return;
    this.#ahead = undefined;
    this.#begin(ahead);
  };

  readonly #onData = (bytes: Buffer): void => {
    if (this.#body !== undefined) this.#goOn(this.#body, bytes);
    else if (this.#reply !== undefined || this.#ahead !== undefined) this.#keepAhead(bytes);
    else if (this.socket.writableEnded) return;
    else if (this.socket.writableNeedDrain) this.#keepAhead(bytes);
    else this.#begin(bytes);
  };

  #keepAhead(bytes: Buffer): void {
    this.#ahead = this.#ahead === undefined ? bytes : Buffer.concat([this.#ahead, bytes]);
    this.#flow();
  }

  /** Pauses or resumes reading: pipelined bytes are limited, and a body is not read before its caller is known. */
  #flow(): void {
    const { socket } = this;
    const body = this.#body;
    const reads =
      body === undefined
        ? this.#ahead === undefined || this.#ahead.length <= AHEAD_MAX_BYTES
        : body.isWanted || this.#reply === undefined;
    if (reads !== socket.isPaused()) return;
    if (reads) socket.resume();
    else socket.pause();
  }

  #begin(bytes: Buffer): void {
    const end = endOfHead(bytes);
    const head = end === -1 ? undefined : this.#headOf(bytes.toString('latin1', 0, end));
    const mark = head?.target.indexOf('?') ?? -1;
    const route = head === undefined ? undefined : routeOf(head.target, mark);
    if (head === undefined || route === undefined) {
      if (this.socket.isPaused()) this.socket.resume();
      this.#leave();
      this.#deps.handOver(this.socket, bytes);
      return;
    }
    const from = end + HEAD_END_BYTES;
    const until = from + head.contentLength;
    if (bytes.length > until) this.#ahead = bytes.subarray(until);
    this.#serve(head, route, bytes.subarray(from, until));
  }

  /** Programs send the same headers over and over, and many at once: those sent last here, or on any connection, are read once. */
  #headOf(text: string): LaneHead | undefined {
    if (text === this.#head?.text) return this.#head;
    const { latest } = this.#deps;
    const other = (latest.connection ?? this).#head;
    latest.connection = this;
    this.#head = text === other?.text ? other : readLaneHead(text, this.#head);
    return this.#head;
  }

  #goOn(body: LaneBody, bytes: Buffer): void {
    const rest = body.take(bytes);
    if (!body.isWhole) return;
    this.#body = undefined;
    if (rest.length > 0) this.#ahead = rest;
    this.#flow();
    if (this.#reply !== undefined) return;
    // It was answered before its body arrived.
    this.#sinceMs = this.#deps.nowMs();
    if (this.#closesAfter) this.socket.destroySoon();
    else this.#goAhead();
  }

  #serve(head: LaneHead, route: CallRoute, first: Buffer): void {
    const { relay, arrivalOf, bodies } = this.#deps;
    const arrival = arrivalOf({ headers: head.headers, socket: this.socket });
    const mark = head.target.indexOf('?');
    const path = mark === -1 ? head.target : head.target.slice(0, mark);
    const query = mark === -1 ? '' : head.target.slice(mark + 1);
    this.#closesAfter = head.closes;
    this.#reply = new LaneReply(this, arrival.requestId);
    const body = new LaneBody(bodies, arrival, head, first, this.#letIn);
    if (!body.isWhole) {
      this.#body = body;
      this.#sinceMs = this.#deps.nowMs();
    }
    const call = new FrontCall(route, arrival, { headers: head.headers, path, query }, body, this.#reply);
    void relay.serve(call).then(() => body.release());
    // By now the relay usually knows the caller.
    this.#flow();
  }

  readonly #letIn = (): void => this.#flow();

  #timeOut(body: LaneBody, reply: LaneReply): void {
    this.#body = undefined;
    this.#reply = undefined;
    body.drop();
    reply.lost();
    this.#deps.turnAway(this.socket, '408 Request Timeout');
  }

  readonly #onDrain = (): void => {
    if (this.#reply !== undefined) this.#reply.drain();
    else if (this.#body === undefined) this.#goAhead();
  };

  /** The caller has closed its side, so nobody waits for an answer. */
  readonly #onEnd = (): void => {
    if (this.isIdle && this.socket.writableLength > 0) this.socket.destroySoon();
    else this.socket.destroy();
  };

  readonly #onError = (): void => void this.socket.destroy();

  readonly #onClose = (): void => {
    this.#body?.drop();
    this.#body = undefined;
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

/** Where the line breaks after the head begin; −1 if they have not arrived, or too late. A loop is faster than `indexOf`. */
const endOfHead = (bytes: Buffer): number => {
  const last = Math.min(bytes.length, HEAD_MAX_BYTES + HEAD_END_BYTES) - 1;
  for (let at = 3; at <= last; at += 1) {
    if (bytes[at] !== LF) at += bytes[at] === CR ? 0 : 3;
    else if (bytes[at - 1] === CR && bytes[at - 2] === LF && bytes[at - 3] === CR) return at - 3;
  }
  return -1;
};

const routeOf = (target: string, mark: number): CallRoute | undefined =>
  mark === -1 ? callAt(target, '') : callAt(target.slice(0, mark), target.slice(mark + 1));
