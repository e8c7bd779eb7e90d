import type { ServerResponse } from 'node:http';
import type { Reply } from '../relay/calls.ts';
import { chunkFrame } from './chunk-frame.ts';
import { REQUEST_ID_HEADERS } from './request-id-headers.ts';

const ONE_PIECE_MAX_BYTES = 64 * 1024;
/** The duration in seconds, after the last piece. */
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
   * Reads a file as it arrives, a few bytes at a time. It yields how many bytes it has finished with and how many it
   * needs next. It is then given at least as many, or fewer at the end of the file.
   */
  write(bytes: Buffer): boolean {
    if (this.gone) return true;
    const { socket, chunkedEncoding } = this.#response;
    // The result of a walk.
    if (socket === null || !chunkedEncoding) return this.#response.write(bytes);
    if (this.#hasBegun) return socket.write(chunkFrame(bytes));
    this.#hasBegun = true;
    socket.cork();
    this.#response.flushHeaders();
    const hasRoom = socket.write(chunkFrame(bytes));
    socket.uncork();
    return hasRoom;
  }

  drained(): Promise<void> {
    const response = this.#response;
    // Bytes that may be audio of unknown duration.
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
    // Runs a walk over pieces of a file, split anywhere. It buffers no more than the walk needs at once.
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
