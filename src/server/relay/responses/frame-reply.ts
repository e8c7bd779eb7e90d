import { type MessageSocket, sendText } from '#core/outbound/message-socket.ts';
import { parsedFields, fieldsOf, type Fields } from '#core/json/fields.ts';
import type { Frame } from '../../dialects/frame.ts';
import { TurnOutput } from '../../dialects/openai-responses/reply/turn-output.ts';
import { MAX_CONVERTED_BYTES, SseParser } from '../../dialects/sse.ts';
import type { Reply } from '../calls.ts';
import { errorEvent } from './error-event.ts';

/** With more than this unsent, the relay waits for the caller. */
export const AHEAD_BYTES = 64 * 1024;

/** The connection that frames are sent on, and that tells when there is room again. */
export interface FrameCarrier {
  readonly socket: Pick<MessageSocket, 'send' | 'waitingBytes'>;
  /** Resolves when there is room again, or when the caller is gone. */
  drained(): Promise<void>;
}

/** Receives the outcome of a response. */
export interface TurnEnd {
  /** A response with these items has ended, whole or cut short. Called before the caller gets its last event. */
  ended(id: string, items: readonly Fields[], end: 'whole' | 'cut'): void;
  /** The call was refused or failed: `status` as over HTTP. */
  failed(status: number): void;
}

const BROKE_OFF = {
  type: 'server_error',
  code: 'upstream_failed',
  message: 'the response ended before it was complete',
  param: null,
};

/** Writes the answer of one call as text frames of a WebSocket: each event of the stream is a frame. */
export class FrameReply implements Reply {
  onGone: (() => void) | undefined;
  gone = false;
  started = false;
  readonly #carrier: FrameCarrier;
  readonly #turnEnd: TurnEnd;
  readonly #streamId: string | undefined;
  readonly #output = new TurnOutput();
  readonly #parser = new SseParser(MAX_CONVERTED_BYTES);
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};
  /** Whether the caller has been told how the response ended. */
  #isOver = false;
  #isInterrupted = false;
  #isTooLarge = false;
  /** The error that was passed on as an event. */
  #error: Fields | undefined;

  constructor(carrier: FrameCarrier, turnEnd: TurnEnd, streamId: string | undefined) {
    this.#carrier = carrier;
    this.#turnEnd = turnEnd;
    this.#streamId = streamId;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.started) return;
    this.started = true;
    this.#status = status;
    this.#headers = headers;
  }

  write(bytes: Buffer): boolean {
    if (this.gone) return true;
    for (const frame of this.#parser.feed(bytes)) this.#pass(frame);
    return this.#carrier.socket.waitingBytes <= AHEAD_BYTES;
  }

  drained(): Promise<void> {
    return this.gone ? Promise.resolve() : this.#carrier.drained();
  }

  end(bytes?: Buffer): void {
    if (this.gone) return;
    if (this.#status >= 200 && this.#status < 300) {
      if (bytes !== undefined) this.write(bytes);
      for (const frame of this.#parser.end()) this.#pass(frame);
      if (!this.#isOver) this.#fail(502, this.#error ?? BROKE_OFF, {});
      return;
    }
    const { error } = parsedFields(bytes ?? '') ?? {};
    this.#fail(this.#status === 0 ? 500 : this.#status, fieldsOf(error), this.#headers);
  }

  cut(): void {
    if (!this.gone && !this.#isOver) this.#fail(502, this.#error ?? BROKE_OFF, {});
  }

  /**
   * Stops this response if it is the one of that id: its upstream is stopped, and what was said is charged, as if the caller
   * had left. @returns whether it is
   */
  interrupt(responseId: string): boolean {
    if (this.gone || this.#isOver || this.#output.begun['id'] !== responseId) return false;
    this.#isInterrupted = true;
    this.lost();
    return true;
  }

  /** Tells the end of an interrupted response, once it is charged. */
  tellInterrupted(): void {
    if (!this.#isInterrupted) return;
    const { data, id, items } = this.#output.interrupted();
    this.#turnEnd.ended(id, items, 'cut');
    this.#send(data);
  }

  /** Notes that the connection is lost. */
  lost(): void {
    if (this.gone) return;
    this.gone = true;
    this.onGone?.();
  }

  #pass(frame: Frame): void {
    this.#isTooLarge ||= frame.oversized === true;
    const { data } = frame;
    // Comments keep an HTTP connection open; a WebSocket has pings instead.
    if (this.#isOver || this.#isTooLarge || data[0] !== OPEN_OBJECT) return;
    const event = this.#output.read(frame);
    if (event.type === 'ended') this.#turnEnd.ended(event.id, event.items, event.isWhole ? 'whole' : 'cut');
    else if (event.type === 'failed') this.#turnEnd.failed(500);
    else if (event.type === 'error') this.#error = event.error;
    this.#isOver = event.type === 'ended' || event.type === 'failed';
    this.#send(data);
  }

  #send(data: Buffer): void {
    sendText(this.#carrier.socket, this.#streamId === undefined ? data : inLane(data, this.#streamId));
  }

  #fail(status: number, error: Fields, headers: Readonly<Record<string, string>>): void {
    this.#isOver = true;
    this.#turnEnd.failed(status);
    sendText(this.#carrier.socket, errorEvent({ status, error, headers, streamId: this.#streamId }));
  }
}

const OPEN_OBJECT = 0x7b;

/** The event with its lane as the first member. */
const inLane = (data: Buffer, streamId: string): Buffer =>
  Buffer.concat([Buffer.from(`{"stream_id":${JSON.stringify(streamId)},`), data.subarray(1)]);
