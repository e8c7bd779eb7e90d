import { createServer, type Server, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unlimitedToken } from '#core/token/testing/unlimited-token.ts';
import { hangUp, listening } from '../../../outbound/testing/local-server.ts';
import { openScene, type Scene, type Spender } from '../../../http/testing/scene.ts';

/** Prices with steps, tiers and surcharges, from the call to its row (docs/billing.md). */

type Fields = Readonly<Record<string, unknown>>;

let upstream: Server;
let scene: Scene;
let alice: Spender;
let bare: Spender;
let strict: Spender;
/** What the upstream was sent last, and what it answers. */
let sent: Fields = {};
let asked = 0;
let answer: (response: ServerResponse) => void;

const json = (body: object) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
const chat = (prompt: number, more: object = {}) =>
  json({
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: prompt, completion_tokens: 100 },
    ...more,
  });
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const streamed =
  (...events: readonly string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  };

const DIMENSIONS = {
  context: { steps: [{ above: 272_000, input: 2, output: 1.5 }] },
  tiers: { priority: { input: 2, output: 3, longContext: 'step' }, flex: 0.5 },
  speeds: { fast: 6 },
  places: { us: 1.1 },
};
const MODELS = ['stepped', 'overridden', 'claude-m', 'gemini-m'];

/** Somebody whose key calls in this group. */
const inGroup = async (group: string): Promise<Spender> => {
  const spender = await scene.spender(group, 100_000_000);
  const made = await scene.server.parts.tokens.create(
    spender.user,
    { ...unlimitedToken, name: group, group },
    1,
  );
  return { ...spender, key: made[0]?.key ?? '' };
};

beforeAll(async () => {
  upstream = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      asked += 1;
      sent = JSON.parse(body) as Fields;
      answer(response);
    });
  });
  const baseUrl = await listening(upstream);
  scene = await openScene();
  const { stage, root } = scene;
  await scene.set('GroupRatio', JSON.stringify({ default: 1, bare: 1, strict: 1 }));
  await stage.channel(root, { baseUrl, models: 'stepped', groups: 'default,bare,strict' });
  await stage.channel(root, { baseUrl, models: 'overridden', paramOverride: '{"service_tier":"priority"}' });
  await stage.channel(root, { type: 14, baseUrl, models: 'claude-m', groups: 'default,bare,strict' });
  await stage.channel(root, { type: 24, baseUrl, models: 'gemini-m', groups: 'default,bare,strict' });
  const all = (value: unknown) => JSON.stringify(Object.fromEntries(MODELS.map((name) => [name, value])));
  await scene.set('ModelRatio', all(1));
  await scene.set('CompletionRatio', all(4));
  await scene.set('PriceDimensions', all(DIMENSIONS));
  await scene.set('UserUsableGroups', JSON.stringify({ default: '', bare: '', strict: '' }));
  await scene.set('GroupServiceTerms', JSON.stringify({ bare: 'strip', strict: 'refuse' }));
  alice = await scene.spender('alice', 100_000_000);
  bare = await inGroup('bare');
  strict = await inGroup('strict');
});
beforeEach(() => {
  sent = {};
  answer = chat(1000);
});
afterAll(async () => {
  await scene.close();
  hangUp(upstream);
});

const call = (spender: Spender, where: string, body: object | string): Promise<Response> =>
  fetch(`${scene.server.url}${where}`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${spender.key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const lastRow = async ({ user }: Spender) => {
  const { logs } = scene.server.parts.stores;
  const page = await logs.page({ userId: user.id, type: 2 }, { page: 1, pageSize: 1 });
  const row = page.items[0];
  return { units: row?.quotaUnits, other: JSON.parse(row?.other ?? '{}') as Fields };
};

const hello = { model: 'stepped', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };
const CHAT = '/v1/chat/completions';

describe('a long prompt', () => {
  it.each([
    [272_000, 272_400],
    [272_001, 544_602],
  ])('of %i tokens costs %i units, each line in the receipt', async (prompt, units) => {
    answer = chat(prompt);
    const messages = [{ role: 'user', content: 'x'.repeat(prompt) }];
    expect((await call(alice, CHAT, { ...hello, messages })).status).toBe(200);
    const row = await lastRow(alice);
    expect(row.units).toBe(units);
    expect(row.other).toMatchObject({ price_units: units, price_sum: String(units) });
  });

  it('is held at the dearer step where its upper estimate crosses the threshold', async () => {
    const words = 'ab'.repeat(290_000);
    answer = chat(100);
    const body = { ...hello, messages: [{ role: 'user', content: words }] };
    expect((await call(alice, CHAT, body)).status).toBe(200);
    const { hold_units: held } = (await lastRow(alice)).other;
    expect(held).toBeGreaterThanOrEqual(2 * 290_000 + 600);
  });
});

describe('the service tier', () => {
  it.each<[string, object, object, number]>([
    ['priority, served', { service_tier: 'priority' }, { service_tier: 'priority' }, 3200],
    ['priority, served as default', { service_tier: 'priority' }, { service_tier: 'default' }, 1400],
    ['priority, nothing told', { service_tier: 'priority' }, {}, 3200],
    ['flex, served', { service_tier: 'flex' }, { service_tier: 'flex' }, 700],
    ['flex, nothing told', { service_tier: 'flex' }, {}, 1400],
    ['flex in an object', { extra_body: { service_tier: 'flex' } }, { service_tier: 'flex' }, 700],
    ['nothing, priority served', {}, { service_tier: 'priority' }, 3200],
  ])('%s, costs what was served', async (_, ask, told, units) => {
    answer = chat(1000, told);
    expect((await call(alice, CHAT, { ...hello, ...ask })).status).toBe(200);
    expect((await lastRow(alice)).units).toBe(units);
  });

  it('stands in row and receipt', async () => {
    answer = chat(1000, { service_tier: 'priority' });
    await call(alice, CHAT, { ...hello, service_tier: 'priority' });
    const { other } = await lastRow(alice);
    expect(other['service']).toEqual({ sent: { tier: 'priority' }, served: { tier: 'priority' } });
    expect(other['price_steps']).toMatchObject([
      { bucket: 'inputTokens', factors: { tier: '2' } },
      { bucket: 'outputTokens', factors: { tier: '3' } },
    ]);
  });

  it('of a stream that broke off is the one that was sent', async () => {
    const choice = { index: 0, delta: { content: 'word '.repeat(80) } };
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ object: 'chat.completion.chunk', choices: [choice] }), () => response.destroy());
    };
    const broken = await call(alice, CHAT, { ...hello, stream: true, service_tier: 'priority' });
    await broken.text().catch(() => '');
    await expect.poll(async () => (await lastRow(alice)).other['stream_status']).toBeDefined();
    const { price_steps: steps } = (await lastRow(alice)).other;
    expect(steps).toMatchObject([{ factors: { tier: '2' } }, { count: 100, factors: { tier: '3' } }]);
  });

  it('that an override sets is held for and charged', async () => {
    answer = chat(1000, { service_tier: 'priority' });
    expect((await call(alice, CHAT, { ...hello, model: 'overridden' })).status).toBe(200);
    expect(sent['service_tier']).toBe('priority');
    const { units, other } = await lastRow(alice);
    expect(units).toBe(3200);
    expect(other['hold_units']).toBeGreaterThanOrEqual(1200);
  });

  it.each<[string, object]>([
    ['in two places', { service_tier: 'flex', extra_body: { service_tier: 'priority' } }],
    ['in another case', { Service_Tier: 'priority' }],
    ['in another case in an object', { extra_body: { Service_Tier: 'priority' } }],
    ['as no word', { service_tier: { type: 'priority' } }],
  ])('%s is refused, and nobody is asked', async (_, ask) => {
    const before = asked;
    expect((await call(alice, CHAT, { ...hello, ...ask })).status).toBe(400);
    expect(asked).toBe(before);
  });

  it('given twice is refused', async () => {
    const body = JSON.stringify(hello).replace('{', '{"service_tier":"flex","service_tier":"priority",');
    expect((await call(alice, CHAT, body)).status).toBe(400);
  });
});

const claudeReply = (usage: object) =>
  json({
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'yes' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1000, output_tokens: 100, ...usage },
  });
const geminiReply = (usage: object) =>
  json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'yes' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100, ...usage },
  });

describe('in every format', () => {
  const contents = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
  const gemini = '/v1beta/models/gemini-m:generateContent';
  const claude = { ...hello, model: 'claude-m' };

  it.each<[string, string, object, () => void, number]>([
    [
      'Claude, fast',
      '/v1/messages',
      { ...claude, speed: 'fast' },
      () => (answer = claudeReply({ speed: 'fast' })),
      8400,
    ],
    [
      'Claude, in a place',
      '/v1/messages',
      { ...claude, inference_geo: 'us' },
      () => (answer = claudeReply({ inference_geo: 'us' })),
      1540,
    ],
    [
      'Gemini, flex',
      gemini,
      { ...contents, serviceTier: 'flex' },
      () => (answer = geminiReply({ trafficType: 'ON_DEMAND_FLEX' })),
      700,
    ],
  ])('%s, is priced as served', async (_, where, body, prepare, units) => {
    prepare();
    const reply = await call(alice, where, body);
    expect(reply.status, await reply.text()).toBe(200);
    expect((await lastRow(alice)).units).toBe(units);
  });

  it('streams of each tell it as well', async () => {
    const usage = { input_tokens: 1000, output_tokens: 100 };
    answer = streamed(
      event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'yes' } }] }),
      event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      event({ choices: [], usage: { prompt_tokens: 1000, completion_tokens: 100 }, service_tier: 'default' }),
      'data: [DONE]\n\n',
    );
    await (await call(alice, CHAT, { ...hello, stream: true, service_tier: 'priority' })).text();
    expect((await lastRow(alice)).units).toBe(1400);

    answer = streamed(
      event({
        type: 'message_start',
        message: { role: 'assistant', content: [], usage: { ...usage, speed: 'fast' } },
      }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'yes' } }),
      event({ type: 'content_block_stop', index: 0 }),
      event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 100 } }),
      event({ type: 'message_stop' }),
    );
    await (await call(alice, '/v1/messages', { ...claude, stream: true, speed: 'fast' })).text();
    expect((await lastRow(alice)).units).toBe(8400);
  });

  it.each([
    ['bare', CHAT, { ...hello, service_tier: 'priority', extra_body: { a: 1 } }, 'service_tier'],
    ['bare', '/v1/messages', { ...claude, speed: 'fast' }, 'speed'],
    ['bare', gemini, { ...contents, serviceTier: 'priority' }, 'serviceTier'],
  ])('the group %s sends none (%s)', async (_, where, body, field) => {
    answer = where === CHAT ? chat(1000) : where === gemini ? geminiReply({}) : claudeReply({});
    const reply = await call(bare, where, body);
    expect(reply.status, await reply.text()).toBe(200);
    expect(Object.keys(sent)).not.toContain(field);
    expect((await lastRow(bare)).units).toBe(1400);
  });

  it.each([
    [CHAT, { ...hello, service_tier: 'priority' }],
    ['/v1/messages', { ...claude, speed: 'fast' }],
    [gemini, { ...contents, serviceTier: 'priority' }],
  ])('a group may refuse it (%s), but never the standard', async (where, body) => {
    const before = asked;
    const reply = await call(strict, where, body);
    expect(reply.status).toBe(400);
    expect(await reply.text()).toContain('strict');
    expect(asked).toBe(before);
    expect((await call(strict, CHAT, { ...hello, service_tier: 'auto' })).status).toBe(200);
  });
});
