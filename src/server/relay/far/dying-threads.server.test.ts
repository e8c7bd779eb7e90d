import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { type SmallUpstream, startSmallUpstream } from '../../http/testing/small-upstream.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';

/** The thread that reads large bodies dies in the middle of calls: none is held on to, lost or paid twice. */

const CALLS = 6;
/** What the upstream says each used, at ratios of 1. */
const UNITS = 10;
/** More than is read in the main thread. */
const LARGE = 'word '.repeat(140_000);

let upstream: SmallUpstream;
let scene: Scene;
/** After so many answers of a thread it dies. */
let diesAfter = Infinity;
let answers = 0;
let died = 0;

const watch = (worker: Worker): void => {
  worker.on('message', () => {
    answers += 1;
    if (answers !== diesAfter) return;
    died += 1;
    void worker.terminate();
  });
};

beforeAll(async () => {
  upstream = await startSmallUpstream();
  scene = await openScene();
  // The database has its thread by now.
  process.on('worker', watch);
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
  await scene.set('ModelRatio', '{"m":1}');
  await scene.set('CompletionRatio', '{"m":1}');
});
afterAll(async () => {
  process.off('worker', watch);
  await scene.close();
  await upstream.close();
});

const ask = async ({ key }: Spender, path: string): Promise<number> => {
  const response = await fetch(`${scene.server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', max_tokens: 50, messages: [{ role: 'user', content: LARGE }] }),
  });
  await response.text();
  return response.status;
};

it.each([1, 2, 3, 4, 5, 8, 11])(
  'after %i answers: each answered caller has paid once, all others nothing',
  async (after) => {
    answers = 0;
    diesAfter = after;
    const before = died;
    const spender = await scene.spender(`after ${after}`, 100_000_000);
    const asked = upstream.requests.length;
    const statuses = await Promise.all(
      Array.from({ length: CALLS }, (_, at) =>
        ask(spender, at % 2 === 0 ? '/v1/messages' : '/v1/chat/completions'),
      ),
    );
    diesAfter = Infinity;
    expect(died).toBeGreaterThan(before);
    const answered = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => ![200, 503, 529].includes(status))).toEqual([]);
    expect(upstream.requests.length - asked).toBe(answered);
    const { stores } = scene.server.parts;
    const money = async () => {
      const user = await stores.users.byId(spender.user.id);
      return { left: user?.quotaUnits, used: user?.usedQuotaUnits };
    };
    const used = UNITS * answered;
    await expect.poll(money).toEqual({ left: 100_000_000 - used, used });
    expect(await brokenRules(stores.database)).toEqual([]);
    // The next one has another thread.
    expect(await ask(spender, '/v1/messages')).toBe(200);
  },
);
