import { z } from 'zod';
import { CHANNEL_CAPACITY } from './limits.ts';

const count = (name: keyof typeof CHANNEL_CAPACITY) => {
  const { min, max } = CHANNEL_CAPACITY[name];
  return z.number().int().min(min).max(max).optional();
};

/**
 * How much a channel may be used, in its `setting`; what is left out is not limited. Beyond it calls go to other channels;
 * with a queue, calls that have no other channel wait for this one, or for one of its keys.
 */
export const channelCapacity = z.strictObject({
  calls_per_minute: count('calls_per_minute'),
  /** Prompt and answer together; of a running call what it is expected to need. */
  tokens_per_minute: count('tokens_per_minute'),
  concurrent_calls: count('concurrent_calls'),
  /** In any 24 hours. */
  calls_per_day: count('calls_per_day'),
  /** How many calls may wait at once in each relay. */
  queue_calls: count('queue_calls'),
  /** How long each of them waits at most; 10 seconds if it is left out. */
  queue_wait_ms: count('queue_wait_ms'),
});

export type ChannelCapacity = Readonly<z.output<typeof channelCapacity>>;
