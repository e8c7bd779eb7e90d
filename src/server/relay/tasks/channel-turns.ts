import type { TaskStore } from '#core/task/task.ts';

/**
 * Lets only one poll at a time ask a channel about its tasks, in this process and over all nodes. So no task is asked for
 * twice at once, and an older answer never arrives after a newer one.
 */
export class ChannelTurns {
  readonly #tasks: Pick<TaskStore, 'takeChannel' | 'giveBackChannel'>;
  readonly #last = new Map<number, Promise<unknown>>();

  constructor(tasks: Pick<TaskStore, 'takeChannel' | 'giveBackChannel'>) {
    this.#tasks = tasks;
  }

  /** Waits for those of this node that came before. @returns undefined, without the work, if another node is asking */
  async alone<Result>(channelId: number, work: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.#last.get(channelId);
    const mine = (before ?? Promise.resolve()).then(() => this.#taken(channelId, work));
    const done = mine.catch(() => undefined);
    this.#last.set(channelId, done);
    try {
      return await mine;
    } finally {
      if (this.#last.get(channelId) === done) this.#last.delete(channelId);
    }
  }

  async #taken<Result>(channelId: number, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#tasks.takeChannel(channelId))) return undefined;
    try {
      return await work();
    } finally {
      await this.#tasks.giveBackChannel(channelId);
    }
  }
}
