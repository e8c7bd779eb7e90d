import type { Reply } from '../calls.ts';

/** A reply whose head also tells what is left of the caller's limit of calls. */
export class LimitedReply implements Reply {
  readonly #reply: Reply;
  /** Undefined while the call was not counted, or has no limit. */
  rateHeaders: Readonly<Record<string, string>> | undefined;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.#reply.start(status, { ...headers, ...this.rateHeaders });
  }

  get started(): boolean {
    return this.#reply.started;
  }

  write(bytes: Buffer): boolean {
    return this.#reply.write(bytes);
  }

  drained(): Promise<void> {
    return this.#reply.drained();
  }

  end(bytes?: Buffer): void {
    this.#reply.end(bytes);
  }

  cut(): void {
    this.#reply.cut();
  }

  get gone(): boolean {
    return this.#reply.gone;
  }

  get onGone(): (() => void) | undefined {
    return this.#reply.onGone;
  }

  set onGone(then: (() => void) | undefined) {
    this.#reply.onGone = then;
  }
}
