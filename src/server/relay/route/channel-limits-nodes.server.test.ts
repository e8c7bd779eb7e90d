import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../http/testing/test-config.ts';
import { hasRedis, type RunningRedis, startRedis } from '../../limits/testing/redis-server.ts';
import { type RunningServer, startServer } from '../../main.ts';
import { startPostgres } from '../../store/testing/postgres-server.ts';

const LIMIT = 10;
const NODES = 2;
const CALLS = 200;
/** They tell each other every 200 ms; on a slow machine the news, and calls that passed before, take longer. */
const HEARD_MS = 2000;
const CALL_EVERY_MS = 25;

const ANSWER = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

for (const by of ['PostgreSQL', 'Redis'] as const) {
  describe.skipIf(by === 'Redis' && !hasRedis)(`a channel's limit over two nodes, told by ${by}`, () => {
    const folder = temporaryFolder();
    let postgres: Awaited<ReturnType<typeof startPostgres>>;
    let redis: RunningRedis | undefined;
    let upstream: Server;
    let scene: Scene;
    let there: RunningServer;
    let key = '';
    /** When calls came to the upstream, by model. */
    const came = new Map<string, number[]>();

    beforeAll(async () => {
      upstream = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
        request.on('end', () => {
          const model = /"model":"([^"]+)"/.exec(text)?.[1] ?? '';
          came.set(model, [...(came.get(model) ?? []), performance.now()]);
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(ANSWER);
        });
      });
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
      postgres = await startPostgres();
      if (by === 'Redis') redis = await startRedis();
      const environment = {
        DATABASE_URL: postgres.url,
        TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
        ...(redis && { REDIS_URL: redis.url }),
      };
      scene = await openScene(environment);
      there = await startServer(readConfig({ ...testEnvironment(folder.path), ...environment }), {
        log: keptLog(),
      });
      await scene.set('ModelRatio', '{"burst":1,"stream":1}');
      const port = String((upstream.address() as AddressInfo).port);
      for (const models of ['burst', 'stream'])
        await scene.stage.channel(scene.root, {
          baseUrl: `http://127.0.0.1:${port}`,
          models,
          setting: JSON.stringify({ capacity: { calls_per_minute: LIMIT } }),
        });
      key = (await scene.spender('agent', 1_000_000_000)).key;
      await Promise.all([scene.server.parts.refreshRouting(), there.parts.refreshRouting()]);
    });
    afterAll(async () => {
      await there.stop();
      await scene.close();
      await postgres.stop();
      redis?.stop();
      upstream.closeAllConnections();
      upstream.close();
      folder.remove();
    });

    const call = async (at: number, model: string): Promise<number> => {
      const { url } = at % NODES === 0 ? scene.server : there;
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }),
      });
      await response.text();
      return response.status;
    };
    /** Each call is answered, and who got an answer was sent on exactly once. */
    const expectNoneLost = (model: string, statuses: readonly number[]): number => {
      const answered = statuses.filter((status) => status === 200).length;
      expect(statuses.filter((status) => status === 429)).toHaveLength(CALLS - answered);
      expect(came.get(model)).toHaveLength(answered);
      return answered;
    };

    it('of two hundred at once each node lets ten through at most, before it has heard of the other', async () => {
      const statuses = await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at, 'burst')));
      const answered = expectNoneLost('burst', statuses);
      expect(answered).toBeGreaterThanOrEqual(LIMIT);
      expect(answered).toBeLessThanOrEqual(NODES * LIMIT);
      // By now each has heard of the other.
      await pause(HEARD_MS);
      expect(await Promise.all([call(0, 'burst'), call(1, 'burst')])).toEqual([429, 429]);
    });

    it('of two hundred after each other only those get through beyond ten that came before the news', async () => {
      const calls: Promise<number>[] = [];
      for (let at = 0; at < CALLS; at += 1) {
        calls.push(call(at, 'stream'));
        await pause(CALL_EVERY_MS);
      }
      const answered = expectNoneLost('stream', await Promise.all(calls));
      expect(answered).toBeGreaterThanOrEqual(LIMIT);
      expect(answered).toBeLessThanOrEqual(NODES * LIMIT);
      const times = came.get('stream') ?? [];
      const fullAtMs = times[LIMIT - 1] ?? 0;
      expect(times.filter((atMs) => atMs > fullAtMs + HEARD_MS)).toEqual([]);
    });
  });
}
