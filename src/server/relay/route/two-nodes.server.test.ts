import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import type { Caller } from '../../http/testing/caller.ts';
import type { Scene } from '../../http/testing/scene.ts';
import { openTwoNodes, type TwoNodes } from '../../http/testing/two-nodes.ts';
import { hasRedis } from '../../limits/testing/redis-server.ts';
import type { RunningServer } from '../../main.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

/** Two real nodes on one PostgreSQL, whose news go by NOTIFY or by Redis: channels are edited under load, and the live board is one. */

const EDITED_MS = 6000;
const EDIT_EVERY_MS = 100;
const CALL_EVERY_MS = 25;
/** How often the middle one of three channels is switched. */
const SWITCH_EVERY = 25;
const STALE_AFTER_MS = 1000;

for (const way of ['PostgreSQL', 'Redis'] as const) {
  describe.skipIf(way === 'Redis' && !hasRedis)(`two nodes that hear each other by ${way}`, () => {
    let nodes: TwoNodes;
    let here: Scene;
    let there: RunningServer;
    let asRootThere: Caller;
    let upstream: Server;
    let key = '';
    const channels: number[] = [];
    /** When each channel was called. */
    const calledAtMs = new Map<string, number[]>();

    beforeAll(async () => {
      upstream = createServer((request, response) => {
        const at = (request.url ?? '').split('/')[1] ?? '';
        calledAtMs.set(at, [...(calledAtMs.get(at) ?? []), performance.now()]);
        request.resume().on('end', () => {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(PLAIN_ANSWER);
        });
      });
      const url = await listening(upstream);
      nodes = await openTwoNodes(way, async (scene) => {
        await scene.set('ModelRatio', JSON.stringify({ m: 1 }));
        for (const at of [0, 1, 2])
          channels.push(
            (await scene.stage.channel(scene.root, { baseUrl: `${url}/${String(at)}`, models: 'm' })).id,
          );
        key = (await scene.spender('caller', 1_000_000_000)).key;
        await scene.server.parts.refreshRouting();
      });
      ({ here, there, asRootThere } = nodes);
    });
    afterAll(async () => {
      await nodes.close();
      hangUp(upstream);
    });

    const call = async (url: string): Promise<number> => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      });
      await response.text();
      return response.status;
    };
    const urlAt = (at: number): string => (at % 2 === 0 ? here.server.url : there.url);
    const edit = async (at: number, fields: object): Promise<void> => {
      const asRoot = at % 2 === 0 ? here.asRoot : asRootThere;
      const done = await asRoot('/api/channel', { method: 'PUT', body: fields });
      expect(done).toMatchObject({ success: true });
    };

    it(
      'ten edits a second under load: no call fails, and none uses a setting replaced over a second ago',
      { timeout: 180_000 },
      async () => {
        const statuses: number[] = [];
        const running = new Set<Promise<void>>();
        let isOver = false;
        const load = (async () => {
          for (let at = 0; !isOver; at += 1) {
            const one: Promise<void> = call(urlAt(at))
              .then((status) => void statuses.push(status))
              .finally(() => running.delete(one));
            running.add(one);
            await pause(CALL_EVERY_MS);
          }
          await Promise.all(running);
        })();
        /** When the second channel was known to be off, and when it was switched on again. */
        const offMs: { readonly fromMs: number; untilMs: number }[] = [];
        const edits: Promise<void>[] = [];
        const beganMs = performance.now();
        for (let at = 0; performance.now() - beganMs < EDITED_MS; at += 1) {
          if (at % SWITCH_EVERY === 0) {
            const isOff = at % (2 * SWITCH_EVERY) !== 0;
            const last = offMs.at(-1);
            if (isOff && last !== undefined) last.untilMs = performance.now();
            await edit(at / SWITCH_EVERY, { id: channels[1], status: isOff ? 1 : 2 });
            if (!isOff) offMs.push({ fromMs: performance.now(), untilMs: Infinity });
          } else edits.push(edit(at, { id: channels[(at % 2) * 2], weight: at % 7, priority: 0 }));
          await pause(Math.max(0, beganMs + (at + 1) * EDIT_EVERY_MS - performance.now()));
        }
        const overMs = performance.now();
        await Promise.all(edits);
        isOver = true;
        await load;
        const stale = offMs.flatMap(({ fromMs, untilMs }) =>
          (calledAtMs.get('1') ?? []).filter(
            (atMs) => atMs > fromMs + STALE_AFTER_MS && atMs < untilMs && atMs < overMs,
          ),
        );
        expect({ failed: statuses.filter((status) => status !== 200), stale }).toEqual({
          failed: [],
          stale: [],
        });
        expect(statuses.length).toBeGreaterThan(50);
        expect(offMs.length).toBeGreaterThan(0);
      },
    );

    it('the live board of either has the calls of both', async () => {
      await edit(0, { id: channels[1], status: 1 });
      await edit(0, { id: channels[0], status: 2 });
      await edit(0, { id: channels[2], status: 2 });
      const isAlone = (): boolean =>
        [here.server.parts, there.parts].every(({ routing }) =>
          [0, 2].every((at) => routing().channels.get(channels[at] ?? 0)?.status === 2),
        );
      await expect.poll(isAlone).toBe(true);
      const countAt = async (asRoot: Caller): Promise<number> => {
        const { data } = await asRoot('/api/channel/live');
        const rows = (data as { channels: { id: number; history: { calls: number[] } }[] }).channels;
        const calls = rows.find(({ id }) => id === channels[1])?.history.calls ?? [];
        return calls.reduce((sum, count) => sum + count, 0);
      };
      const before = calledAtMs.get('1')?.length ?? 0;
      for (let at = 0; at < 5; at += 1) expect(await call(here.server.url)).toBe(200);
      for (let at = 0; at < 7; at += 1) expect(await call(there.url)).toBe(200);
      const both = calledAtMs.get('1')?.length ?? 0;
      expect(both - before).toBe(12);
      // Those of the load are on it as well: it has the last five minutes.
      await expect.poll(() => countAt(here.asRoot)).toBe(both);
      await expect.poll(() => countAt(asRootThere)).toBe(both);
    });
  });
}
