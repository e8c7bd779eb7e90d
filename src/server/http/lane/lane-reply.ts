import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ONE_PIECE_MAX_BYTES } from '#core/outbound/one-piece.ts';
import type { Reply } from '../../relay/calls.ts';
import { chunkFrame, LAST_CHUNK, lastChunkFrame, writeChunk } from '../calls/chunk-frame.ts';
import { REQUEST_ID_HEADERS } from '../door/request-id-headers.ts';

/** What a reply needs from the connection it is sent on. */
export interface ReplyCarrier {
  readonly socket: Socket;
  /** The current `Date` header. */
  date(): string;
  /** Whether the connection stays open after this answer. */
  staysOpen(): boolean;
  /** How long the client is told that the connection may then be idle. */
  toldIdleSeconds(): number;
  ended(): void;
}

/** Writes one answer directly to the socket. */
export class LaneReply implements Reply {
  onGone: (() => void) | undefined;
  gone = false;
  started = false;
  readonly #carrier: ReplyCarrier;
  readonly #requestId: string;
  /** The headers, until the first bytes of the body. */
  #head = '';
  #isChunked = false;
  #isEnded = false;
  #resume: (() => void) | undefined;

  constructor(carrier: ReplyCarrier, requestId: string) {
    this.#carrier = carrier;
    this.#requestId = requestId;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.gone || this.started) return;
    this.started = true;
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
    for (const name of REQUEST_ID_HEADERS) head += `${name}: ${this.#requestId}\r\n`;
    head += 'Access-Control-Allow-Origin: *\r\n';
    for (const name in headers) head += `${name}: ${headers[name] ?? ''}\r\n`;
    this.#isChunked = headers['content-length'] === undefined;
    if (this.#isChunked) head += 'Transfer-Encoding: chunked\r\n';
    head += this.#carrier.staysOpen()
      ? `Connection: keep-alive\r\nKeep-Alive: timeout=${String(this.#carrier.toldIdleSeconds())}\r\n`
      : 'Connection: close\r\n';
    this.#head = `${head}Date: ${this.#carrier.date()}\r\n\r\n`;
  }

  write(bytes: Buffer): boolean {
    if (this.gone || this.#isEnded) return true;
    if (this.#isChunked && this.#head === '') return writeChunk(this.#carrier.socket, bytes);
    return this.#send(this.#isChunked ? chunkFrame(bytes) : bytes);
  }

  drained(): Promise<void> {
    const { socket } = this.#carrier;
    if (this.gone || !socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  end(bytes?: Buffer): void {
    if (this.gone || this.#isEnded) return;
    this.#isEnded = true;
    if (bytes !== undefined && bytes.length > 0) this.#send(this.#isChunked ? lastChunkFrame(bytes) : bytes);
    else if (this.#isChunked) this.#sendText(LAST_CHUNK);
    else if (this.#head !== '') this.#sendText('');
    this.#carrier.ended();
  }

  cut(): void {
    this.#carrier.socket.destroy();
  }

  /** The socket has room again. */
  drain(): void {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  }

  /** The connection was lost before the end of the answer. */
  lost(): void {
    if (this.#isEnded) return;
    this.gone = true;
    this.onGone?.();
    this.drain();
  }

  #send(bytes: Buffer): boolean {
    const { socket } = this.#carrier;
    if (this.#head === '') return socket.write(bytes);
    if (bytes.length <= ONE_PIECE_MAX_BYTES) return this.#sendText(bytes.toString('latin1'));
    this.#sendText('');
    return socket.write(bytes);
  }

  /** As a string it is sent together with the headers, in one piece. */
  #sendText(text: string): boolean {
    const head = this.#head;
    this.#head = '';
    return this.#carrier.socket.write(head + text, 'latin1');
  }
}
