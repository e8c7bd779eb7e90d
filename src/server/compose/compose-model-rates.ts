import type { Log } from '#core/logging.ts';
import type { ModelRateLimiter } from '#core/model-rate-limiter.ts';
import { createMemoryModelRateLimiter } from '../limits/model-rate.ts';
import { createRedisModelRateLimiter } from '../limits/redis-model-rate.ts';

/** The counters of model requests: in Redis where one is named, else in this process. */
export const composeModelRates = (
  { redisUrl }: { readonly redisUrl: string },
  log: Log,
): { readonly modelRates: ModelRateLimiter; readonly closeModelRates: () => Promise<void> } => {
  const alone = createMemoryModelRateLimiter();
  if (redisUrl === '') return { modelRates: alone, closeModelRates: async () => undefined };
  const shared = createRedisModelRateLimiter(redisUrl, alone, log);
  return { modelRates: shared, closeModelRates: () => shared.close() };
};
