import type { Log } from '#core/logging.ts';
import type { SeatRoom } from '#core/channel/seat-room.ts';
import type { News } from '#core/news.ts';
import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import type { MakeLimiter } from '../limits/kept.ts';
import type { RedisConnection } from '../limits/redis-connection.ts';
import { CountedSeatRoom } from '../limits/counted-seat-room.ts';
import { systemClock as clock } from '../system.ts';
import { createMemoryLimiter } from '../limits/memory.ts';
import { createMemoryModelRateLimiter } from '../limits/model-rate.ts';
import { createRedisLimiter } from '../limits/redis-limiter.ts';
import { createRedisModelRateLimiter } from '../limits/redis-model-rate.ts';

/** Frequent counts that only limit rates. */
export interface Counters {
  readonly modelRates: ModelRateLimiter;
  readonly counted: MakeLimiter;
  readonly seatRoom: SeatRoom;
  /** Where they are counted; undefined where that is this process. */
  readonly redis: RedisConnection | undefined;
  readonly closeCounters: () => Promise<void>;
}

/** Counters in Redis if one is configured, for all nodes and across restarts; else in this process. */
export const composeCounters = async (
  { redisUrl }: { readonly redisUrl: string },
  news: News,
  log: Log,
): Promise<Counters> => {
  const alone = createMemoryModelRateLimiter();
  const seatRoom = new CountedSeatRoom(news, () => clock.monotonic());
  if (redisUrl === '')
    return {
      modelRates: alone,
      counted: (_, points, windowSeconds) => createMemoryLimiter(points, windowSeconds),
      seatRoom,
      redis: undefined,
      closeCounters: async () => seatRoom.close(),
    };
  // Loaded where it is used: it is large.
  const { createRedisConnection } = await import('../limits/redis-connection.ts');
  const connection = createRedisConnection(redisUrl, log);
  return {
    modelRates: createRedisModelRateLimiter(connection, alone),
    counted: (kind, points, windowSeconds) =>
      createRedisLimiter(connection, kind, points, windowSeconds, createMemoryLimiter(points, windowSeconds)),
    seatRoom,
    redis: connection,
    closeCounters: () => {
      seatRoom.close();
      return connection.close();
    },
  };
};
