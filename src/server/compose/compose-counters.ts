import type { Log } from '#core/logging.ts';
import type { SeatDayStore } from '#core/channel/seats/seat-day-store.ts';
import type { News } from '#core/news.ts';
import type { ModelRateLimiter } from '#core/limits/model-rate-limiter.ts';
import type { MakeLimiter } from '../limits/durable-limits.ts';
import type { RedisConnection } from '../limits/redis-connection.ts';
import { CountedSeatRoom } from '../limits/counted-seat-room.ts';
import { systemClock as clock } from '../system.ts';
import { createMemoryLimiter } from '../limits/memory.ts';
import { createMemoryModelRateLimiter } from '../limits/model-rate.ts';
import { createRedisLimiter } from '../limits/redis-limiter.ts';
import { createRedisModelRateLimiter } from '../limits/redis-model-rate.ts';

/** Counters that are used often and only limit rates. */
export interface Counters {
  readonly modelRates: ModelRateLimiter;
  readonly counted: MakeLimiter;
  readonly seatRoom: CountedSeatRoom;
  /** The Redis connection; undefined if this process counts for itself. */
  readonly redis: RedisConnection | undefined;
  readonly closeCounters: () => Promise<void>;
}

interface CounterDeps {
  readonly news: News;
  readonly seatDays: SeatDayStore;
  readonly log: Log;
}

/** Counters in Redis if one is configured, for all nodes and across restarts; else in this process. */
export const composeCounters = async (
  { redisUrl }: { readonly redisUrl: string },
  { news, seatDays, log }: CounterDeps,
): Promise<Counters> => {
  const alone = createMemoryModelRateLimiter();
  const kept = { store: seatDays, nowMs: () => clock.now(), log };
  const seatRoom = new CountedSeatRoom(news, () => clock.monotonic(), kept);
  await seatRoom.start();
  if (redisUrl === '')
    return {
      modelRates: alone,
      counted: (_, points, windowSeconds) => createMemoryLimiter(points, windowSeconds),
      seatRoom,
      redis: undefined,
      closeCounters: () => seatRoom.close(),
    };
  // Imported only when needed, because it is large.
  const { createRedisConnection } = await import('../limits/redis-connection.ts');
  const connection = createRedisConnection(redisUrl, { log, clock });
  return {
    modelRates: createRedisModelRateLimiter(connection, alone),
    counted: (kind, points, windowSeconds) =>
      createRedisLimiter(connection, kind, points, windowSeconds, createMemoryLimiter(points, windowSeconds)),
    seatRoom,
    redis: connection,
    closeCounters: async () => {
      await seatRoom.close();
      await connection.close();
    },
  };
};
