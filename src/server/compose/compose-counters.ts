import type { Log } from '#core/logging.ts';
import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import type { MakeLimiter } from '../limits/kept.ts';
import { createMemoryLimiter } from '../limits/memory.ts';
import { createMemoryModelRateLimiter } from '../limits/model-rate.ts';
import { createRedisConnection } from '../limits/redis-connection.ts';
import { createRedisLimiter } from '../limits/redis-limiter.ts';
import { createRedisModelRateLimiter } from '../limits/redis-model-rate.ts';

/** What is counted often and guards only against haste. */
export interface Counters {
  readonly modelRates: ModelRateLimiter;
  readonly counted: MakeLimiter;
  readonly closeCounters: () => Promise<void>;
}

/** Counters in Redis where one is named, for all nodes and over restarts; else in this process. */
export const composeCounters = ({ redisUrl }: { readonly redisUrl: string }, log: Log): Counters => {
  const alone = createMemoryModelRateLimiter();
  if (redisUrl === '')
    return {
      modelRates: alone,
      counted: (_, points, windowSeconds) => createMemoryLimiter(points, windowSeconds),
      closeCounters: async () => undefined,
    };
  const connection = createRedisConnection(redisUrl, log);
  return {
    modelRates: createRedisModelRateLimiter(connection, alone),
    counted: (kind, points, windowSeconds) =>
      createRedisLimiter(connection, kind, points, windowSeconds, createMemoryLimiter(points, windowSeconds)),
    closeCounters: () => connection.close(),
  };
};
