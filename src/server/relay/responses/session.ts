import { RELAY_BODY_MAX_BYTES } from '#contract/limits.ts';
import { AppError, asAppError } from '#core/error.ts';
import { closeCode, type MessageSocket, PAUSE_ABOVE_BYTES, sendText } from '#core/outbound/message-socket.ts';
import type { RoomShare } from '#core/limits/shared-room.ts';
import { type CreateEvent, laneOf, readClientEvent } from '../../dialects/openai-responses/client-event.ts';
import { continuedItems } from '../../dialects/openai-responses/reply/turn-output.ts';
import type { RelayCall, ResponsesCall } from '../calls.ts';
import { joined } from '../far/own-bytes.ts';
import { restarting } from '../live-calls.ts';
import { type Presence, watchPresence } from '../presence.ts';
import {
  CONNECTION_LIFE_MS,
  lifeIsOver,
  notRunning,
  ownErrorEvent,
  previousNotFound,
} from './error-event.ts';
import { AHEAD_BYTES, type FrameCarrier, FrameReply } from './frame-reply.ts';
import type { Histories } from './histories.ts';
import { Lanes, type Turn } from './lanes.ts';
import { warmUpEvents } from './warm-up.ts';

/** A caller that does not answer the close frame by then is cut off. */
const CLOSE_MS = 3000;

export interface SessionDeps {
  /** Serves a call as if it had come over HTTP. Never rejects. */
  readonly serve: (call: RelayCall) => Promise<void>;
  /** Throws unless the connection's key is still valid. */
  readonly authenticate: () => Promise<unknown>;
  /** Whether an upstream keeps this response of the user. */
  readonly isKept: (responseId: string) => Promise<boolean>;
  readonly histories: Histories;
  readonly userId: number;
  /** Returns a new, unique response id. */
  readonly newResponseId: () => string;
  readonly nowMs: () => number;
}

/**
 * One WebSocket of `/v1/responses`. Each `response.create` is a call of its own, as if its body had been posted; the
 * connection only remembers what the next turn continues from. Lanes run in parallel; the turns of one lane run one
 * after the other.
 */
export class Session implements FrameCarrier {
  readonly socket: MessageSocket;
  /** Resolves when the connection is closed and all its calls are settled. */
  readonly ended: Promise<void>;
  readonly #deps: SessionDeps;
  readonly #call: ResponsesCall;
  readonly #share: RoomShare;
  readonly #lanes = new Lanes();
  readonly #replies = new Set<FrameReply>();
  readonly #presence: Presence;
  readonly #life: NodeJS.Timeout;
  #waitingForRoom: (() => void)[] = [];
  #isPaused = false;
  #isClosed = false;
  /** Why no further turn is served. */
  #closing: { readonly code: number; readonly error: AppError } | undefined;
  #resolveEnded: () => void = () => undefined;

  constructor(deps: SessionDeps, call: ResponsesCall, socket: MessageSocket) {
    this.#deps = deps;
    this.#call = call;
    this.#share = call.roomFor(deps.userId);
    this.socket = socket;
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
    this.#presence = watchPresence([socket], () => undefined);
    this.#life = setTimeout(() => this.#endWith(closeCode.normal, lifeIsOver()), CONNECTION_LIFE_MS);
    this.#life.unref();
    socket.onMessage = this.#hear;
    socket.onSent = this.#sent;
    socket.onClose = this.#closed;
    socket.resume();
  }

  /**
   * Stops serving because the server stops: running responses end as they do over HTTP, and then the connection closes.
   */
  stop(): void {
    this.#endWith(closeCode.goingAway, restarting());
  }

  drained(): Promise<void> {
    if (this.#isClosed || this.socket.waitingBytes <= AHEAD_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waitingForRoom.push(resolve));
  }

  readonly #hear = (data: Buffer): void => {
    this.#presence.seen(this.socket);
    if (this.#isClosed) return;
    try {
      const event = readClientEvent(data);
      if (event.type === 'create') this.#take(event, data.length);
      else if (event.type === 'interrupt') this.#interrupt(event.responseId);
    } catch (thrown) {
      this.#tell(asAppError(thrown), laneOf(data));
    }
    if (this.#isPaused || this.socket.waitingBytes <= PAUSE_ABOVE_BYTES) return;
    this.#isPaused = true;
    this.socket.pause();
  };

  /** A response that has just ended needs no error: its caller receives its end first. */
  #interrupt(responseId: string): void {
    const isRunning = [...this.#replies].some((reply) => reply.interrupt(responseId));
    if (!isRunning && this.#lanes.find(responseId) === undefined) throw notRunning(responseId);
  }

  #take(event: CreateEvent, bytes: number): void {
    if (this.#closing !== undefined) throw this.#closing.error;
    this.#share.take(bytes);
    try {
      this.#lanes.add(event, bytes);
    } catch (thrown) {
      this.#share.give(bytes);
      throw thrown;
    }
    this.#runNext();
  }

  #runNext(): void {
    for (let turn = this.#lanes.next(); turn !== undefined; turn = this.#lanes.next()) void this.#run(turn);
  }

  async #run(turn: Turn): Promise<void> {
    try {
      if (turn.event.generates) await this.#answer(turn);
      else await this.#warmUp(turn);
    } catch (thrown) {
      this.#failed(turn, asAppError(thrown).status);
      this.#tell(asAppError(thrown), turn.event.streamId);
    }
    this.#share.give(turn.bytes);
    this.#lanes.over(turn);
    if (!this.#isClosed) this.#runNext();
    this.#closeIfOver();
  }

  async #answer(turn: Turn): Promise<void> {
    const { event } = turn;
    const before = await this.#before(event);
    const input = before.all && event.input && (await joined(event.input));
    const turnEnd = {
      ended: (id: string, items: Parameters<typeof continuedItems>[1], end: 'whole' | 'cut') => {
        const all = before.all && input && continuedItems([...before.all, input], items);
        // An upstream that was stopped may not keep the response, so the next turn sends the whole history.
        this.#keep(turn, id, all, end === 'whole' ? 'as-asked' : 'never');
      },
      failed: (status: number) => this.#failed(turn, status),
    };
    const reply = new FrameReply(this, turnEnd, event.streamId);
    if (this.#isClosed) return;
    this.#replies.add(reply);
    let bodyBytes = 0;
    await this.#deps.serve({
      ...this.#call.common,
      requestId: this.#call.nextRequestId(),
      reply,
      readBody: async () => {
        const pieces = event.body(before.sent);
        const bytes = lengthOf(pieces);
        if (bytes > RELAY_BODY_MAX_BYTES)
          throw new AppError('payload_too_large', 'the conversation is larger than 32 MiB');
        this.#share.take(bytes);
        bodyBytes = bytes;
        return joined(pieces);
      },
    });
    this.#share.give(bodyBytes);
    this.#replies.delete(reply);
    if (!this.#isClosed) reply.tellInterrupted();
  }

  /**
   * The history before a turn, if this connection knows it, and the part of it to send: nothing if the upstream keeps
   * it. Throws `invalid_request` if nobody knows it.
   */
  async #before(event: CreateEvent): Promise<Before> {
    const { previousId } = event;
    if (previousId === undefined) return { all: event.isOfConversation ? undefined : [], sent: undefined };
    const known = this.#lanes.find(previousId);
    const items = known?.items;
    if (items === undefined) {
      if (!event.mayBeKept && !(await this.#deps.isKept(previousId))) throw previousNotFound(previousId);
      return { all: undefined, sent: undefined };
    }
    const isKept = known?.mayBeKept === true && (await this.#deps.isKept(previousId));
    return { all: items, sent: isKept ? undefined : items };
  }

  /** Answers a request that generates nothing: keeps the history for the next turn, and makes no call. */
  async #warmUp(turn: Turn): Promise<void> {
    const { event } = turn;
    await this.#deps.authenticate();
    const { all } = await this.#before(event);
    if (this.#isClosed) return;
    const { streamId, model } = event;
    const input = await joined(event.input ?? []);
    const response = { id: this.#deps.newResponseId(), model, createdAtMs: this.#deps.nowMs() };
    // No upstream keeps a warm-up, whatever was asked.
    if (all !== undefined)
      this.#keep(turn, response.id, all.length + input.length > 0 ? [...all, input] : [], 'never');
    for (const data of warmUpEvents(response, streamId)) sendText(this.socket, data);
  }

  #keep(
    { lane, event }: Turn,
    responseId: string,
    items: readonly Buffer[] | undefined,
    upstreamKeeps: 'as-asked' | 'never',
  ): void {
    const mayBeKept = upstreamKeeps === 'as-asked' && event.mayBeKept;
    const { histories, userId: user } = this.#deps;
    histories.drop(lane.latest);
    const { address } = this.#call;
    lane.latest =
      items === undefined || responseId === '' || this.#isClosed
        ? undefined
        : histories.keep({ responseId, items, mayBeKept, user, address });
  }

  /**
   * Ends a failed turn. Its lane forgets the history that could not be continued; other lanes may still continue it. A
   * turn that was refused for lack of money or rate says nothing about it. If the key is no longer valid, the connection
   * closes.
   */
  #failed({ lane, event }: Turn, status: number): void {
    if (lane.latest?.responseId === event.previousId && !SAYS_NOTHING.has(status)) {
      this.#deps.histories.drop(lane.latest);
      lane.latest = undefined;
    }
    if (status === UNAUTHENTICATED)
      this.#closing ??= {
        code: closeCode.policy,
        error: new AppError('unauthenticated', 'the key is no longer valid'),
      };
  }

  #tell(error: AppError, streamId: string | undefined): void {
    if (!this.#isClosed) sendText(this.socket, ownErrorEvent(error, this.#call.common.requestId, streamId));
  }

  #endWith(code: number, error: AppError): void {
    this.#closing ??= { code, error };
    this.#closeIfOver();
  }

  /** Closes the connection if no further turn is to be served and nothing runs any more. */
  #closeIfOver(): void {
    if (this.#isClosed) {
      if (this.#lanes.isIdle) this.#settled();
      return;
    }
    if (this.#closing === undefined || !this.#lanes.isIdle) return;
    const { code, error } = this.#closing;
    if (code !== closeCode.policy) this.#tell(error, undefined);
    this.socket.close(code, error.message);
    setTimeout(() => this.socket.cut(), CLOSE_MS).unref();
  }

  readonly #sent = (): void => {
    const { waitingBytes } = this.socket;
    if (waitingBytes > AHEAD_BYTES) return;
    for (const resume of this.#waitingForRoom.splice(0)) resume();
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.socket.resume();
  };

  readonly #closed = (): void => {
    this.#isClosed = true;
    clearTimeout(this.#life);
    this.#presence.stop();
    const { turns, histories } = this.#lanes.clear();
    for (const { bytes } of turns) this.#share.give(bytes);
    for (const history of histories) this.#deps.histories.drop(history);
    for (const reply of this.#replies) reply.lost();
    for (const resume of this.#waitingForRoom.splice(0)) resume();
    this.#closeIfOver();
  };

  #settled(): void {
    this.#share.release();
    this.#resolveEnded();
  }
}

const lengthOf = (pieces: readonly Buffer[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

interface Before {
  readonly all: readonly Buffer[] | undefined;
  readonly sent: readonly Buffer[] | undefined;
}

const UNAUTHENTICATED = 401;
/** Statuses of refusals after which the same turn may be sent again. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([402, 403, 429]);
