import type { ServerResponse } from 'node:http';
import { REQUEST_ID_HEADER } from '#contract/limits.ts';
import type { Reply } from '../relay/ports.ts';

/** One response of node's server, as the relay writes it. */
export class NodeReply implements Reply {
  onGone: (() => void) | undefined;
  gone = false;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  #resume: (() => void) | undefined;

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
    const list: string[] = [REQUEST_ID_HEADER, this.#requestId, 'Access-Control-Allow-Origin', '*'];
    for (const name in headers) list.push(name, headers[name] ?? '');
    this.#response.writeHead(status, list);
  }

  write(bytes: Buffer): boolean {
    return this.gone || this.#response.write(bytes);
  }

  drained(): Promise<void> {
    if (this.gone || !this.#response.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resume = resolve;
      this.#response.once('drain', this.#drain);
    });
  }

  end(bytes?: Buffer): void {
    if (this.gone) return;
    if (bytes === undefined) this.#response.end();
    else this.#response.end(bytes);
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
