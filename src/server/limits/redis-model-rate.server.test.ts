import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keptLog } from '../http/testing/test-config.ts';
import { createMemoryModelRateLimiter } from './model-rate.ts';
import { createRedisModelRateLimiter, type RedisModelRateLimiter } from './redis-model-rate.ts';

const program = ['/usr/bin/redis-server', '/usr/bin/valkey-server'].find((path) => existsSync(path));

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Where no Redis is installed there is nothing to test against. */
describe.skipIf(program === undefined)('the model request rate limit in Redis', () => {
  const log = keptLog();
  let server: ChildProcess;
  let url = '';
  let limiter: RedisModelRateLimiter;
  let other: RedisModelRateLimiter;
  let redis: Redis;

  beforeAll(async () => {
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn(program ?? '', args, { stdio: 'ignore' });
    redis = new Redis(url, { retryStrategy: () => 50 });
    redis.on('error', () => undefined);
    await redis.ping();
    limiter = createRedisModelRateLimiter(url, createMemoryModelRateLimiter(), log);
    other = createRedisModelRateLimiter(url, createMemoryModelRateLimiter(), log);
    await Promise.all([limiter.ready(), other.ready()]);
  });
  beforeEach(() => redis.flushall());
  afterAll(async () => {
    await limiter.close();
    await other.close();
    redis.disconnect();
    server.kill('SIGKILL');
  });

  const limit = { total: 3, succeeded: 2, windowMs: 60_000 };

  it('counts for all nodes together', async () => {
    const answers = [];
    for (const node of [limiter, other, limiter, other]) answers.push(await node.begin(7, limit, 1000));
    expect(answers).toEqual(['allowed', 'allowed', 'allowed', 'total_reached']);
    expect(await other.begin(8, limit, 1000)).toBe('allowed');
  });

  it('counts successes apart', async () => {
    const free = { ...limit, total: 0 };
    limiter.succeeded(7, free, 1000);
    other.succeeded(7, free, 1000);
    await expect.poll(() => limiter.begin(7, free, 1001)).toBe('succeeded_reached');
  });

  it('answers as the counters in memory do, whatever comes when', async () => {
    const step = fc.record({ passedMs: fc.nat(50_000), succeeds: fc.boolean(), user: fc.constantFrom(1, 2) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await redis.flushall();
        const memory = createMemoryModelRateLimiter();
        let nowMs = 1_000_000;
        for (const { passedMs, succeeds, user } of steps) {
          nowMs += passedMs;
          const [inRedis, inMemory] = [
            await limiter.begin(user, limit, nowMs),
            memory.begin(user, limit, nowMs),
          ];
          expect(inRedis).toBe(inMemory);
          if (!succeeds) continue;
          limiter.succeeded(user, limit, nowMs);
          memory.succeeded(user, limit, nowMs);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('calls go on while Redis does not answer: each node counts for itself', async () => {
    const lost = createRedisModelRateLimiter('redis://127.0.0.1:1', createMemoryModelRateLimiter(), log);
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await lost.begin(7, limit, 1000));
    expect(answers).toEqual(['allowed', 'allowed', 'allowed', 'total_reached']);
    await lost.close();
    expect(log.lines.filter((line) => line.includes('counted by node'))).not.toEqual([]);
  });
});
