import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptLog } from '../http/testing/test-config.ts';
import { createMemoryLimiter } from './memory.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import { createRedisLimiter } from './redis-limiter.ts';
import { hasRedis, type RunningRedis, startRedis } from './testing/redis-server.ts';
import { systemClock } from '../system.ts';

/** Where no Redis is installed there is nothing to test against. */
describe.skipIf(!hasRedis)('a limit in Redis (needs redis-server)', () => {
  const log = keptLog();
  let server: RunningRedis;
  let nodes: readonly RedisConnection[];

  beforeAll(async () => {
    server = await startRedis();
    nodes = [
      createRedisConnection(server.url, { log, clock: systemClock }),
      createRedisConnection(server.url, { log, clock: systemClock }),
    ];
    await Promise.all(nodes.map((node) => node.ready()));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    server.stop();
  });

  const limiterOf = (node: RedisConnection | undefined, kind: string, windowSeconds = 60) => {
    if (node === undefined) throw new Error('no such node');
    return createRedisLimiter(node, kind, 3, windowSeconds, createMemoryLimiter(3, windowSeconds));
  };

  it('counts for all nodes together, by kind and key, and says how long to wait', async () => {
    const [one, other] = nodes.map((node) => limiterOf(node, 'any'));
    const taken = [];
    for (const limiter of [one, other, one, other]) taken.push(await limiter?.take('1.2.3.4'));
    expect(taken.map((got) => got?.ok)).toEqual([true, true, true, false]);
    expect(taken[3]?.retryAfterSeconds).toBeGreaterThan(50);
    expect(taken[3]?.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect((await one?.take('5.6.7.8'))?.ok).toBe(true);
    expect((await limiterOf(nodes[0], 'search').take('1.2.3.4')).ok).toBe(true);
    await other?.forget('1.2.3.4');
    expect((await one?.take('1.2.3.4'))?.ok).toBe(true);
  });

  it('begins again when its window is over', async () => {
    const limiter = limiterOf(nodes[0], 'short', 1);
    for (let at = 0; at < 4; at += 1) await limiter.take('x');
    await expect.poll(async () => (await limiter.take('x')).ok).toBe(true);
  });

  it('is counted by each node alone while Redis does not answer', async () => {
    const lost = createRedisConnection('redis://127.0.0.1:1', { log, clock: systemClock });
    const limiter = limiterOf(lost, 'any');
    const taken = [];
    for (let at = 0; at < 4; at += 1) taken.push((await limiter.take('x')).ok);
    expect(taken).toEqual([true, true, true, false]);
    await limiter.forget('x');
    expect((await limiter.take('x')).ok).toBe(true);
    await lost.close();
    expect(log.lines.filter((line) => line.includes('counted by node'))).toHaveLength(1);
  });

  it('is counted by each node alone while Redis takes nothing in, which is told once; who takes its place is found', async () => {
    const own = keptLog();
    const node = createRedisConnection(server.url, { log: own, clock: systemClock });
    const limiter = limiterOf(node, 'copy');
    await node.ready();
    await limiter.take('y');
    await server.beCopy(true);
    const before = await server.accepted();
    for (let at = 0; at < 4; at += 1) await limiter.take('x');
    // A copy that another server takes the place of keeps its connections.
    await expect.poll(() => server.accepted()).toBeGreaterThan(before + 2);
    expect((await limiter.take('x')).ok).toBe(false);
    await server.beCopy(false);
    await expect.poll(async () => (await limiter.take('x')).ok).toBe(true);
    expect(own.lines).toHaveLength(2);
    await node.close();
  });
});
