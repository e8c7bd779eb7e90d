import { afterAll, beforeAll, expect, it } from 'vitest';
import { openScene, type Scene, type Spender } from '../../http/testing/scene.ts';
import { brokenRules } from '../../store/testing/broken-rules.ts';
import { chargesOf } from '../testing/charges-of.ts';
import { type SlowUpstream, startSlowUpstream } from '../testing/slow-upstream.ts';

/** What an upstream searched for a whole reply is known only at its end, so it is held before (docs/billing.md). */

let upstream: SlowUpstream;
let scene: Scene;

const SEARCHES = 8;
/** Ten dollars a thousand. */
const A_SEARCH = 5000;
const COST = SEARCHES * A_SEARCH + 30;

const reply = JSON.stringify({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'searching',
  status: 'completed',
  output: [
    ...Array.from({ length: SEARCHES }, (_, at) => ({
      type: 'web_search_call',
      id: `ws_${String(at)}`,
      status: 'completed',
    })),
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
  ],
  usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
});

beforeAll(async () => {
  upstream = await startSlowUpstream(200, () => reply);
  scene = await openScene();
  const channel = { baseUrl: upstream.url, models: 'searching,by-call', groups: 'default' };
  await scene.stage.channel(scene.root, channel);
  await scene.set('ModelRatio', '{"searching":1}');
  await scene.set('ModelPrice', '{"by-call":0.01}');
  await scene.set('tool_price_setting.prices', '{"web_search":10}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const ask = async ({ key }: Spender, more: object = {}): Promise<number> => {
  const answer = await fetch(`${scene.server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'searching',
      input: 'search for everything',
      max_output_tokens: 1000,
      tools: [{ type: 'web_search' }],
      ...more,
    }),
  });
  await answer.text();
  return answer.status;
};

it('holds ten searches if its payer can afford them, even if fewer are asked for: this upstream ignores the limit', async () => {
  const rich = await scene.spender('rich', 10_000_000);
  expect(await ask(rich)).toBe(200);
  expect(await ask(rich, { max_tool_calls: 3 })).toBe(200);
  const rows = await chargesOf(scene, rich);
  expect(rows).toHaveLength(2);
  for (const { hold_units: held, units } of rows) {
    expect(held).toBeGreaterThanOrEqual(10 * A_SEARCH + 1000);
    // And 10,000 tokens for the pages that are found.
    expect(held).toBeLessThan(11 * A_SEARCH + 10_000);
    expect(units).toBe(COST);
  }
});

it('holds as much where the answer is paid by the call, streamed or not', async () => {
  const payer = await scene.spender('payer', 10_000_000);
  expect(await ask(payer, { model: 'by-call' })).toBe(200);
  expect(await ask(payer, { model: 'by-call', stream: true })).toBe(200);
  const rows = await chargesOf(scene, payer);
  expect(rows.map(({ hold_units: units }) => units)).toEqual([5000 + 10 * A_SEARCH, 5000 + 10 * A_SEARCH]);
});

it('is served to a payer who can afford one search, with an answer as long as was asked for', async () => {
  const poor = await scene.spender('poor', A_SEARCH + 2000);
  expect(await ask(poor)).toBe(200);
  const [row] = await chargesOf(scene, poor);
  expect(row).toMatchObject({ hold_units: A_SEARCH + 2000, units: A_SEARCH + 2000 });
  expect(row).not.toHaveProperty('max_tokens_lowered_to');
});

it('of many at once, no more are served than the balance pays for, except the last of them', async () => {
  const crowd = await scene.spender('crowd', 3 * COST);
  const before = upstream.served;
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(crowd)));
  const served = upstream.served - before;
  expect(answers.filter((status) => status === 200).length).toBe(served);
  expect(served).toBeGreaterThanOrEqual(3);
  expect(served).toBeLessThanOrEqual(4);
  const rows = await chargesOf(scene, crowd);
  expect(rows.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(3 * COST);
  const lost = rows.map(({ not_charged_units: units = 0 }) => units);
  expect(lost.filter((units) => units > 0).length).toBeLessThanOrEqual(1);
  expect(await brokenRules(scene.server.parts.stores.database)).toEqual([]);
});
