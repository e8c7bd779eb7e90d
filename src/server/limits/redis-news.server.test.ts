import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptLog } from '../http/testing/test-config.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import { createRedisNews } from './redis-news.ts';
import { hasRedis, type RunningRedis, startRedis } from './testing/redis-server.ts';
import { systemClock } from '../system.ts';

/** Where no Redis is installed there is nothing to test against. */
describe.skipIf(!hasRedis)('news by way of Redis (needs redis-server)', () => {
  let server: RunningRedis;
  let nodes: readonly RedisConnection[];

  beforeAll(async () => {
    server = await startRedis();
    nodes = [1, 2, 3].map(() => createRedisConnection(server.url, { log: keptLog(), clock: systemClock }));
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

  it('are heard again after a connection has gone without a word', async () => {
    const ways: Socket[] = [];
    const between = createServer((near) => {
      const far = connect(Number(new URL(server.url).port), '127.0.0.1');
      near.pipe(far).pipe(near);
      for (const way of [near, far]) ways.push(way.on('error', () => way.destroy()));
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const url = `redis://127.0.0.1:${(between.address() as AddressInfo).port}`;
    const listening = { askEveryMs: 50, deadAfterMs: 100 };
    const distant = createRedisConnection(url, { log: keptLog(), clock: systemClock }, listening);
    const heard: string[] = [];
    const stop = distant.listen('tollgate:test', (text) => heard.push(text));
    const tell = async (text: string): Promise<string | undefined> => {
      await nodes[0]?.ask((redis) => redis.publish('tollgate:test', text));
      return heard.at(-1);
    };
    await expect.poll(() => tell('first')).toBe('first');
    // What is sent arrives nowhere, and nothing is answered.
    for (const way of ways) way.unpipe().resume();
    await expect.poll(() => tell('again')).toBe('again');
    stop();
    await distant.close();
    between.close();
    for (const way of ways) way.destroy();
  });

  it('are lost while Redis does not answer, and nobody is kept waiting', async () => {
    const log = keptLog();
    const nowhere = createRedisConnection('redis://127.0.0.1:1', { log, clock: systemClock });
    const news = createRedisNews(nowhere);
    await expect(news.send(['["t","lost"]'])).rejects.toThrow();
    await news.close();
    await nowhere.close();
  });
});
