import type { MessagePort, Worker } from 'node:worker_threads';

/** The functions that one end offers to the other. Arguments and results must be cloneable. */
type Offers = Readonly<Record<string, (...args: never[]) => unknown>>;

type LineMessage =
  | { readonly name: string; readonly args: readonly unknown[]; readonly id?: number }
  | { readonly answerTo: number; readonly value?: unknown; readonly error?: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** How long to wait for an answer: the other thread may be busy with a large body. */
const ANSWER_MS = 5000;

/** One end of a line between two threads: calls the functions of the other end, and serves its own. */
export class Line<Theirs extends Offers> {
  readonly #post: (message: LineMessage) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #isClosed = false;

  constructor(port: MessagePort | Worker, ours: Offers) {
    this.#post = (message) => port.postMessage(message, []);
    port.on('message', (message: LineMessage) => {
      if ('answerTo' in message) this.#answered(message);
      else void this.#serve(ours, message);
    });
  }

  /** Calls a function of the other end. Rejects if it throws, is gone, or does not answer in time. */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    args: Parameters<Theirs[Name]>,
    withinMs = ANSWER_MS,
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    const answered = new Promise<unknown>((resolve, reject) => {
      if (this.#isClosed) return reject(new Error('the other thread is gone'));
      const id = ++this.#lastId;
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new Error(`another thread did not answer: ${name}`));
      }, withinMs).unref();
      this.#waiting.set(id, { resolve, reject, timer });
      this.#post({ name, args, id });
    });
    // What the other end answers is what its function of that name returns.
    return answered as Promise<Awaited<ReturnType<Theirs[Name]>>>;
  }

  /** Calls a function of the other end without waiting for its result. */
  tell<Name extends keyof Theirs & string>(name: Name, args: Parameters<Theirs[Name]>): void {
    if (!this.#isClosed) this.#post({ name, args });
  }

  /** Rejects all pending questions, because the other end is gone. */
  close(): void {
    this.#isClosed = true;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error('the other thread is gone'));
    }
    this.#waiting.clear();
  }

  #answered({ answerTo, value, error }: Extract<LineMessage, { answerTo: number }>): void {
    const waiting = this.#waiting.get(answerTo);
    this.#waiting.delete(answerTo);
    clearTimeout(waiting?.timer);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  async #serve(ours: Offers, { name, args, id }: Extract<LineMessage, { name: string }>): Promise<void> {
    try {
      // The compiler checked the arguments at the other end, in `ask` or `tell`.
      const value = await ours[name]?.(...(args as never[]));
      if (id !== undefined && !this.#isClosed) this.#post({ answerTo: id, value });
    } catch (error) {
      if (id !== undefined && !this.#isClosed) this.#post({ answerTo: id, error: String(error) });
    }
  }
}
