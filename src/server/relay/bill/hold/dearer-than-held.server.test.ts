import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene } from '../../../http/testing/scene.ts';
import { brokenRules } from '../../../store/testing/broken-rules.ts';

/**
 * A stream may cost more than it was held for: its prompt is longer than was estimated and reaches a context step, or its
 * upstream serves a dearer tier unasked. Where the upstream says so at the start, the hold grows by that price, and the
 * stream ends where it cannot be paid (docs/billing.md).
 */

let upstream: Server;
let scene: Scene;
/** What the upstream says of the prompt at the start. */
let told: object = {};
/** How many pieces of forty bytes, ten tokens, its answer has. */
let pieces = 0;
const event = (type: string, more: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const piece = event('content_block_delta', {
  index: 0,
  delta: { type: 'text_delta', text: 'x'.repeat(40) },
});

beforeAll(async () => {
  upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'm',
        usage: told,
      };
      response.end(
        event('message_start', { message }) +
          event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) +
          piece.repeat(pieces) +
          event('content_block_stop', { index: 0 }) +
          event('message_delta', {
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: pieces * 10 },
          }) +
          event('message_stop', {}),
      );
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  await scene.stage.channel(scene.root, { type: 14, baseUrl, models: 'stepped', groups: 'default' });
  await scene.set('ModelRatio', '{"stepped":1}');
  await scene.set('CompletionRatio', '{"stepped":4}');
  const dimensions = {
    context: { steps: [{ above: 110_000, input: 2, output: 1.5 }] },
    tiers: { priority: { input: 2, output: 3, longContext: 'step' } },
  };
  await scene.set('PriceDimensions', JSON.stringify({ stepped: dimensions }));
});
afterAll(async () => {
  await scene.close();
  upstream.close();
});

const usage = (input_tokens: number, more: object = {}) => ({ input_tokens, output_tokens: 1, ...more });

const dearer = [
  // 240,000 units of prompt, and 6 a token of answer; by the short price it would be 120,000 and 4.
  ['a prompt beyond a step', usage(120_000), 2000, 260_000, 20_000 / 6],
  // 2000 units of prompt, and 12 a token of answer; by the standard it would be 1000 and 4.
  ['priority unasked', usage(1000, { service_tier: 'priority' }), 2000, 26_000, 2000],
  // 10 units of prompt, and 4 a token of answer.
  ['an answer whole in one piece of the network', usage(10), 100, 2010, 500],
  ['both', usage(1000, { service_tier: 'priority' }), 100, 6800, 400],
] as const;
/** As it comes, and converted: where each format says that the answer was long enough. */
const callers = [
  ['/v1/messages', '"stop_reason":"max_tokens"'],
  ['/v1/chat/completions', '"finish_reason":"length"'],
] as const;

it.each(callers.flatMap((caller) => dearer.map((one) => [...caller, ...one] as const)))(
  '%s, %s, %s: no token is shown that its caller cannot pay',
  async (...of) => {
    const [path, ending, what, start, length, units, tokens] = of;
    [told, pieces] = [start, length];
    const spender = await scene.spender(`${what}${path}`.replaceAll(/\W/g, '-'), units);
    const answer = await fetch(`${scene.server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'stepped',
        stream: true,
        max_tokens: 20_000,
        messages: [{ role: 'user', content: 'go on from the file' }],
      }),
    });
    const text = await answer.text();
    expect(text).toContain(ending);
    const shown = (text.match(/x{40}/g)?.length ?? 0) * 10;
    expect(shown).toBeGreaterThan(tokens - 30);
    expect(shown).toBeLessThanOrEqual(tokens);
    const { stores } = scene.server.parts;
    const rows = async () =>
      (await stores.logs.page({ userId: spender.user.id, type: 2 }, { page: 1, pageSize: 20 })).items;
    await expect.poll(async () => (await rows()).length).toBe(1);
    const other = JSON.parse((await rows())[0]?.other ?? '{}') as Record<string, unknown>;
    expect(other).toMatchObject({ limited_by: 'quota', hold_units: units });
    expect(other).not.toHaveProperty('not_charged_units');
    expect(await brokenRules(stores.database)).toEqual([]);
  },
);

it('a prompt that alone costs more than the balance takes all of it, and the row states the unpaid rest', async () => {
  [told, pieces] = [usage(100_000), 2000];
  const spender = await scene.spender('long-prompt', 30_000);
  const answer = await fetch(`${scene.server.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'stepped',
      stream: true,
      max_tokens: 20_000,
      messages: [{ role: 'user', content: 'go on from the file' }],
    }),
  });
  expect((await answer.text()).match(/x{40}/g)?.length ?? 0).toBeLessThanOrEqual(1);
  const { stores } = scene.server.parts;
  const rows = async () =>
    (await stores.logs.page({ userId: spender.user.id, type: 2 }, { page: 1, pageSize: 20 })).items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [row] = await rows();
  const other = JSON.parse(row?.other ?? '{}') as Record<string, number>;
  expect(row?.quotaUnits).toBe(30_000);
  expect(other).toMatchObject({
    limited_by: 'quota',
    price_units: 30_000 + (other['not_charged_units'] ?? 0),
  });
  expect(other['not_charged_units']).toBeGreaterThanOrEqual(70_000);
  expect(await brokenRules(stores.database)).toEqual([]);
});

it('a prompt that cannot be as long as reported neither ends the stream nor is charged', async () => {
  [told, pieces] = [usage(19_000_000), 100];
  const spender = await scene.spender('lied-to', 20_000);
  const answer = await fetch(`${scene.server.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'stepped',
      stream: true,
      max_tokens: 3000,
      messages: [{ role: 'user', content: 'go on from the file' }],
    }),
  });
  expect(await answer.text()).toContain('"stop_reason":"end_turn"');
  const { stores } = scene.server.parts;
  const rows = async () =>
    (await stores.logs.page({ userId: spender.user.id, type: 2 }, { page: 1, pageSize: 20 })).items;
  await expect.poll(async () => (await rows()).length).toBe(1);
  const row = (await rows())[0];
  expect(row?.quotaUnits).toBeGreaterThan(4000);
  expect(row?.quotaUnits).toBeLessThan(4100);
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({ reported_usage: { prompt_tokens: 19_000_000 } });
  expect(row?.other).not.toContain('limited_by');
});
