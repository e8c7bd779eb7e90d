import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';
import { type SlowUpstream, startSlowUpstream } from '../testing/slow-upstream.ts';

/** Callers who wait for a full channel, whichever relay of the process they came to. */

const CALLERS = 12;
const CALL_MS = 20;
const LONG_MS = 60_000;
/**
 * As often everybody is served, long before a queue without turns would be empty. How often others are served meanwhile
 * depends on how the system shares the connections out.
 */
const LEAST_ROUNDS = 3;
const MOST_MS = 30_000;

describe('a queue for one place, with 2 relays', () => {
  let scene: Scene;
  let upstream: SlowUpstream;
  let key = '';
  beforeAll(async () => {
    upstream = await startSlowUpstream(CALL_MS, () => PLAIN_ANSWER);
    scene = await openScene({ TOLLGATE_RELAYS: '2', TOLLGATE_CONNECTIONS_PER_ADDRESS: '10000' });
    await scene.set('ModelRatio', '{"m":1}');
    key = (await scene.spender('crowd', 1_000_000_000)).key;
    const capacity = { concurrent_calls: 1, queue_calls: CALLERS, queue_wait_ms: LONG_MS };
    await scene.stage.channel(scene.root, {
      baseUrl: upstream.url,
      models: 'm',
      setting: JSON.stringify({ capacity }),
    });
    await scene.server.parts.refreshRouting();
  });
  afterAll(async () => {
    await scene.close();
    upstream.close();
  });

  /** A call on a connection of its own, so that it stays with its relay. */
  const call = (agent: Agent): Promise<number> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(scene.server.url);
      const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' };
      const asked = request({ agent, hostname, port, path: '/v1/chat/completions', method: 'POST', headers });
      asked.on('error', reject);
      asked.on('response', (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      asked.end(JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }));
    });

  it('serves those of both: nobody is passed over while others are served again and again', async () => {
    const served = Array.from({ length: CALLERS }, () => 0);
    const beganMs = performance.now();
    const isOver = (): boolean =>
      performance.now() - beganMs > MOST_MS || Math.min(...served) >= LEAST_ROUNDS;
    await Promise.all(
      served.map(async (_, caller) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        while (!isOver()) {
          expect(await call(agent)).toBe(200);
          served[caller] = (served[caller] ?? 0) + 1;
        }
        agent.destroy();
      }),
    );
    expect(Math.min(...served)).toBeGreaterThanOrEqual(LEAST_ROUNDS);
  });
});
