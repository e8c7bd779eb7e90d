import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listening } from '../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../http/testing/scene.ts';
import { PLAIN_ANSWER } from '../testing/plain-answer.ts';

interface Upstream {
  readonly server: Server;
  readonly url: string;
  /** What callers said, in the order it came. */
  readonly said: string[];
  running: number;
  mostRunning: number;
  /** Held back until released. */
  readonly held: ServerResponse[];
  isHolding: boolean;
  headers: Record<string, string>;
}

const answer = (upstream: Upstream, response: ServerResponse): void => {
  upstream.running -= 1;
  response.writeHead(200, { 'content-type': 'application/json', ...upstream.headers });
  response.end(PLAIN_ANSWER);
};

const startUpstream = async (): Promise<Upstream> => {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => void (text += chunk.toString()));
    request.on('end', () => {
      upstream.said.push(/"content":"([^"]*)"/.exec(text)?.[1] ?? '');
      upstream.running += 1;
      upstream.mostRunning = Math.max(upstream.mostRunning, upstream.running);
      if (upstream.isHolding) upstream.held.push(response);
      else answer(upstream, response);
    });
  });
  const url = await listening(server);
  const upstream: Upstream = {
    server,
    url,
    said: [],
    running: 0,
    mostRunning: 0,
    held: [],
    isHolding: false,
    headers: {},
  };
  return upstream;
};

const release = (upstream: Upstream, count = Infinity): void => {
  for (const response of upstream.held.splice(0, count)) answer(upstream, response);
};

for (const relays of ['1', '2']) {
  describe(`a channel's limits, with ${relays} relays`, () => {
    let scene: Scene;
    let upstreams: Upstream[];
    let key = '';
    let made = 0;
    const threads: Worker[] = [];
    const note = (worker: Worker): void => {
      if (worker.threadName === 'relay') threads.push(worker);
    };

    beforeAll(async () => {
      process.on('worker', note);
      scene = await openScene({ TOLLGATE_RELAYS: relays });
      upstreams = await Promise.all([startUpstream(), startUpstream()]);
      key = (await scene.spender('agent', 1_000_000_000)).key;
    });
    afterAll(async () => {
      process.off('worker', note);
      for (const upstream of upstreams) {
        release(upstream);
        upstream.server.closeAllConnections();
        upstream.server.close();
      }
      await scene.close();
    });
    beforeEach(() => {
      for (const upstream of upstreams) {
        upstream.said.length = 0;
        upstream.mostRunning = upstream.running;
        upstream.isHolding = false;
        upstream.headers = {};
      }
    });

    const at = (index: number): Upstream => {
      const upstream = upstreams[index];
      if (upstream === undefined) throw new Error('no such upstream');
      return upstream;
    };
    /** A model of its own, served by these, the first before the others. */
    const model = async (...capacities: readonly (object | undefined)[]): Promise<string> => {
      const name = `model-${String(++made)}`;
      const ratios = Object.fromEntries(
        Array.from({ length: made }, (_, index) => [`model-${String(index + 1)}`, 1]),
      );
      await scene.set('ModelRatio', JSON.stringify(ratios));
      for (const [index, capacity] of capacities.entries())
        await scene.stage.channel(scene.root, {
          baseUrl: at(index).url,
          models: name,
          priority: 10 - index,
          setting: JSON.stringify(capacity === undefined ? {} : { capacity }),
        });
      await scene.server.parts.refreshRouting();
      return name;
    };
    const call = (name: string, said = 'hi', signal?: AbortSignal): Promise<Response> =>
      fetch(`${scene.server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer sk-${key}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ model: name, max_tokens: 100, messages: [{ role: 'user', content: said }] }),
        ...(signal && { signal }),
      });
    const statusesOf = async (count: number, name: string): Promise<number[]> => {
      const answers = await Promise.all(Array.from({ length: count }, () => call(name)));
      await Promise.all(answers.map((response) => response.text()));
      return answers.map(({ status }) => status);
    };
    const idsAt = async (path: string): Promise<number[]> =>
      ((await scene.asRoot(path)).data as { items: { id: number }[] }).items.map(({ id }) => id);
    const openHolds = async (): Promise<number> => {
      const rows = await scene.server.parts.stores.database.writer
        .selectFrom('holds')
        .select('id')
        .where('state', '=', 'open')
        .execute();
      return rows.length;
    };
    const infoOf = async (name: string): Promise<Record<string, unknown>[]> => {
      const { data } = await scene.asRoot(`/api/log?page_size=50&model_name=${name}`);
      const { items } = data as { items: { other: string }[] };
      return items.map(
        ({ other }) => (JSON.parse(other) as { admin_info: Record<string, unknown> }).admin_info,
      );
    };

    it('a limit of ten a minute lets ten of a hundred through, and tells the others when to come back', async () => {
      const name = await model({ calls_per_minute: 10 });
      const statuses = await statusesOf(100, name);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(90);
      expect(at(0).said).toHaveLength(10);
      const refused = await call(name);
      const seconds = Number(refused.headers.get('retry-after'));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(65);
      expect(await refused.text()).toContain('at its limit');
    });

    it('a full channel is passed over for the next, and the row says why', async () => {
      const name = await model({ calls_per_minute: 5 }, undefined);
      const statuses = await statusesOf(20, name);
      expect(new Set(statuses)).toEqual(new Set([200]));
      expect([at(0).said.length, at(1).said.length]).toEqual([5, 15]);
      await expect
        .poll(async () => JSON.stringify((await infoOf(name)).map((info) => info['decision'])))
        .toContain('no_room');
    });

    it('no more run at once than may; the others wait in their order and are told of in the log', async () => {
      const name = await model({ concurrent_calls: 2, queue_calls: 20, queue_wait_ms: 30_000 });
      const first = at(0);
      first.isHolding = true;
      const calls: Promise<Response>[] = [];
      const asked: string[] = [];
      for (let index = 0; index < 8; index++) {
        asked.push(`call ${String(index)}`);
        calls.push(call(name, `call ${String(index)}`));
        await expect.poll(openHolds).toBe(index + 1);
        await expect.poll(() => first.held.length).toBe(Math.min(2, index + 1));
      }
      for (let done = 0; done < 8; done++) {
        await expect.poll(() => first.held.length).toBeGreaterThan(0);
        release(first, 1);
      }
      expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
      expect(first.mostRunning).toBe(2);
      expect(relays === '1' ? first.said : first.said.toSorted()).toEqual(asked);
      await expect
        .poll(async () => (await infoOf(name)).filter((info) => info['queued'] !== undefined).length)
        .toBe(6);
      for (const { queued } of await infoOf(name)) {
        if (queued === undefined) continue;
        const { position, wait_ms: waitMs } = queued as { position: number; wait_ms: number };
        expect(position).toBeGreaterThan(0);
        expect(waitMs).toBeGreaterThan(0);
      }
    });

    it('waits for a key as well, where only the keys of a channel are limited', async () => {
      const name = await model({ queue_calls: 20, queue_wait_ms: 30_000 });
      const [channel] = await idsAt('/api/channel?page_size=1&id_sort=true');
      const keys = `/api/channel/${String(channel)}/keys`;
      await scene.asRoot(keys, { method: 'POST', body: { keys: 'another key of it' } });
      for (const id of await idsAt(keys))
        await scene.asRoot(`${keys}/${String(id)}`, { method: 'PUT', body: { concurrent: 1 } });
      at(0).isHolding = true;
      const calls = statusesOf(6, name);
      await expect.poll(() => at(0).held.length).toBe(2);
      for (let done = 0; done < 6; done++, release(at(0), 1))
        await expect.poll(() => at(0).held.length).toBeGreaterThan(0);
      expect(new Set(await calls)).toEqual(new Set([200]));
      expect(at(0).mostRunning).toBe(2);
    });

    it('who leaves the queue is never sent, and the next comes in its place', async () => {
      const name = await model({ concurrent_calls: 1, queue_calls: 20, queue_wait_ms: 30_000 });
      const first = at(0);
      first.isHolding = true;
      const running = call(name, 'running');
      await expect.poll(() => first.held.length).toBe(1);
      const leaving = new AbortController();
      const left = call(name, 'left', leaving.signal).catch(() => undefined);
      const stays = call(name, 'stays');
      leaving.abort();
      await left;
      // Its row is written once it is out of the queue.
      release(first, 1);
      expect((await running).status).toBe(200);
      await expect.poll(() => first.held.length).toBe(1);
      release(first, 1);
      expect((await stays).status).toBe(200);
      expect(first.said).toEqual(['running', 'stays']);
    });

    it('the queue is as long as it may be, and nobody waits in it longer than that', async () => {
      const name = await model({ concurrent_calls: 1, queue_calls: 1, queue_wait_ms: 300 });
      const first = at(0);
      first.isHolding = true;
      const running = call(name);
      await expect.poll(() => first.held.length).toBe(1);
      const statuses = await statusesOf(10, name);
      expect(new Set(statuses)).toEqual(new Set([429]));
      release(first);
      expect((await running).status).toBe(200);
      first.isHolding = false;
      expect((await call(name)).status).toBe(200);
    });

    it('tokens a minute are reserved as guessed and counted as used', async () => {
      // A call is guessed at over 100 tokens, for its answer alone, and uses 15.
      const name = await model({ tokens_per_minute: 300 });
      for (let index = 0; index < 12; index++)
        await expect.poll(async () => (await call(name)).status).toBe(200);
      expect((await statusesOf(10, name)).filter((status) => status === 200).length).toBeLessThan(10);
    });

    it('an upstream that says it has nothing left is left alone until it has', async () => {
      const name = await model(undefined, undefined);
      at(0).headers = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '4m' };
      expect((await call(name)).status).toBe(200);
      await expect
        .poll(async () => {
          at(0).said.length = 0;
          await statusesOf(10, name);
          return at(0).said.length;
        })
        .toBe(0);
      expect(at(1).said.length).toBeGreaterThanOrEqual(10);
    });

    it.skipIf(relays === '1')('what a relay had running when it died is free again', async () => {
      const name = await model({ concurrent_calls: 20 });
      const first = at(0);
      first.isHolding = true;
      const calls = Array.from({ length: 20 }, () => call(name).catch(() => undefined));
      await expect.poll(() => first.held.length).toBe(20);
      expect(await statusesOf(3, name)).toEqual([429, 429, 429]);
      const before = threads.length;
      await threads.at(-1)?.terminate();
      await expect.poll(() => threads.length).toBe(before + 1);
      first.isHolding = false;
      await expect.poll(async () => (await call(name).catch(() => undefined))?.status).toBe(200);
      release(first);
      const over = await Promise.all(calls);
      expect(over.filter((response) => response?.status === 200).length).toBeGreaterThan(0);
      expect(over.filter((response) => response === undefined).length).toBeGreaterThan(0);
    });
  });
}
