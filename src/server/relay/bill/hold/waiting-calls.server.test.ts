import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../../config.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';
import { keptLog, temporaryFolder, testEnvironment } from '../../../http/testing/test-config.ts';
import { type RunningServer, startServer } from '../../../main.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';
import { startPostgres } from '../../../store/testing/postgres-server.ts';
import { type SlowUpstream, startSlowUpstream } from '../../testing/slow-upstream.ts';

/** Calls that wait for quota: on two nodes, of callers who leave, and for no time at all (docs/billing.md). */

/** Thirteen tokens of prompt and thirty of answer, which cost four times as much. */
const COST = 133;
const BALANCE = 20_000;
const PAID_FOR = Math.floor(BALANCE / COST);
const ANSWER_MS = 500;

const folder = temporaryFolder();
let upstream: SlowUpstream;
let scene: Scene;
let other: RunningServer;
let postgres: Awaited<ReturnType<typeof startPostgres>>;

beforeAll(async () => {
  const usage = { prompt_tokens: 13, completion_tokens: 30, total_tokens: 43 };
  const message = { role: 'assistant', content: 'word '.repeat(25) };
  const answer = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage });
  upstream = await startSlowUpstream(ANSWER_MS, () => answer);
  postgres = await startPostgres();
  const shared = {
    DATABASE_URL: postgres.url,
    TOLLGATE_MASTER_KEY: 'a master key of more than 32 characters',
  };
  scene = await openScene(shared);
  await scene.stage.channel(scene.root, { baseUrl: upstream.url, models: 'm' });
  await scene.set('ModelRatio', '{"m":1}');
  await scene.set('CompletionRatio', '{"m":4}');
  await scene.set('QuotaWaitSeconds', 120);
  other = await startServer(readConfig({ ...testEnvironment(folder.path), ...shared }), { log: keptLog() });
});
afterAll(async () => {
  await other.stop();
  await scene.close();
  upstream.close();
  await postgres.stop();
  folder.remove();
});

const ask = (url: string, { key }: Spender, limit?: number, signal?: AbortSignal): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      max_tokens: limit,
      messages: [{ role: 'user', content: 'Say something' }],
    }),
    ...(signal !== undefined && { signal }),
  });

const moneyOf = async ({ user }: Spender) => {
  const found = await scene.server.parts.stores.users.byId(user.id);
  return { left: found?.quotaUnits, held: found?.heldUnits, used: found?.usedQuotaUnits };
};

it('on two nodes, as many of a crowd are served as the money pays for, and not one unit more', async () => {
  const spender = await scene.spender('crowd', BALANCE);
  const { served } = upstream;
  const urls = [scene.server.url, other.url];
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const answer = await ask(urls[at % 2] ?? '', spender);
      return [answer.status, (await answer.text()).includes('"stop"')] as const;
    }),
  );
  const whole = answers.filter(([status, isWhole]) => status === 200 && isWhole);
  expect(whole).toHaveLength(PAID_FOR);
  expect(upstream.served - served).toBe(PAID_FOR);
  expect(await moneyOf(spender)).toEqual({ left: BALANCE - PAID_FOR * COST, held: 0, used: PAID_FOR * COST });
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
});

it('a caller who leaves while it waits gives up its place, and nothing is sent or held for it', async () => {
  const spender = await scene.spender('leaves', 1000);
  const { served } = upstream;
  const first = ask(scene.server.url, spender, 240);
  await expect.poll(() => upstream.served).toBe(served + 1);
  const leaving = new AbortController();
  const second = ask(scene.server.url, spender, 240, leaving.signal);
  const third = ask(scene.server.url, spender, 20);
  leaving.abort();
  await expect(second).rejects.toThrow();
  expect([(await first).status, (await third).status]).toEqual([200, 200]);
  expect(upstream.served).toBe(served + 2);
  expect(await moneyOf(spender)).toEqual({ left: 1000 - 2 * COST, held: 0, used: 2 * COST });
});

it('where calls may not wait, what others hold is refused with the amounts', async () => {
  await scene.set('QuotaWaitSeconds', 0);
  const spender = await scene.spender('waits not', 1000);
  const { served } = upstream;
  const first = ask(scene.server.url, spender, 240);
  await expect.poll(() => upstream.served).toBe(served + 1);
  const refused = await ask(scene.server.url, spender, 240);
  expect(refused.status).toBe(403);
  expect(await refused.text()).toMatch(
    /at least \S+ is held .* and \S+ more is held by calls that are running/,
  );
  expect((await first).status).toBe(200);
});
