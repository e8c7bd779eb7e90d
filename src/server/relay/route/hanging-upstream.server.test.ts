import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene } from '../../http/testing/scene.ts';

/** Agents feel an outage as silence: a call that hangs, not one that fails. */

const CALL_EVERY_MS = 10;
/** What is looked at, to say where calls go now. */
const LATELY_MS = 2000;
const chunk = (fields: object): string => {
  const { delta, finish = null, ...rest } = { delta: {}, ...fields } as Record<string, unknown>;
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest })}\n\n`;
};
const USAGE = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
const ANSWER = `${chunk({ delta: { content: 'hi' } })}${chunk({ finish: 'stop', usage: USAGE })}data: [DONE]\n\n`;

interface Upstream {
  readonly server: Server;
  readonly url: string;
  /** Model and time of each call. */
  readonly calls: { readonly model: string; readonly atMs: number }[];
  /** Models that hang; `*` all of them. */
  readonly hangs: Set<string>;
}

const startUpstream = async (): Promise<Upstream> => {
  const calls: Upstream['calls'] = [];
  const hangs = new Set<string>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      const model = /"model":"([^"]+)"/.exec(text)?.[1] ?? '';
      calls.push({ model, atMs: performance.now() });
      if (hangs.has('*') || hangs.has(model)) return;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(ANSWER);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return { server, url, calls, hangs };
};

/** Of the calls that reached any of them lately, the part that reached this one. */
const shareOf = (one: Upstream, all: readonly Upstream[], model?: string): number => {
  const sinceMs = performance.now() - LATELY_MS;
  const count = ({ calls }: Upstream): number =>
    calls.filter((call) => call.atMs >= sinceMs && (model === undefined || call.model === model)).length;
  const sum = all.reduce((before, each) => before + count(each), 0);
  return count(one) / Math.max(1, sum);
};

for (const relays of ['1', '2']) {
  describe(`one of three upstreams hangs, with ${relays} relays`, () => {
    let scene: Scene;
    let upstreams: Upstream[];
    let key = '';
    const statuses: number[] = [];
    let isOver = false;
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
      upstreams = await Promise.all([startUpstream(), startUpstream(), startUpstream()]);
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
          await pause(CALL_EVERY_MS);
        }
        await Promise.all(running);
      })();
    });
    afterAll(async () => {
      isOver = true;
      await load;
      await scene.close();
      for (const { server } of upstreams) {
        server.closeAllConnections();
        server.close();
      }
    });

    it('the silent one is left alone within seconds, comes back by itself, and no caller hears of it', async () => {
      const [bad] = upstreams;
      if (bad === undefined) throw new Error('no upstreams');
      await expect.poll(() => statuses.length).toBeGreaterThan(50);
      bad.hangs.add('*');
      await expect.poll(() => shareOf(bad, upstreams), { timeout: 10_000 }).toBeLessThan(0.05);
      bad.hangs.clear();
      await expect.poll(() => shareOf(bad, upstreams), { timeout: 30_000 }).toBeGreaterThan(0.2);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    });

    it('where one of its models hangs, its other models go on there', async () => {
      const [bad] = upstreams;
      if (bad === undefined) throw new Error('no upstreams');
      bad.hangs.add('n');
      await expect.poll(() => shareOf(bad, upstreams, 'n'), { timeout: 10_000 }).toBeLessThan(0.05);
      // A slow machine makes few calls in that time, and the dice are not fair to few.
      for (const model of ['m', 'o'])
        await expect.poll(() => shareOf(bad, upstreams, model), { timeout: 10_000 }).toBeGreaterThan(0.15);
      expect(shareOf(bad, upstreams, 'n')).toBeLessThan(0.05);
      bad.hangs.clear();
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
    });
  });
}
