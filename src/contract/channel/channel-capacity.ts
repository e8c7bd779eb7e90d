import { z } from 'zod';
import { CHANNEL_CAPACITY } from '../limits.ts';

const count = (name: keyof typeof CHANNEL_CAPACITY) => {
  const { min, max } = CHANNEL_CAPACITY[name];
  return z.number().int().min(min).max(max).optional();
};

/**
 * How much a channel may be used, in its `setting`; what is left out is not limited. Beyond it calls go to other channels;
 * those that have no other wait for this one, or for one of its keys.
 */
export const channelCapacity = z.strictObject({
  calls_per_minute: count('calls_per_minute'),
  /** Prompt and answer together; of a running call what it is expected to need. */
  tokens_per_minute: count('tokens_per_minute'),
  concurrent_calls: count('concurrent_calls'),
  /** In any 24 hours. */
  calls_per_day: count('calls_per_day'),
  /** How many calls may wait at once in each relay; if it is left out 100, where there may be room before their wait ends. */
  queue_calls: count('queue_calls'),
  /** How long each of them waits at most; if it is left out 10 seconds, 2 where `queue_calls` is left out as well. */
  queue_wait_ms: count('queue_wait_ms'),
});

export type ChannelCapacity = Readonly<z.output<typeof channelCapacity>>;
