import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptLog } from '../http/testing/test-config.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import { createRedisNews } from './redis-news.ts';
import { hasRedis, type RunningRedis, startRedis } from './testing/redis-server.ts';

/** Where no Redis is installed there is nothing to test against. */
describe.skipIf(!hasRedis)('news by way of Redis (needs redis-server)', () => {
  let server: RunningRedis;
  let nodes: readonly RedisConnection[];

  beforeAll(async () => {
    server = await startRedis();
    nodes = [1, 2, 3].map(() => createRedisConnection(server.url, keptLog()));
    await Promise.all(nodes.map((node) => node.ready()));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    server.stop();
  });

  it('reach every other node, in order, and not the one that tells', async () => {
    const all = nodes.map(createRedisNews);
    const heard = all.map((node) => {
      const batches: string[] = [];
      node.hear((batch) => batches.push(batch));
      return batches;
    });
    const told = async (): Promise<number> => {
      await all[0]?.send(['["t","are you there"]']);
      return Math.min(heard[1]?.length ?? 0, heard[2]?.length ?? 0);
    };
    await expect.poll(told).toBeGreaterThan(0);
    await all[0]?.send(['["t","one"]', '["t","ü"]']);
    await expect
      .poll(() => heard.slice(1).map((batches) => batches.slice(-2)))
      .toEqual([
        ['["t","one"]', '["t","ü"]'],
        ['["t","one"]', '["t","ü"]'],
      ]);
    expect(heard[0]).toEqual([]);
    await Promise.all(all.map((node) => node.close()));
  });

  it('are lost while Redis does not answer, and nobody is kept waiting', async () => {
    const log = keptLog();
    const nowhere = createRedisConnection('redis://127.0.0.1:1', log);
    const news = createRedisNews(nowhere);
    await expect(news.send(['["t","lost"]'])).rejects.toThrow();
    await news.close();
    await nowhere.close();
  });
});
