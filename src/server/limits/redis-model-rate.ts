import type { ModelRateLimiter, ModelRateOutcome } from '#core/limits/model-rate-limiter.ts';
import type { MemoryModelRateLimiter } from './model-rate.ts';
import { rateOutcome } from './rate-outcome.ts';
import type { RedisConnection } from './redis-connection.ts';

/** The same three numbers per key and the same arithmetic as `WindowCounter`; Redis runs a script atomically. */
const WINDOW = `
local function roll(key, window, now)
  local got = redis.call('HMGET', key, 'start', 'count', 'previous')
  if not got[1] then return nil end
  local start, count, previous = tonumber(got[1]), tonumber(got[2]), tonumber(got[3])
  local passed = now - start
  if passed < window and passed >= -window then return start, count, previous end
  if passed >= 0 and passed < 2 * window then return start + window, 0, count end
  return now, 0, 0
end
local function counted(key, window, now)
  local start, count, previous = roll(key, window, now)
  if not start then return 0 end
  return math.floor(count + previous * math.min(window, math.max(0, start + window - now)) / window)
end
local function add(key, window, now)
  local start, count, previous = roll(key, window, now)
  if not start then start, count, previous = now, 0, 0 end
  redis.call('HSET', key, 'start', start, 'count', count + 1, 'previous', previous)
  redis.call('PEXPIRE', key, 2 * window)
end
local window, now = tonumber(ARGV[1]), tonumber(ARGV[2])
`;

const BEGIN = `${WINDOW}
local total, succeeded = tonumber(ARGV[3]), tonumber(ARGV[4])
local function known(key)
  local start, count, previous = roll(key, window, now)
  if not start then return 0, 0, window end
  return count, previous, math.min(window, math.max(0, start + window - now))
end
local state = 0
if succeeded > 0 and counted(KEYS[2], window, now) >= succeeded then state = 2
elseif total > 0 and counted(KEYS[1], window, now) >= total then state = 1
else
  if total > 0 then add(KEYS[1], window, now) end
  if succeeded > 0 then add(KEYS[2], window, now) end
end
local c1, p1, l1 = known(KEYS[1])
local c2, p2, l2 = known(KEYS[2])
return {state, c1, p1, l1, c2, p2, l2}
`;

const SUCCEED = `${WINDOW}
add(KEYS[1], window, now)
return 0
`;

const TAKE_BACK = `${WINDOW}
local added = tonumber(ARGV[3])
local start, count, previous = roll(KEYS[1], window, now)
if not start then return 0 end
if added >= start then count = math.max(0, count - 1)
elseif added >= start - window then previous = math.max(0, previous - 1) end
redis.call('HSET', KEYS[1], 'start', start, 'count', count, 'previous', previous)
return 0
`;

const states: readonly ModelRateOutcome['state'][] = ['allowed', 'total_reached', 'succeeded_reached'];
const allKey = (userId: number): string => `tollgate:calls:${userId}`;
const successKey = (userId: number): string => `tollgate:successes:${userId}`;

/**
 * The model request rate limit, counted for all nodes together. While Redis does not answer, each node counts locally
 * with `alone`, starting from the last state that Redis reported, so that calls go on.
 */
export const createRedisModelRateLimiter = (
  { ask }: RedisConnection,
  alone: MemoryModelRateLimiter,
): ModelRateLimiter => ({
  async begin(userId, limit, nowMs) {
    const { windowMs, total, succeeded } = limit;
    try {
      const keys = [allKey(userId), successKey(userId)];
      const answer = await ask((redis) =>
        redis.eval(BEGIN, keys.length, ...keys, windowMs, nowMs, total, succeeded),
      );
      const [state = 0, count = 0, previous = 0, leftMs = 0, ...more] = (answer as unknown[]).map(Number);
      const [ofSuccess = 0, before = 0, left = 0] = more;
      const all = { count, previous, leftMs };
      const successes = { count: ofSuccess, previous: before, leftMs: left };
      alone.learn(userId, limit, { all, successes }, nowMs);
      const place = succeeded > 0 ? { userId, windowMs, takenAtMs: nowMs } : undefined;
      return rateOutcome(states[state] ?? 'allowed', limit, place, all, successes);
    } catch {
      const { place, ...outcome } = await alone.begin(userId, limit, nowMs);
      return { ...outcome, ...(place !== undefined && { place: { ...place, alone: true } }) };
    }
  },
  giveBack(place, nowMs) {
    const { userId, windowMs, takenAtMs } = place;
    if (place.alone === true) alone.giveBack(place, nowMs);
    // If Redis does not receive it, the slot becomes free when its window ends.
    else
      ask((redis) => redis.eval(TAKE_BACK, 1, successKey(userId), windowMs, nowMs, takenAtMs)).catch(
        () => undefined,
      );
  },
  succeeded(userId, limit, nowMs) {
    if (limit.succeeded <= 0) return;
    ask((redis) => redis.eval(SUCCEED, 1, successKey(userId), limit.windowMs, nowMs)).catch(() =>
      alone.succeeded(userId, limit, nowMs),
    );
  },
});
