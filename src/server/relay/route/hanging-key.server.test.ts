import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { addressOf, hangUp, listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { PLAIN_STREAM } from '../testing/plain-answer.ts';
import { recentShare } from '../testing/hanging-upstream.ts';

/** One of three keys of a channel hangs, as one with a proxy of its own may, while the others answer: 100 calls a second. */

const CALL_EVERY_MS = 10;
/** While the bad one rests, ten seconds, calls only have to be there for its trial. */
const RESTS_CALL_EVERY_MS = 40;
const KEYS = ['aaaa', 'bbbb', 'cccc'].map((end) => `sk-a-long-enough-key-${end}`);
const [BAD = ''] = KEYS;

// Both at once: most of it is the wait until the bad one is tried again.
for (const limits of ['a first byte within a second', 'a deadline for the first token'] as const) {
  describe.concurrent(`one of three keys hangs, with ${limits}`, () => {
    let scene: Scene;
    let upstream: Server;
    let caller = '';
    let hangs = false;
    let isOver = false;
    let callEveryMs = CALL_EVERY_MS;
    let load: Promise<void>;
    const asked: { readonly key: string; readonly atMs: number }[] = [];
    const statuses: number[] = [];

    const call = async (): Promise<void> => {
      const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${caller}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
      });
      const text = await response.text();
      statuses.push(text.endsWith('data: [DONE]\n\n') ? response.status : 0);
    };
    const share = (): number =>
      recentShare(
        asked.filter(({ key }) => key === BAD),
        asked,
      );

    beforeAll(async () => {
      upstream = createServer((request, response) => {
        const key = (request.headers.authorization ?? '').replace('Bearer ', '');
        asked.push({ key, atMs: performance.now() });
        request.resume().on('end', () => {
          if (hangs && key === BAD) return;
          response.writeHead(200, { 'content-type': 'text/event-stream' }).end(PLAIN_STREAM);
        });
      });
      await listening(upstream);
      scene = await openScene();
      await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
      await scene.set('RetryTimes', 0);
      const isDeadline = limits === 'a deadline for the first token';
      if (isDeadline)
        await scene.set('upstream_setting.first_token', JSON.stringify({ m: { deadline_ms: 1000 } }));
      const baseUrl = addressOf(upstream);
      const setting = isDeadline ? '' : JSON.stringify({ first_byte_timeout_ms: 1000 });
      await scene.stage.pool(scene.root, { baseUrl, models: 'm', key: KEYS.join('\n'), setting });
      caller = (await scene.spender('agent', 1_000_000_000)).key;
      load = (async () => {
        const running = new Set<Promise<void>>();
        while (!isOver) {
          const one = call().finally(() => running.delete(one));
          running.add(one);
          await pause(callEveryMs);
        }
        await Promise.all(running);
      })();
    });
    afterAll(async () => {
      isOver = true;
      await load;
      await scene.close();
      hangUp(upstream);
    });

    it('no call fails, the others have its calls soon, it is back by a live trial, and each call is charged once', async ({
      expect,
    }) => {
      await expect.poll(() => statuses.length).toBeGreaterThan(100);
      hangs = true;
      await expect.poll(share, { timeout: 10_000 }).toBeLessThan(0.05);
      hangs = false;
      callEveryMs = RESTS_CALL_EVERY_MS;
      await expect.poll(share, { timeout: 30_000 }).toBeGreaterThan(0.2);
      isOver = true;
      await load;
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      const { database } = scene.server.parts.stores;
      const rows = database.reader.selectFrom('logs').select(({ fn }) => fn.countAll<number>().as('count'));
      const charged = await rows.where('type', '=', 2).executeTakeFirstOrThrow();
      expect(Number(charged.count)).toBe(statuses.length);
      expect(await brokenRules(database)).toEqual([]);
    });
  });
}
