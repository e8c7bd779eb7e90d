import { z } from 'zod';

const count = (max: number) => z.number().int().min(1).max(max).optional();

/**
 * How much a channel may be used, in its `setting`; what is left out is not limited. Beyond it calls go to other channels;
 * with a queue, calls that have no other channel wait for this one, or for one of its keys.
 */
export const channelCapacity = z.strictObject({
  calls_per_minute: count(1_000_000),
  /** Prompt and answer together; of a running call what it is expected to need. */
  tokens_per_minute: count(1_000_000_000),
  concurrent_calls: count(100_000),
  /** In any 24 hours. */
  calls_per_day: count(1_000_000_000),
  /** How many calls may wait at once in each relay. */
  queue_calls: count(1000),
  /** How long each of them waits at most; 10 seconds if it is left out. */
  queue_wait_ms: z.number().int().min(100).max(60_000).optional(),
});

export type ChannelCapacity = Readonly<z.output<typeof channelCapacity>>;
