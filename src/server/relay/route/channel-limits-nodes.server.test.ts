import { createServer, type Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hangUp, listening } from '../../outbound/testing/local-server.ts';
import type { Scene } from '../../http/testing/scene.ts';
import { openTwoNodes, type TwoNodes } from '../../http/testing/two-nodes.ts';
import { hasRedis } from '../../limits/testing/redis-server.ts';
import type { RunningServer } from '../../main.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

const LIMIT = 10;
const NODES = 2;
const CALLS = 200;
/** Whoever hears of no other node in this time takes itself for alone. */
const ALONE_MS = 2000;
const CALL_EVERY_MS = 25;
const MINUTE_MS = 60_000;
const NO_LIMITS = { callsPerMinute: 0, tokensPerMinute: 0, concurrent: 0, callsPerDay: 0 };

for (const by of ['PostgreSQL', 'Redis'] as const) {
  describe.skipIf(by === 'Redis' && !hasRedis)(`a channel's limit over two nodes, told by ${by}`, () => {
    let nodes: TwoNodes;
    let upstream: Server;
    let scene: Scene;
    let there: RunningServer;
    let key = '';
    /** How many calls came to the upstream, by model. */
    const came = new Map<string, number>();
    const channelIds = new Map<string, number>();
    /** When the first node had used up a minute, before the other began. */
    let usedUpAtMs = 0;

    beforeAll(async () => {
      upstream = createServer((request, response) => {
        let text = '';
        request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
        request.on('end', () => {
          const model = /"model":"([^"]+)"/.exec(text)?.[1] ?? '';
          came.set(model, (came.get(model) ?? 0) + 1);
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(PLAIN_ANSWER);
        });
      });
      const baseUrl = await listening(upstream);
      nodes = await openTwoNodes(by, async (here) => {
        await here.set('ModelRatio', '{"burst":1,"stream":1,"joined":1}');
        for (const models of ['burst', 'stream', 'joined']) {
          const { id } = await here.stage.channel(here.root, {
            baseUrl,
            models,
            setting: JSON.stringify({ capacity: { calls_per_minute: LIMIT } }),
          });
          channelIds.set(models, id);
        }
        key = (await here.spender('agent', 1_000_000_000)).key;
        await here.server.parts.refreshRouting();
        // It has found by then that it is alone.
        await pause(ALONE_MS);
        scene = here;
        for (let made = 0; made < LIMIT; made += 1) expect(await call(0, 'joined')).toBe(200);
        usedUpAtMs = performance.now();
      });
      ({ here: scene, there } = nodes);
      await Promise.all([scene.server.parts.refreshRouting(), there.parts.refreshRouting()]);
    });
    afterAll(async () => {
      await nodes.close();
      hangUp(upstream);
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
    /** Whether a node knows of so many calls of the last minute. */
    const knows = ({ parts }: RunningServer, model: string, calls: number): boolean =>
      parts.seatRoom.freeInMs({
        channelId: channelIds.get(model) ?? 0,
        keyId: 0,
        ofChannel: { ...NO_LIMITS, callsPerMinute: calls },
        ofKey: undefined,
        tokens: 0,
      }) > 0;
    /** Each of them has heard of all calls, its own and the other's. */
    const bothKnow = async (model: string, calls: number): Promise<void> => {
      for (const node of [scene.server, there]) await expect.poll(() => knows(node, model, calls)).toBe(true);
    };
    /** Each call is answered, and who got an answer was sent on exactly once. */
    const expectNoneLost = (model: string, statuses: readonly number[]): number => {
      const answered = statuses.filter((status) => status === 200).length;
      expect(statuses.filter((status) => status === 429)).toHaveLength(CALLS - answered);
      expect(came.get(model)).toBe(answered);
      return answered;
    };

    it('a node that joins goes on with the minute that others have used', async () => {
      const isOver = () => performance.now() > usedUpAtMs + MINUTE_MS;
      await expect.poll(() => knows(there, 'joined', LIMIT) || isOver()).toBe(true);
      const status = await call(1, 'joined');
      expect(isOver() ? 429 : status).toBe(429);
    });

    it('of two hundred at once each node lets ten through at most, before it has heard of the other', async () => {
      const statuses = await Promise.all(Array.from({ length: CALLS }, (_, at) => call(at, 'burst')));
      const answered = expectNoneLost('burst', statuses);
      expect(answered).toBeGreaterThanOrEqual(LIMIT);
      expect(answered).toBeLessThanOrEqual(NODES * LIMIT);
      await bothKnow('burst', answered);
      expect(await Promise.all([call(0, 'burst'), call(1, 'burst')])).toEqual([429, 429]);
    });

    it('of two hundred after each other only those get through beyond ten that came before the news', async () => {
      const early: Promise<number>[] = [];
      while ((came.get('stream') ?? 0) < LIMIT) {
        early.push(call(early.length, 'stream'));
        await pause(CALL_EVERY_MS);
      }
      const statuses = await Promise.all(early);
      const before = came.get('stream') ?? 0;
      await bothKnow('stream', before);
      // Soon, while the minute lasts.
      const late = Array.from({ length: CALLS - statuses.length }, (_, at) => call(at, 'stream'));
      statuses.push(...(await Promise.all(late)));
      expect(expectNoneLost('stream', statuses)).toBe(before);
      expect(before).toBeLessThanOrEqual(NODES * LIMIT);
    });
  });
}
