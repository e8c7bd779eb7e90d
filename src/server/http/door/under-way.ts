import type { IncomingMessage } from 'node:http';

/** The work on requests that node's server has read, whether or not their callers are still waiting. */
export class UnderWay {
  readonly #requests = new Map<Promise<void>, IncomingMessage>();

  add(request: IncomingMessage, work: Promise<unknown>): void {
    const done: Promise<void> = work.then(
      () => void this.#requests.delete(done),
      () => void this.#requests.delete(done),
    );
    this.#requests.set(done, request);
  }

  /**
   * Resolves when all work is done, or after `graceMs`. Does not wait for requests that have not arrived completely.
   */
  async ended(graceMs: number): Promise<void> {
    let isLate = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isLate = true;
        resolve();
      }, graceMs);
    });
    for (let left = this.#whole(); left.length > 0 && !isLate; left = this.#whole())
      await Promise.race([Promise.all(left), late]);
    clearTimeout(timer);
  }

  #whole(): readonly Promise<void>[] {
    return [...this.#requests].filter(([, { complete }]) => complete).map(([done]) => done);
  }
}
