import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';

/**
 * What an upstream searches in the middle of a stream is paid beside its words: a stream ends where no more of it can be paid
 * (docs/billing.md).
 */

let upstream: Server;
let scene: Scene;
const SEARCHES = 40;

const event = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'searching' };
const item = (at: number) => ({ type: 'web_search_call', id: `ws_${at}`, status: 'completed' });
const output = Array.from({ length: SEARCHES }, (_, at) => item(at));

/** Forty searches, each by itself. */
const answerWith = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const begun = { response: { ...head, status: 'in_progress' } };
  const words = (delta: string) => event('response.output_text.delta', { item_id: 'msg_1', delta });
  response.write(event('response.created', begun) + words('I look it up.'));
  for (let at = 0; at < SEARCHES && !response.destroyed; at += 1) {
    response.write(event('response.output_item.done', { output_index: at, item: item(at) }) + words(' '));
    await new Promise(setImmediate);
  }
  const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 };
  response.end(event('response.completed', { response: { ...head, status: 'completed', output, usage } }));
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => void answerWith(response));
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { baseUrl, models: 'searching', groups: 'default' });
  await scene.set('ModelRatio', '{"searching":1}');
  // Ten dollars a thousand: 5000 units each.
  await scene.set('tool_price_setting.prices', '{"web_search":10}');
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

it('a stream that searches more than its caller can pay is ended, and the operator pays only the last search', async () => {
  const spender = await scene.spender('searcher', 32_000);
  const answer = await fetch(`${scene.server.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'searching',
      stream: true,
      input: 'search for everything',
      tools: [{ type: 'web_search' }],
    }),
  });
  const text = await answer.text();
  expect(text).toContain('"type":"response.incomplete"');
  const { stores } = scene.server.parts;
  const rows = async () =>
    (await stores.logs.page({ userId: spender.user.id, type: 2 }, { page: 1, pageSize: 20 })).items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [row] = await rows();
  const other = JSON.parse(row?.other ?? '{}') as Record<string, unknown>;
  // Six can be paid, 5000 units each; the seventh was not shown.
  expect(other).toMatchObject({ limited_by: 'quota', hold_units: 32_000, web_search_call_count: 6 });
  expect(other['price_units']).toBe(row?.quotaUnits);
  expect(row?.quotaUnits).toBeGreaterThan(30_000);
  expect(other).not.toHaveProperty('not_charged_units');
  const shown = text.match(/"type":"web_search_call"/g)?.length ?? 0;
  expect(shown).toBeGreaterThanOrEqual(6);
  expect(await brokenRules(stores.database)).toEqual([]);
});
