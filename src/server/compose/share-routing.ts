import type { Log } from '#core/logging.ts';
import type { ChangeFeed } from '../store/database/change-feed.ts';

interface Shared {
  readonly feed: Pick<ChangeFeed, 'watch' | 'announce'>;
  /** Rebuilds the snapshot of this thread. */
  readonly refresh: () => Promise<void>;
  /** Has the further relays of this process rebuild theirs. */
  readonly refreshOthers: () => Promise<void>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Keeps the snapshots of all relays and nodes alike. Each rebuilds its own when it hears of a change, its own changes
 * included: a node that also rebuilt before it announced would do so twice for each.
 * @returns announces a change; once it resolves, whoever made it may rely on it at every relay of this process
 */
export const shareRouting = ({ feed, refresh, refreshOthers, log }: Shared): (() => Promise<void>) => {
  let heard: Promise<unknown> = Promise.resolve();
  feed.watch((kind) => {
    if (kind !== 'channels' && kind !== 'options') return;
    heard = Promise.all([refresh(), refreshOthers()]);
    heard.catch((error) => log.error('routing', { error }));
  });
  return async () => {
    await feed.announce('channels');
    // The rebuild began after the change, by this announcement or a later one.
    await heard;
  };
};
