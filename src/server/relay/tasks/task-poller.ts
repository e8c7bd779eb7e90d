import type { Task } from '#core/task/task.ts';
import { ChannelTurns } from './channel-turns.ts';
import { createTaskAges } from './task-ages.ts';
import { createTaskPages } from './task-pages.ts';
import type { TaskPoller, TaskDeps } from './task-ports.ts';

/** The number of tasks that are read, and asked about, at once. */
const PAGE_SIZE = 500;
/**
 * The number of channels polled at once: enough that those that do not answer delay few others, and few enough pages in
 * memory.
 */
const CHANNELS_AT_ONCE = 8;
/** A channel's turn ends after this long, and its next turn continues there, so that a slow channel delays no other. */
const TURN_MS = 10_000;

interface Polled {
  readonly nextId: number;
  /** There are more tasks, and the channel answers. */
  readonly isWorthMore: boolean;
}

/** Polls upstreams for their tasks, stores the changes, and closes finished tasks. */
export const createTaskPoller = (deps: TaskDeps): TaskPoller => {
  const pages = createTaskPages(deps);
  const ages = createTaskAges(deps, pages);
  const turns = new ChannelTurns(deps.tasks);
  /** The last task that a channel was asked about; 0 after all of them. */
  const stoppedAt = new Map<number, number>();

  const pollAfter = async (channelId: number, afterId: number): Promise<Polled> => {
    const page = await deps.tasks.unfinished({ channelId }, PAGE_SIZE, afterId);
    const isAnswered = await pages.poll(page);
    const isLast = page.length < PAGE_SIZE;
    return { nextId: isLast ? 0 : (page.at(-1)?.id ?? 0), isWorthMore: isAnswered && !isLast };
  };

  /** Polls a channel's tasks page by page, from where its last turn ended. */
  const turnOf = async (channelId: number): Promise<void> => {
    const endMs = deps.clock.monotonic() + TURN_MS;
    for (;;) {
      const afterId = stoppedAt.get(channelId) ?? 0;
      const polled = await turns.alone(channelId, () => pollAfter(channelId, afterId));
      if (polled === undefined) return;
      stoppedAt.set(channelId, polled.nextId);
      if (!polled.isWorthMore || deps.clock.monotonic() >= endMs) return;
    }
  };

  const pollChannels = async (): Promise<void> => {
    const channels = await deps.tasks.channelsAtWork();
    for (const id of stoppedAt.keys()) if (!channels.includes(id)) stoppedAt.delete(id);
    const waiting = channels.values();
    const next = async (): Promise<void> => {
      for (const id of waiting)
        await turnOf(id).catch((error: unknown) =>
          deps.log.warn('the tasks of a channel could not be polled', { channel: id, error }),
        );
    };
    await Promise.all(Array.from({ length: CHANNELS_AT_ONCE }, next));
  };

  return {
    async poll(tasks: readonly Task[]) {
      for (const [channelId, own] of Map.groupBy(tasks, (task) => task.channelId))
        await turns.alone(channelId, () => pages.poll(own));
    },
    async run() {
      await ages.failUnsubmitted();
      await pollChannels();
      await ages.failTooOld('mj');
      await ages.failTooOld('suno');
    },
  };
};
