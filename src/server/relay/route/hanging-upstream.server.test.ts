import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { type HangingUpstream, shareOf, startHangingUpstream } from '../testing/hanging-upstream.ts';

/** Agents feel an outage as silence: a call that hangs, not one that fails. */

const CALL_EVERY_MS = 15;
/** While the bad one rests, ten seconds, calls only have to be there for its trial. */
const RESTS_CALL_EVERY_MS = 40;
// Both at once: most of it is the wait until the bad one is tried again.
for (const relays of ['1', '2']) {
  describe.concurrent(`one of three upstreams hangs, with ${relays} relays`, () => {
    let scene: Scene;
    let upstreams: HangingUpstream[];
    let key = '';
    const statuses: number[] = [];
    let isOver = false;
    let callEveryMs = CALL_EVERY_MS;
    let load: Promise<void>;

    const call = async (model: string): Promise<void> => {
      const response = await fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
      });
      const text = await response.text();
      statuses.push(text.endsWith('data: [DONE]\n\n') ? response.status : 0);
    };

    beforeAll(async () => {
      scene = await openScene({ TOLLGATE_RELAYS: relays });
      upstreams = await Promise.all([startHangingUpstream(), startHangingUpstream(), startHangingUpstream()]);
      await scene.set('ModelRatio', JSON.stringify({ m: 1, n: 1, o: 1 }));
      for (const { url } of upstreams)
        await scene.stage.channel(scene.root, {
          baseUrl: url,
          models: 'm,n,o',
          setting: JSON.stringify({ first_byte_timeout_ms: 1000 }),
        });
      key = (await scene.spender('agent', 1_000_000_000)).key;
      load = (async () => {
        const running = new Set<Promise<void>>();
        for (let at = 0; !isOver; at++) {
          const one = call(['m', 'n', 'o'][at % 3] ?? '').finally(() => running.delete(one));
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
      for (const upstream of upstreams) upstream.close();
    });

    it(
      'the silent one is left alone within seconds, comes back by itself, and no caller hears of it',
      { concurrent: false },
      async ({ expect }) => {
        const [bad] = upstreams;
        if (bad === undefined) throw new Error('no upstreams');
        await expect.poll(() => statuses.length).toBeGreaterThan(50);
        bad.hangs.add('*');
        await expect.poll(() => shareOf(bad, upstreams), { timeout: 10_000 }).toBeLessThan(0.05);
        bad.hangs.clear();
        callEveryMs = RESTS_CALL_EVERY_MS;
        await expect.poll(() => shareOf(bad, upstreams), { timeout: 30_000 }).toBeGreaterThan(0.2);
        expect(statuses.filter((status) => status !== 200)).toEqual([]);
      },
    );

    it(
      'where one of its models hangs, its other models go on there',
      { concurrent: false },
      async ({ expect }) => {
        const [bad] = upstreams;
        if (bad === undefined) throw new Error('no upstreams');
        callEveryMs = CALL_EVERY_MS;
        bad.hangs.add('n');
        await expect.poll(() => shareOf(bad, upstreams, 'n'), { timeout: 10_000 }).toBeLessThan(0.05);
        // A slow machine makes few calls in that time, and the dice are not fair to few.
        for (const model of ['m', 'o'])
          await expect.poll(() => shareOf(bad, upstreams, model), { timeout: 10_000 }).toBeGreaterThan(0.15);
        await expect.poll(() => shareOf(bad, upstreams, 'n')).not.toBeNaN();
        expect(shareOf(bad, upstreams, 'n')).toBeLessThan(0.05);
        bad.hangs.clear();
        expect(statuses.filter((status) => status !== 200)).toEqual([]);
      },
    );
  });
}
