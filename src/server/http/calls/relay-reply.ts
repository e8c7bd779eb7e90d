import type { ServerResponse } from 'node:http';
import { ONE_PIECE_MAX_BYTES } from '#core/outbound/one-piece.ts';
import type { Reply } from '../../relay/calls.ts';
import { chunkFrame, writeChunk } from './chunk-frame.ts';
import { REQUEST_ID_HEADERS } from '../door/request-id-headers.ts';

/** Writes a relay answer through node's response. */
export class NodeReply implements Reply {
  onGone: (() => void) | undefined;
  gone = false;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  #resume: (() => void) | undefined;
  #hasBegun = false;

  constructor(response: ServerResponse, requestId: string) {
    this.#response = response;
    this.#requestId = requestId;
    response.on('close', this.#closed);
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    if (this.gone || this.#response.headersSent) return;
    const list: string[] = ['Access-Control-Allow-Origin', '*'];
    for (const name of REQUEST_ID_HEADERS) list.push(name, this.#requestId);
    for (const name in headers) list.push(name, headers[name] ?? '');
    this.#response.writeHead(status, list);
  }

  /**
   * Writes to the socket directly, with the chunk frame, in one piece. `ServerResponse.write` would make three pieces
   * and send them a tick later, which doubles the cost of a chunk.
   */
  write(bytes: Buffer): boolean {
    if (this.gone) return true;
    const { socket, chunkedEncoding } = this.#response;
    // An earlier answer is still being sent, or the caller uses HTTP/1.0: node handles both.
    if (socket === null || !chunkedEncoding) return this.#response.write(bytes);
    if (this.#hasBegun) return writeChunk(socket, bytes);
    this.#hasBegun = true;
    socket.cork();
    this.#response.flushHeaders();
    const hasRoom = socket.write(chunkFrame(bytes));
    socket.uncork();
    return hasRoom;
  }

  drained(): Promise<void> {
    const response = this.#response;
    // If an earlier answer is still being sent, node buffers what is written.
    const sink = response.socket ?? response;
    if (this.gone || !sink.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume = resolve;
      sink.once('drain', this.#drain);
    });
  }

  end(bytes?: Buffer): void {
    if (this.gone) return;
    if (bytes === undefined) this.#response.end();
    else if (bytes.length > ONE_PIECE_MAX_BYTES) this.#response.end(bytes);
    // As a string it is sent together with the headers, in one piece.
    else this.#response.end(bytes.toString('latin1'), 'latin1');
  }

  cut(): void {
    this.#response.destroy();
  }

  readonly #drain = (): void => {
    const resume = this.#resume;
    this.#resume = undefined;
    resume?.();
  };

  readonly #closed = (): void => {
    if (!this.#response.writableFinished) {
      this.gone = true;
      this.onGone?.();
    }
    this.#drain();
  };
}
