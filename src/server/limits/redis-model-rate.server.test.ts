import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keptLog } from '../http/testing/test-config.ts';
import { createMemoryModelRateLimiter } from './model-rate.ts';
import type { ModelRateLimiter, ModelRatePlace } from '#core/limits/model-rate-limiter.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import { createRedisModelRateLimiter } from './redis-model-rate.ts';
import { hasRedis, type RunningRedis, startRedis } from './testing/redis-server.ts';
import { systemClock } from '../system.ts';

/** Where no Redis is installed there is nothing to test against. */
describe.skipIf(!hasRedis)('the model request rate limit in Redis (needs redis-server)', () => {
  const log = keptLog();
  let redis: RunningRedis;
  let nodes: readonly RedisConnection[];
  let limiter: ModelRateLimiter;
  let other: ModelRateLimiter;

  beforeAll(async () => {
    redis = await startRedis();
    const [one, two] = [
      createRedisConnection(redis.url, { log, clock: systemClock }),
      createRedisConnection(redis.url, { log, clock: systemClock }),
    ];
    nodes = [one, two];
    limiter = createRedisModelRateLimiter(one, createMemoryModelRateLimiter());
    other = createRedisModelRateLimiter(two, createMemoryModelRateLimiter());
    await Promise.all([one.ready(), two.ready()]);
  });
  beforeEach(() => redis.flush());
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    redis.stop();
  });

  const limit = { total: 3, succeeded: 2, windowMs: 60_000 };
  const open = { ...limit, succeeded: 0 };

  it('counts for all nodes together', async () => {
    const answers = [];
    for (const node of [limiter, other, limiter, other])
      answers.push((await node.begin(7, open, 1000)).state);
    expect(answers).toEqual(['allowed', 'allowed', 'allowed', 'total_reached']);
    expect(await other.begin(8, open, 1000)).toMatchObject({ state: 'allowed', limit: 3, remaining: 2 });
  });

  it('lets through no more if the clocks of two nodes differ', async () => {
    const answers = [];
    for (const [node, nowMs] of [
      [limiter, 101_000],
      [other, 100_000],
      [limiter, 101_010],
      [other, 100_010],
      [limiter, 101_020],
    ] as const)
      answers.push(await node.begin(7, open, nowMs));
    expect(answers.map(({ state }) => state)).toEqual([
      'allowed',
      'allowed',
      'allowed',
      'total_reached',
      'total_reached',
    ]);
    expect(answers[3]?.resetMs).toBeLessThanOrEqual(open.windowMs * 2);
  });

  it('counts successes apart', async () => {
    const free = { ...limit, total: 0 };
    limiter.succeeded(7, free, 1000);
    other.succeeded(7, free, 1000);
    await expect.poll(async () => (await limiter.begin(7, free, 1001)).state).toBe('succeeded_reached');
  });

  it('lets through no more at once than may succeed, on all nodes together; a failed one leaves its place', async () => {
    const free = { ...limit, total: 0 };
    const begun = await Promise.all(
      [limiter, other, limiter, other].map(async (node) => node.begin(7, free, 1000)),
    );
    expect(begun.filter(({ state }) => state === 'allowed')).toHaveLength(2);
    const place = begun.find((outcome) => outcome.place !== undefined)?.place;
    if (place !== undefined) other.giveBack(place, 1001);
    await expect.poll(async () => (await limiter.begin(7, free, 1002)).state).toBe('allowed');
    expect((await limiter.begin(7, free, 1003)).state).toBe('succeeded_reached');
  });

  it('answers like the counters in memory, in whatever order calls come', async () => {
    const step = fc.record({
      passedMs: fc.nat(50_000),
      succeeds: fc.boolean(),
      fails: fc.boolean(),
      user: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        // The end of a call is sent without waiting: an answer on the same connection shows that it has arrived.
        await limiter.begin(3, limit, 0);
        await redis.flush();
        const memory = createMemoryModelRateLimiter();
        const places: ModelRatePlace[] = [];
        let nowMs = 1_000_000;
        for (const { passedMs, succeeds, fails, user } of steps) {
          nowMs += passedMs;
          const [inRedis, inMemory] = [
            await limiter.begin(user, limit, nowMs),
            memory.begin(user, limit, nowMs),
          ];
          expect(inRedis).toEqual(inMemory);
          if (inRedis.place !== undefined) places.push(inRedis.place);
          const place = fails ? places.shift() : undefined;
          for (const counters of [limiter, memory]) {
            if (place !== undefined) counters.giveBack(place, nowMs);
            if (succeeds) counters.succeeded(user, limit, nowMs);
          }
        }
      }),
      { numRuns: 30 },
    );
  });

  it('an answer that arrived while the process was busy still counts', async () => {
    const begun = [limiter, other, limiter, other, limiter, other].map(async (node) =>
      node.begin(7, open, 1000),
    );
    // Longer than a call waits for Redis.
    const busyUntilMs = performance.now() + 700;
    while (performance.now() < busyUntilMs);
    const states = (await Promise.all(begun)).map(({ state }) => state);
    expect(states.filter((state) => state === 'allowed')).toHaveLength(open.total);
  });

  it('while it is silent each node goes on from what it last said', async () => {
    await limiter.begin(7, open, 1000);
    await other.begin(7, open, 1000);
    redis.pause();
    try {
      const states = [];
      for (const node of [limiter, limiter, limiter, other, other])
        states.push((await node.begin(7, open, 1000)).state);
      // The first has heard of one call, the other of two.
      expect(states).toEqual(['allowed', 'allowed', 'total_reached', 'allowed', 'total_reached']);
    } finally {
      redis.goOn();
    }
    const isBack = async (): Promise<boolean> => {
      const fresh = await Promise.all([limiter.begin(8, open, 1000), other.begin(8, open, 1000)]);
      return fresh.some(({ state }) => state === 'total_reached');
    };
    await expect.poll(isBack).toBe(true);
  });

  it('a Redis that fell silent is waited for once, not by every call, and is asked again later', async () => {
    await limiter.begin(9, limit, 1000);
    redis.pause();
    const startedMs = performance.now();
    for (let at = 0; at < 40; at += 1) await limiter.begin(9, { ...limit, total: 100 }, 1000);
    // Forty timeouts would take 20 s; one takes half of one.
    expect(performance.now() - startedMs).toBeLessThan(5000);
    redis.goOn();
    const isHeard = async (): Promise<boolean> => {
      await limiter.begin(9, limit, 1000);
      return log.lines.some((line) => line.includes('redis answers again'));
    };
    await expect.poll(isHeard).toBe(true);
  });

  it('calls go on while Redis does not answer: each node counts for itself', async () => {
    const connection = createRedisConnection('redis://127.0.0.1:1', { log, clock: systemClock });
    const lost = createRedisModelRateLimiter(connection, createMemoryModelRateLimiter());
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push((await lost.begin(7, open, 1000)).state);
    expect(answers).toEqual(['allowed', 'allowed', 'allowed', 'total_reached']);
    await connection.close();
    expect(log.lines.filter((line) => line.includes('counted by node'))).not.toEqual([]);
  });
});
