import type { Routing } from '#core/channel/routing.ts';
import type { Clock } from '#core/clock.ts';
import type { Log } from '#core/logging.ts';
import { isKnownGroup } from '#core/token/present-group.ts';

/** How long to believe that a name does not exist, once the routing was read for it. */
const AGAIN_AFTER_MS = 10_000;
const NAMES_MAX = 1000;

interface GroupsReady {
  readonly routing: () => Routing;
  /** Rebuilds the routing of this thread. */
  readonly refresh: () => Promise<void>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Resolves when the routing is no older than these names of groups, which were read from the store. So a user who was
 * read just after a renaming is neither refused nor charged by a routing that does not know the new name. A name that
 * no group has is not asked for again and again.
 */
export const createGroupsReady = ({ routing, refresh, clock, log }: GroupsReady) => {
  const missing = new Map<string, number>();
  return async (...names: readonly string[]): Promise<void> => {
    const unknown = names.filter((name) => !isKnownGroup(routing().options, name));
    const nowMs = clock.monotonic();
    if (!unknown.some((name) => nowMs >= (missing.get(name) ?? -Infinity) + AGAIN_AFTER_MS)) return;
    try {
      await refresh();
    } catch (error) {
      log.error('routing', { error });
      return;
    }
    if (missing.size > NAMES_MAX) missing.clear();
    for (const name of unknown)
      if (isKnownGroup(routing().options, name)) missing.delete(name);
      else missing.set(name, nowMs);
  };
};
