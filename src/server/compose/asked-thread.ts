import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';

interface AskedThreadOptions extends WorkerOptions {
  readonly name: string;
  /** Ends the wait for every answer. */
  readonly stopped?: AbortSignal;
  /** What a failure of the thread is for whoever asks; default: itself. */
  readonly failureOf?: (thrown: NodeJS.ErrnoException) => unknown;
}

/** A thread that answers one question after the other, and does not keep the process running. */
export class AskedThread<Question, Answer> {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;

  constructor(url: URL, { stopped, failureOf = (thrown) => thrown, ...options }: AskedThreadOptions) {
    const gone = new AbortController();
    this.#signal = stopped === undefined ? gone.signal : AbortSignal.any([stopped, gone.signal]);
    this.#worker = new Worker(url, { ...options, execArgv: [] });
    this.#worker.unref();
    this.#worker.on('error', (thrown) => gone.abort(failureOf(thrown as NodeJS.ErrnoException)));
    this.#worker.on('exit', (code) =>
      gone.abort(new Error(`the thread '${options.name}' ended with ${String(code)}`)),
    );
  }

  /** Throws why the thread is gone, or why nobody waits any more. */
  async ask<Given extends Answer>(question: Question): Promise<Given> {
    const signal = this.#signal;
    const answer = once(this.#worker, 'message', { signal });
    this.#worker.postMessage(question);
    const [said] = (await answer.catch((thrown: unknown) => {
      throw signal.aborted ? signal.reason : thrown;
    })) as [Given];
    return said;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
