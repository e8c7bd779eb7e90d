import { type IncomingMessage, request } from 'node:http';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../http/testing/scene.ts';
import { startPostgres } from '../store/testing/postgres-server.ts';
import { brokenRules } from '../store/testing/broken-rules.ts';
import { type RunningSimulator, startSimulator } from '../../simulator/start.ts';

const MODEL = 'gpt-4o-mini';
const METRICS_TOKEN = 'a token for the metrics';
/** So many connections meet both relays: all with one has a chance of 1 to 2^23. */
const MANY = 24;

/** A call on a connection of its own, so that either relay may have it. */
const call = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const asked = request(url, {
      agent: false,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(text.length) },
    });
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end(text);
  });

/** What comes until the end, and whether that was cut off. */
const restOf = async (response: IncomingMessage): Promise<{ text: string; isBroken: boolean }> => {
  let text = '';
  try {
    for await (const bytes of response) text += String(bytes);
    return { text, isBroken: false };
  } catch {
    return { text, isBroken: true };
  }
};
const statusOf = async (answer: Promise<IncomingMessage>): Promise<number> => {
  const response = await answer;
  response.resume();
  return response.statusCode ?? 0;
};
const times = <Result>(count: number, make: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, make));

for (const engine of ['SQLite', 'PostgreSQL'] as const) {
  describe(`two relays of one server on ${engine}`, () => {
    let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined;
    let simulator: RunningSimulator;
    let scene: Scene;
    let spender: Spender;
    const relayThreads: Worker[] = [];
    const note = (worker: Worker): void => {
      if (worker.threadName === 'relay') relayThreads.push(worker);
    };

    beforeAll(async () => {
      postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
      simulator = await startSimulator({ speed: 25 });
      process.on('worker', note);
      scene = await openScene({
        TOLLGATE_RELAYS: '2',
        TOLLGATE_METRICS_TOKEN: METRICS_TOKEN,
        ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url }),
      });
      await scene.set('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
      await scene.stage.channel(scene.root, { baseUrl: simulator.url, models: MODEL });
      spender = await scene.spender('spender', 1_000_000_000);
    });
    afterAll(async () => {
      process.off('worker', note);
      await scene.close();
      await simulator.stop();
      await postgres?.stop();
    });

    const chat = (key: string, words = 1, stream = false) =>
      call(
        `${scene.server.url}/v1/chat/completions`,
        { authorization: `Bearer sk-${key}` },
        {
          model: MODEL,
          stream,
          messages: [{ role: 'user', content: `say ${'gate '.repeat(words)}` }],
        },
      );
    const metrics = async (): Promise<string> => {
      const page = await call(`${scene.server.url}/metrics`, { authorization: `Bearer ${METRICS_TOKEN}` });
      return (await restOf(page)).text;
    };
    const okCalls = (page: string): number =>
      Number(/^tollgate_calls_total\{outcome="ok",stream="false"\} (\d+)$/m.exec(page)?.[1] ?? 0);
    /** Holds of running calls, and how many of them have noted what was produced. */
    const openHolds = async (): Promise<{ open: number; noted: number }> => {
      const rows = await scene.server.parts.stores.database.writer
        .selectFrom('holds')
        .select('checkpoint')
        .where('state', '=', 'open')
        .execute();
      return { open: rows.length, noted: rows.filter(({ checkpoint }) => checkpoint > 0).length };
    };

    it('both serve, what they count adds up, and any of them shows it', async () => {
      const before = okCalls(await metrics());
      expect(await times(MANY, () => statusOf(chat(spender.key)))).toEqual(
        Array.from({ length: MANY }, () => 200),
      );
      await expect.poll(async () => okCalls(await metrics())).toBe(before + MANY);
      const own = okCalls(scene.server.parts.metrics.counted().calls);
      expect(own).toBeGreaterThan(0);
      expect(own).toBeLessThan(MANY);
      const pages = await times(MANY, metrics);
      expect(new Set(pages.map(okCalls))).toEqual(new Set([before + MANY]));
    });

    it('the site is the same on every connection: its calls, its sessions and its pages', async () => {
      const session = await scene.stage.session(scene.root);
      const answers = await times(MANY, async () =>
        JSON.parse((await restOf(await call(`${scene.server.url}/api/user/self`, session))).text),
      );
      for (const answer of answers) expect(answer).toMatchObject({ data: { username: 'root' } });
      const unknown = await times(MANY, () =>
        statusOf(call(`${scene.server.url}/api/user/self`, { cookie: 'session=stolen' })),
      );
      expect(new Set(unknown)).toEqual(new Set([401]));
      expect(
        new Set(await times(MANY, () => statusOf(call(`${scene.server.url}/api/nothing`, {}, { a: 1 })))),
      ).toEqual(new Set([404]));
    });

    it('a limit of ten lets ten of a hundred through', async () => {
      const { key } = await scene.spender('limited', 1_000_000_000);
      await scene.set('ModelRequestRateLimitCount', 10);
      await scene.set('ModelRequestRateLimitDurationMinutes', 60);
      await scene.set('ModelRequestRateLimitEnabled', true);
      const statuses = await times(100, () => statusOf(chat(key)));
      await scene.set('ModelRequestRateLimitEnabled', false);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    });

    it('what is changed holds on both once the change is answered', async () => {
      const { key } = await scene.spender('poor', 1_000_000);
      for (const [ratio, status] of [
        [1e6, 403],
        [1, 200],
      ] as const) {
        await scene.set('ModelRatio', JSON.stringify({ [MODEL]: ratio }));
        expect(new Set(await times(MANY, () => statusOf(chat(key))))).toEqual(new Set([status]));
      }
    });

    it('a key that is switched off is refused by both', async () => {
      const { parts } = scene.server;
      const { user } = await scene.spender('leaver', 1_000_000_000);
      const { id, key } = await scene.stage.token(user);
      await parts.tokens.update(user, id, { unlimited: true });
      expect(new Set(await times(MANY, () => statusOf(chat(key))))).toEqual(new Set([200]));
      await parts.tokens.update(user, id, { status: 2 });
      const isOff = async () => new Set(await times(MANY, () => statusOf(chat(key))));
      // Both would believe it for ten seconds.
      await expect.poll(isOff, { timeout: 9000 }).toEqual(new Set([401]));
    });

    it('one that dies ends its calls once; the other goes on, and it comes back', async () => {
      const streams = await times(MANY, () => chat(spender.key, 100, true));
      expect(new Set(streams.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
      const ends = Promise.all(streams.map(restOf));
      await expect.poll(openHolds).toEqual({ open: MANY, noted: MANY });
      expect(relayThreads).toHaveLength(1);
      await relayThreads[0]?.terminate();
      const all = await ends;
      const broken = all.filter(({ isBroken }) => isBroken).length;
      expect(broken).toBeGreaterThan(0);
      expect(broken).toBeLessThan(MANY);
      const whole = all.filter(({ text }) => text.endsWith('data: [DONE]\n\n'));
      expect(whole).toHaveLength(MANY - broken);
      await expect.poll(openHolds).toEqual({ open: 0, noted: 0 });
      await expect.poll(() => relayThreads.length).toBe(2);
      const served = async () => {
        await times(MANY, () => statusOf(chat(spender.key)));
        const [counted] = await scene.server.parts.others.counted();
        return okCalls(counted?.calls ?? '');
      };
      await expect.poll(served).toBeGreaterThan(0);
      const { database } = scene.server.parts.stores;
      expect(await brokenRules(database)).toEqual([]);
      const rows = await database.writer
        .selectFrom('logs')
        .select('request_id')
        .where('type', '=', 2)
        .where(
          'request_id',
          'in',
          streams.map(({ headers }) => String(headers['x-oneapi-request-id'])),
        )
        .execute();
      expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(MANY);
      expect(rows).toHaveLength(MANY);
    });
  });
}
